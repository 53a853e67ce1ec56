import type { Bill, BillTerms } from '../../../contract/rules/tariff/bill.ts'
import type { BillingPeriod } from '../../../contract/rules/tariff/billing-periods.ts'
import type { TariffVersion } from '../../../contract/rules/tariff/tariff.ts'
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

/** What a home pays by. */
export interface Billing {
  /** Holidays that are off-peak, beside Sundays. */
  offPeakDays: ReadonlySet<number>
  /** The bill that a day is on; by the calendar month where a home has no tariff. */
  periodOn(day: number): BillingPeriod
  /** Undefined where no tariff holds. */
  versionOn(day: number): TariffVersion | undefined
  termsOn(day: number): BillTerms
  /** A bill of some days; null when one of them has no price. */
  billOf(period: BillingPeriod, profile: ReadonlyMap<number, Pick<LoadDay, 'kWh'>>): Bill | null
}

/** What insight needs of others. */
export interface InsightPorts {
  energy: EnergyOfHomes
  billingOf(db: Db, tenant: string, home: HomeClock): Promise<Billing>
}
