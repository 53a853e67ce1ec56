import type { ReportedFinding } from '../../../contract/reports/calls.ts'
import type { bills } from '../../../contract/tariffs/bill-calls.ts'
import type { EnergySeries, meterData } from '../../../contract/energy/meter-data-calls.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { CarbonFactorOfYear } from '../../../contract/tariffs/carbon.ts'
import type { BillPart, BillTerms } from '../../../contract/tariffs/bill.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import type { HomeClock } from '../../domain/homes/find-home.ts'
import type { Db } from '../../kernel/db.ts'

/** Purchased energy of a day. */
export interface BoughtDay {
  /** kWh per 15-minute interval. */
  kWh: Float64Array
  /** Number of known intervals of its meters, and number expected. */
  known: number
  total: number
}

/** Energy port: results of the calls with the same names, and the load profile per 15 minutes. */
export interface ReportedEnergy {
  series(
    tenant: string,
    input: InputOf<(typeof meterData)['getEnergySeries']>,
  ): Promise<{ Series: EnergySeries[]; Carbon: CarbonFactorOfYear[]; ComputedPercent?: number | undefined }>
  balance(
    tenant: string,
    input: InputOf<(typeof meterData)['getEnergyBalance']>,
  ): Promise<ResultsOf<(typeof meterData)['getEnergyBalance']>>
  /** First day with known energy; undefined if there is none. */
  readFirstDay(tenant: string, home: HomeClock): Promise<number | undefined>
  /** Day numbers (`dayOf`), `endDay` exclusive. */
  loadProfile(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<Map<number, BoughtDay>>
}

/** Bills port: results of the calls with the same names. */
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

/** Billing data of a home. */
export interface ReportedBilling {
  /** Billing period that contains a day. */
  periodOn(day: number): BillingPeriod
  termsOn(day: number): BillTerms
  /** Tariff plan that is in force on a day; null without a tariff. */
  planOn(day: number): string | null
  /** Parts of a period by price; days without a price are in no part. */
  partsOf(period: BillingPeriod, profile: ReadonlyMap<number, Pick<BoughtDay, 'kWh'>>): BillPart[]
}

/** Counts the alarms of a home that were raised between two times, epoch ms, `to` exclusive. */
export type CountAlarms = (
  db: Db,
  tenant: string,
  HomeID: string,
  from: number,
  to: number,
) => Promise<{ Raised: number; Critical: number; Open: number }>

/** Ports to other features. */
export interface ReportPorts {
  energy: ReportedEnergy
  bills: ReportedBills
  readBilling(db: Db, tenant: string, home: HomeClock): Promise<ReportedBilling>
  /** Carbon factor of a year for a company. */
  readCarbonFactor(db: Db, tenant: string, year: number): Promise<CarbonFactorOfYear>
  /** Last year whose factor should have been published but is neither built in nor entered; null if there is none. */
  readMissingFactor(db: Db, tenant: string, now: number): Promise<number | null>
  countAlarms: CountAlarms
  /** The largest findings of some homes, at most `limit`. */
  /** The largest open findings that existed within some days (as `dayOf` numbers them, `end` exclusive). */
  topFindings(
    db: Db,
    tenant: string,
    HomeIDs: readonly string[],
    days: { from: number; end: number },
    limit: number,
  ): Promise<ReportedFinding[]>
}
