import type { Bill, BillTerms } from '../../../contract/tariffs/bill.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import type { LackingPeakDays } from '../../../contract/tariffs/peak-days.ts'
import type { AdviceRefusal } from '../../../contract/tariffs/advice.ts'
import type { MeterUse } from '../../../contract/meters/meter-facts.ts'
import type { MeterRole } from '../../../contract/devices/meter-roles.ts'
import type { TariffVersion } from '../../../contract/tariffs/tariff-terms.ts'
import type { Db } from '../../store/db.ts'

/** A home with its clock. */
export interface HomeClock {
  HomeID: string
  /** IANA. */
  zone: string
}

/** A day of a load. */
export interface LoadDay {
  /** kWh of each interval of 15 minutes. */
  kWh: Float64Array
  /** 1 for each interval of which every meter that should told. */
  isKnown: Uint8Array
  /** How many intervals of its meters are known, and how many should be. */
  known: number
  total: number
  /** Those that are known and not estimated over a silence. */
  complete: number
  /** Number of meters whose hour is resolved, per interval (gateway/domain/energy/resolved-hours.ts). */
  resolved: ArrayLike<number>
  /** True where no meter saw what was bought, so that it is estimated from what the others leave. */
  isUnmetered?: boolean
}

/** A part of a day whose energy goes into one sum: intervals of 15 minutes since its beginning, `to` exclusive. */
export interface SlotWindow {
  slot: number
  from: number
  to: number
}

/** A whole day that is over, divided into slots. */
export interface SlotDay {
  day: number
  windows: readonly SlotWindow[]
}

/** What a line of a home counted, by slot. */
export interface SlotLine {
  key: string
  kWh: Float64Array
  /** Intervals that are known, and that should be; of all that belongs to a day, in the day's first slot or in each. */
  known: Float64Array
  due: Float64Array
}

/** A meter's part of a line: its energy counts by its weight, which the kWh already carry. */
export interface MemberLine extends SlotLine {
  /** The line that it is part of. */
  line: string
  /** Whether that is a flow of a balance, one of FLOW_LINES. */
  isFlow: boolean
  /** The same for the same meter in another line. */
  meter: string
}

/** What a home bought, meter by meter. */
export interface BoughtByMember {
  members: MemberLine[]
  /** kWh by slot with which they add up to what was bought where that is not known as a whole; undefined where nothing is lacking. */
  lacking: Float64Array | undefined
}

/** What insight needs of the energy of homes; days as `dayOf` numbers them, the last exclusive. */
export interface EnergyOfHomes {
  /** Errors: NOT_FOUND. */
  homeOf(tenant: string, HomeID: string): Promise<HomeClock>
  /** Every day of a range, of zeros where nothing is known: what the home bought, or with `consumption` what it used. */
  loadProfile(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
    flow?: 'import' | 'consumption',
  ): Promise<Map<number, LoadDay>>
  /**
   * Percent of some days that is computed; undefined unless a backlog of readings waits that touches them. To be called before the
   * figures are read: a backlog that ends in between must not make partial figures pass for whole ones.
   */
  computedPercent(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<number | undefined>
  /** Whether a meter of it ever has a part in a balance, so that it does not use all that it buys. */
  hasBalance(tenant: string, home: HomeClock): Promise<boolean>
  /** The same of some meters together, each counted as itself. Errors: NOT_FOUND. */
  loadOfMeters(
    tenant: string,
    home: HomeClock,
    ids: readonly string[],
    fromDay: number,
    endDay: number,
  ): Promise<Map<number, LoadDay>>
  /** The first day of which something is known; undefined where nothing is. */
  firstDay(tenant: string, home: HomeClock): Promise<number | undefined>
  /** What each meter of each line counted; lines by room, meter or category and the flows of a balance add up to what it bought. */
  boughtByMember(
    tenant: string,
    home: HomeClock,
    by: 'room' | 'meter' | 'category',
    days: readonly SlotDay[],
    slots: number,
  ): Promise<BoughtByMember>
  /** The mean temperature outdoors of days on which one is known, °C. */
  outdoorOf(tenant: string, home: HomeClock, fromDay: number, endDay: number): Promise<Map<number, number>>
}

/** A meter of a home as it stands today. */
export interface StandingMeter {
  MeterID: string
  name: string
  category: string | null
  /** MeterID of the one above it; null at the top. */
  parent: string | null
  RoomID: number
  role: MeterRole
  /** What it is used for; null where nobody said so. */
  use: MeterUse | null
}

/** What a day of a meter was like; kW. */
export interface MeterDayFeatures {
  day: number
  kWh: number
  /** 0..1 of its intervals that are known. */
  known: number
  /** The second lowest hour from 0 to 6; null where an hour of them is not known. */
  baseKw: number | null
  peakKw: number
  /** What a tenth and nine tenths of the intervals stay below. */
  lowKw: number
  highKw: number
}

/** What findings need of the meters of homes, one by one; days as above. */
export interface CurrentMeters {
  /** The meters that are there and have counted something. */
  standingMeters(tenant: string, home: HomeClock): Promise<StandingMeter[]>
  /** The energy of those that are named, by MeterID and day. */
  loadOfEach(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
    ids: ReadonlySet<string>,
  ): Promise<Map<string, Map<number, LoadDay>>>
  /** By MeterID, days in order; those of which nothing is known are absent. */
  dayFeatures(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<ReadonlyMap<string, readonly MeterDayFeatures[]>>
}

/** What is agreed with the power company, or could be. */
export interface ContractTerms {
  PlanID: string
  Capacities: BillTerms['Capacities']
  PowerFactor: number | null
}

/** Energy by day, as bills ask for it. */
export type LoadQueries = ReadonlyMap<number, Pick<LoadDay, 'kWh'>>

/** The bills of the last 12 months of a home under what is agreed now. */
export interface YearBills {
  periods: readonly BillingPeriod[]
  /** What the 12 months lack for advice; null where nothing. */
  refused: AdviceRefusal | null
  loads: LoadQueries
  was: readonly Bill[]
  /** The share of each period that is known as its prices ask for, 0 to 1. */
  measured: readonly number[]
  /** The least that the bills of other energy come to, and with what they are made. NT$ in the order of `periods`. */
  least(
    loads: LoadQueries,
    allowed: { plan: boolean; contract: boolean; powerFactor: boolean },
  ): { bills: number[]; agreed: ContractTerms }
}

/** What a home pays by, for those who say what it could save. */
export interface SavingBills {
  now: ContractTerms
  judgesPowerFactor: boolean
  /** The bill of some days by the prices and the season of today, as one period of so many months of 30 days. */
  ofDays(loads: LoadQueries, fromDay: number, endDay: number, PowerFactor?: number | null): Bill
  /** Null where a day of these months has no price. */
  year: YearBills | null
}

/** What was told of a quantity of a device: values from moments on (epoch ms), and when nobody could know. */
export interface SeriesResult {
  Timestamps: number[]
  Values: number[]
  /** Of each bucket the highest; null when every value is here. */
  Max: number[] | null
  Unknown: { From: number; To: number | null }[]
}

/** What a home pays by. */
export interface Billing {
  /** Holidays that are off-peak, beside Sundays. */
  offPeakDays: ReadonlySet<number>
  /** The bill that a day is on; by the calendar month where a home has no tariff. */
  periodOn(day: number): BillingPeriod
  /** Undefined where no tariff holds. */
  versionOn(day: number): TariffVersion | undefined
  /** Announced peak days missing to price some days; undefined if none is. */
  lackingPeakDays(periods: readonly Pick<BillingPeriod, 'FromDay' | 'EndDay'>[]): LackingPeakDays | undefined
  termsOn(day: number): BillTerms
  /** NT$ for each kWh that is sold; null where no price is known. */
  feedInOn(day: number): number | null
  /** A bill of some days; null when one of them has no price. */
  billOf(period: BillingPeriod, profile: ReadonlyMap<number, Pick<LoadDay, 'kWh'>>): Bill | null
}

/** What insight needs of others. */
export interface InsightPorts {
  energy: EnergyOfHomes & CurrentMeters
  /** Null where no tariff holds today. Errors: NOT_FOUND. */
  savingBillsOf(tenant: string, home: HomeClock): Promise<SavingBills | null>
  /** What is stored of some quantities of devices, one series for each. Errors: NOT_FOUND. */
  seriesOf(
    db: Db,
    place: { tenant: string; homeId: string },
    quantities: readonly { PeripheralUID: string; Field: string }[],
    range: { from: number; to: number; points: number; now: number },
  ): Promise<SeriesResult[]>
  /** Devices of a home of which an alarm says that they are silent, and since when, epoch ms. */
  silentDevices(db: Db, tenant: string, HomeID: string): Promise<{ PeripheralUID: string; since: number }[]>
  billingOf(db: Db, tenant: string, home: HomeClock): Promise<Billing>
}
