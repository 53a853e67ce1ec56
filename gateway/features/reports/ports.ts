import type { ReportedFinding } from '../../../contract/reports/calls.ts'
import type { bills } from '../../../contract/tariffs/bill-calls.ts'
import type { EnergySeries, meterData } from '../../../contract/energy/meter-data-calls.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { CarbonFactorOfYear } from '../../../contract/tariffs/carbon.ts'
import type { BillPart, BillTerms } from '../../../contract/tariffs/bill.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import type { Db } from '../../store/db.ts'

/** A home with its clock. */
export interface HomeClock {
  HomeID: string
  /** IANA. */
  zone: string
}

/** A day of what a home bought. */
export interface BoughtDay {
  /** kWh of each interval of 15 minutes. */
  kWh: Float64Array
  /** How many intervals of its meters are known, and how many should be. */
  known: number
  total: number
}

/** What reports need of the energy of homes: answers of the calls of the same names, and the load by the quarter of an hour. */
export interface ReportedEnergy {
  series(
    tenant: string,
    input: InputOf<(typeof meterData)['getEnergySeries']>,
  ): Promise<{ Series: EnergySeries[]; Carbon: CarbonFactorOfYear[]; ComputedPercent?: number | undefined }>
  balance(
    tenant: string,
    input: InputOf<(typeof meterData)['getEnergyBalance']>,
  ): Promise<ResultsOf<(typeof meterData)['getEnergyBalance']>>
  /** The first day of which something is known; undefined where nothing is. */
  firstDay(tenant: string, home: HomeClock): Promise<number | undefined>
  /** Days as `dayOf` numbers them, the last exclusive. */
  loadProfile(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<Map<number, BoughtDay>>
}

/** Bills as the calls of the same names answer them. */
export interface ReportedBills {
  getBill(
    tenant: string,
    input: InputOf<(typeof bills)['getBill']>,
  ): Promise<ResultsOf<(typeof bills)['getBill']>>
  getDemand(
    tenant: string,
    input: InputOf<(typeof bills)['getDemand']>,
  ): Promise<ResultsOf<(typeof bills)['getDemand']>>
}

/** What a home pays by. */
export interface ReportedBilling {
  /** The bill that a day is on. */
  periodOn(day: number): BillingPeriod
  termsOn(day: number): BillTerms
  /** The plan that holds on a day; null without a tariff. */
  planOn(day: number): string | null
  /** What of a period has which price; days without one are in no part. */
  partsOf(period: BillingPeriod, profile: ReadonlyMap<number, Pick<BoughtDay, 'kWh'>>): BillPart[]
}

/** Alarms of a home that were raised in a time, epoch ms, `to` exclusive. */
export type CountAlarms = (
  db: Db,
  tenant: string,
  HomeID: string,
  from: number,
  to: number,
) => Promise<{ Raised: number; Critical: number; Open: number }>

/** What reports need of others. */
export interface ReportPorts {
  energy: ReportedEnergy
  bills: ReportedBills
  billingOf(db: Db, tenant: string, home: HomeClock): Promise<ReportedBilling>
  /** The factor by which the energy of a year counts for a company. */
  carbonFactorOf(db: Db, tenant: string, year: number): Promise<CarbonFactorOfYear>
  /** The last year whose factor should be published and is neither built in nor entered; null where there is none. */
  missingFactorOf(db: Db, tenant: string, now: number): Promise<number | null>
  countAlarms: CountAlarms
  /** The largest findings of some homes, at most so many. */
  topFindings(db: Db, tenant: string, HomeIDs: readonly string[], most: number): Promise<ReportedFinding[]>
}
