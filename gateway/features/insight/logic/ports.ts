import type { Bill, BillTerms } from '../../../../contract/tariffs/bill.ts'
import type { BillingPeriod } from '../../../domain/tariffs/billing-periods.ts'
import type { LackingPeakDays } from '../../../../contract/energy/lacking-peak-days.ts'
import type { AdviceRefusal } from '../../../../contract/tariffs/advice.ts'
import type { MeterUse } from '../../../../contract/meters/meter-facts.ts'
import type { MeterRole } from '../../../../contract/devices/meter-roles.ts'
import type { TariffVersion } from '../../../../contract/tariffs/tariff-terms.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import type { Db } from '../../../kernel/db.ts'

/** A day of a load. */
export interface LoadDay {
  /** kWh of each interval of 15 minutes. */
  kWh: Float64Array
  /** 1 for each interval in which every expected meter is known. */
  isKnown: Uint8Array
  /** Number of known intervals of its meters, and of expected ones. */
  known: number
  total: number
  /** Number of intervals that are known and not estimated over a silence. */
  complete: number
  /** Number of meters whose hour is resolved, per interval (gateway/domain/energy/resolved-hours.ts). */
  resolved: ArrayLike<number>
  /** True if no meter measures the import, so that it is estimated from the other meters. */
  isUnmetered?: boolean
}

/** A part of a day whose energy is summed into one slot: intervals of 15 minutes since its beginning, `to` exclusive. */
export interface SlotWindow {
  slot: number
  from: number
  to: number
}

/** A finished day, divided into slots. */
export interface SlotDay {
  day: number
  windows: readonly SlotWindow[]
}

/** Energy of a line of a home, by slot. */
export interface SlotLine {
  key: string
  kWh: Float64Array
  /** Numbers of known and of expected intervals; those of a whole day are in its first slot, or in each. */
  known: Float64Array
  due: Float64Array
}

/** A meter's part of a line, with kWh multiplied by its weight. */
export interface MemberLine extends SlotLine {
  /** The line that it is part of. */
  line: string
  /** Whether the line is a flow of a balance, one of FLOW_LINES. */
  isFlow: boolean
  /** Key of the meter, the same in every line. */
  meter: string
}

/** Energy that a home bought, by meter. */
export interface BoughtByMember {
  members: MemberLine[]
  /** kWh by slot to add so that the members sum to the import, if that is not known as a whole; undefined if nothing is missing. */
  lacking: Float64Array | undefined
}

/** Energy of homes as insight needs it; days as `dayOf` numbers them, the last exclusive. */
export interface EnergyOfHomes {
  /** Errors: NOT_FOUND. */
  readHome(tenant: string, HomeID: string): Promise<HomeClock>
  /** Import of the home, or with `consumption` its use, for every day of a range; zeros where unknown. */
  loadProfile(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
    flow?: 'import' | 'consumption',
  ): Promise<Map<number, LoadDay>>
  /**
   * Percent of some days that is computed; undefined unless a backlog of readings touches them. Call it before
   * reading the figures: a backlog that ends in between must not make partial figures look complete.
   */
  computedPercent(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<number | undefined>
  /** Whether a meter of the home ever has a role in a balance, so that use and import differ. */
  hasBalance(tenant: string, home: HomeClock): Promise<boolean>
  /** Load of some meters together, each at its full value. Errors: NOT_FOUND. */
  loadOfMeters(
    tenant: string,
    home: HomeClock,
    ids: readonly string[],
    fromDay: number,
    endDay: number,
  ): Promise<Map<number, LoadDay>>
  /** The first day with data; undefined if there is none. */
  readFirstDay(tenant: string, home: HomeClock): Promise<number | undefined>
  /** Energy of each meter of each line; lines by room, meter or category and the flows of a balance sum to the import. */
  boughtByMember(
    tenant: string,
    home: HomeClock,
    by: 'room' | 'meter' | 'category',
    days: readonly SlotDay[],
    slots: number,
  ): Promise<BoughtByMember>
  /** Mean outdoor temperature by day, where known, °C. */
  readOutdoor(tenant: string, home: HomeClock, fromDay: number, endDay: number): Promise<Map<number, number>>
}

/** A meter of a home as of today. */
export interface StandingMeter {
  MeterID: string
  name: string
  category: string | null
  /** MeterID of the parent meter; null at the top. */
  parent: string | null
  RoomID: number
  role: MeterRole
  /** Configured use; null if none. */
  use: MeterUse | null
}

/** Features of a day of a meter; kW. */
export interface MeterDayFeatures {
  day: number
  kWh: number
  /** Known share of its intervals, 0 to 1. */
  known: number
  /** The second lowest hour from 0 to 6; null if one of these hours is not known. */
  baseKw: number | null
  peakKw: number
  /** 10th and 90th percentile of the intervals. */
  lowKw: number
  highKw: number
}

/** Meters of homes one by one, as findings need them; days as above. */
export interface CurrentMeters {
  /** Existing meters that have data. */
  readStandingMeters(tenant: string, home: HomeClock): Promise<StandingMeter[]>
  /** Energy of the given meters, by MeterID and day. */
  readLoads(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
    ids: ReadonlySet<string>,
  ): Promise<Map<string, Map<number, LoadDay>>>
  /** Features by MeterID, days in order; omits days without data. */
  readDayFeatures(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<ReadonlyMap<string, readonly MeterDayFeatures[]>>
}

/** Present or possible contract with the power company. */
export interface ContractTerms {
  PlanID: string
  Capacities: BillTerms['Capacities']
  PowerFactor: number | null
}

/** Energy by day, as bills need it. */
export type LoadQueries = ReadonlyMap<number, Pick<LoadDay, 'kWh'>>

/** Bills of the last 12 months of a home under the present contract. */
export interface YearBills {
  periods: readonly BillingPeriod[]
  /** Reason for which the 12 months allow no advice; null if they do. */
  refusal: AdviceRefusal | null
  loads: LoadQueries
  actual: readonly Bill[]
  /** Known share of each period, as its prices require, 0 to 1. */
  measured: readonly number[]
  /** Minimum bills for other energy, and their contract. NT$ in the order of `periods`. */
  minimizeBills(
    loads: LoadQueries,
    allowed: { plan: boolean; contract: boolean; powerFactor: boolean },
  ): { bills: number[]; agreed: ContractTerms }
}

/** Bills of a home, for the computation of savings. */
export interface SavingBills {
  now: ContractTerms
  judgesPowerFactor: boolean
  /** Bill of some days at today's prices and season, as one period of their number of months of 30 days. */
  ofDays(loads: LoadQueries, fromDay: number, endDay: number, PowerFactor?: number | null): Bill
  /** Null if a day of these months has no price. */
  year: YearBills | null
}

/** Values of a quantity of a device from given times on (epoch ms), and the times at which it was unknown. */
export interface SeriesResult {
  Timestamps: number[]
  Values: number[]
  /** Maximum of each bucket; null if Values contains every value. */
  Max: number[] | null
  Unknown: { From: number; To: number | null }[]
}

/** Tariff and bills of a home. */
export interface Billing {
  /** Off-peak holidays in addition to Sundays. */
  offPeakDays: ReadonlySet<number>
  /** Billing period of a day; the calendar month if the home has no tariff. */
  periodOn(day: number): BillingPeriod
  /** Undefined without a tariff. */
  versionOn(day: number): TariffVersion | undefined
  /** Announced peak days missing to price some days; undefined if none is. */
  lackingPeakDays(periods: readonly Pick<BillingPeriod, 'FromDay' | 'EndDay'>[]): LackingPeakDays | undefined
  termsOn(day: number): BillTerms
  /** NT$ for each kWh sold; null without a price. */
  feedInOn(day: number): number | null
  /** Bill of some days; null if one of them has no price. */
  billOf(period: BillingPeriod, profile: ReadonlyMap<number, Pick<LoadDay, 'kWh'>>): Bill | null
}

/** Dependencies of insight on other features. */
export interface InsightPorts {
  energy: EnergyOfHomes & CurrentMeters
  /** Null without a tariff today. Errors: NOT_FOUND. */
  readSavingBills(tenant: string, home: HomeClock): Promise<SavingBills | null>
  /** Stored values of some quantities of devices, one series for each. Errors: NOT_FOUND. */
  readSeries(
    db: Db,
    place: { tenant: string; homeId: string },
    quantities: readonly { PeripheralUID: string; Field: string }[],
    range: { from: number; to: number; points: number; now: number },
  ): Promise<SeriesResult[]>
  /** Devices of a home with an open silence alarm, and the start of the silence, epoch ms. */
  readSilentDevices(
    db: Db,
    tenant: string,
    HomeID: string,
  ): Promise<{ PeripheralUID: string; since: number }[]>
  readBilling(db: Db, tenant: string, home: HomeClock): Promise<Billing>
}
