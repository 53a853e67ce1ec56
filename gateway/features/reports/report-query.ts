import type { EnergyPoint, EnergySeries, meterData } from '../../../contract/energy/meter-data-calls.ts'
import type { InputOf } from '../../../contract/kernel/define-endpoint.ts'
import type { Language } from '../../../contract/kernel/scalars.ts'
import type { CarbonFactorOfYear } from '../../../contract/tariffs/carbon.ts'
import { startOfDay } from '../../../contract/time/periods.ts'
import type { Db } from '../../kernel/db.ts'
import type { MonthDays } from './months.ts'
import type { ReportPorts } from './ports.ts'
import type { ReportedSite } from './sites.ts'
import type { ReportSums } from './sums.ts'

/** Inputs of a report. */
export interface ReportQuery {
  db: Db
  tenant: string
  /** Null for the whole company. */
  HomeID: string | null
  Period: string
  Language: Language
  sites: readonly ReportedSite[]
  now: number
}

/** A month of one site, by day. */
export interface SiteMonth {
  site: ReportedSite
  days: MonthDays
  before: MonthDays
  isOver: boolean
  points: readonly EnergyPoint[]
  pointsBefore: readonly EnergyPoint[]
  sums: ReportSums
  sumsBefore: ReportSums
  carbon: readonly CarbonFactorOfYear[]
  /** Percentage of both periods that is computed; undefined if nothing of them waits. */
  computedPercent: number | undefined
}

type Grouping = InputOf<(typeof meterData)['getEnergySeries']>['By']

/** Energy series of a site on some days; empty if there are no days. */
export async function linesOn(
  { energy }: Pick<ReportPorts, 'energy'>,
  tenant: string,
  { HomeID, TimeZone }: ReportedSite,
  { from, end }: MonthDays,
  By: Grouping = 'home',
  Resolution: 'day' | 'month' = 'day',
): Promise<{
  Series: EnergySeries[]
  Carbon: readonly CarbonFactorOfYear[]
  ComputedPercent?: number | undefined
}> {
  if (end <= from) return { Series: [], Carbon: [] }
  return energy.series(tenant, {
    HomeID,
    From: startOfDay(from, TimeZone),
    To: startOfDay(end, TimeZone),
    Resolution,
    Compare: false,
    By,
    Flow: 'consumption',
  })
}

/** Last year up to that of the report whose carbon factor should have been published but is unknown, as a part of the report. */
export async function missingFactor(
  { missingFactorOf }: Pick<ReportPorts, 'missingFactorOf'>,
  { db, tenant, Period, now }: ReportQuery,
): Promise<{ MissingFactor?: number }> {
  const year = await missingFactorOf(db, tenant, now)
  return year !== null && year <= Number(Period.slice(0, 4)) ? { MissingFactor: year } : {}
}
