import { type CarbonReport, CLOSED_COMPLETE, type ReportGap } from '../../../contract/reports/calls.ts'
import { type EnergyPoint, leastComputed } from '../../../contract/energy/meter-data-calls.ts'
import { completeShare } from '../../../contract/energy/coverage.ts'
import {
  dayOf,
  firstDayOf,
  formatDay,
  formatMonth,
  monthOf,
  startOfMonth,
} from '../../../contract/time/periods.ts'
import {
  type ReportQuery,
  missingFactor,
  companyName,
  type ReportedSite,
  addCoverage,
  addKnown,
  correctedShare,
  isDue,
} from './report-query.ts'
import type { ReportPorts } from './ports.ts'

type Site = CarbonReport['Sites'][number]
type Coverage = EnergyPoint['Coverage']

/** Figures of a period: purchase × factor of the year. */
const figuresOf = (kWh: number | null, factor: number, coverage: Coverage) => ({
  kWh,
  Complete: completeShare(coverage),
  Corrected: correctedShare(coverage),
  CarbonKg: kWh === null ? null : kWh * factor,
})

/**
 * Scope 2 report of a year by the location-based method: purchase of each site × factor of the year. Generation and sold energy are
 * excluded.
 *
 * first  first month of the year
 */
export async function carbonReport(
  ports: ReportPorts,
  query: ReportQuery,
  first: number,
): Promise<CarbonReport> {
  const { db, tenant, HomeID, Period, Language, sites, now } = query
  const Factor = await ports.readCarbonFactor(db, tenant, Math.floor(first / 12))
  const Sites: Site[] = []
  const coverages: Coverage[] = []
  const percents: (number | undefined)[] = []
  for (const site of sites) {
    const { points, percent } = await readYear(ports, tenant, site, first, now)
    percents.push(percent)
    const coverage = addCoverage(points.map((point) => point.Coverage))
    coverages.push(coverage)
    const firstDay = await ports.energy.readFirstDay(tenant, { HomeID: site.HomeID, zone: site.TimeZone })
    const figures = figuresOf(addKnown(points.map(({ kWh }) => kWh)), Factor.Factor, coverage)
    Sites.push({
      ...site,
      Since: firstDay !== undefined && firstDay > firstDayOf(first) ? formatDay(firstDay) : null,
      ...figures,
      Complete: figures.Complete * meteredShare(first, firstDay, dayOf(now, site.TimeZone)),
      Months: points.map((point, i) => ({
        Month: formatMonth(first + i),
        IsMetered: isDue(point.Coverage),
        ...figuresOf(point.kWh, Factor.Factor, point.Coverage),
      })),
    })
  }
  const isOver = sites.every(({ TimeZone }) => now >= startOfMonth(first + 12, TimeZone))
  const computedPercent = leastComputed(percents)
  const Lacks = lacksOf(Sites, isOver, Factor.Source === 'latest', computedPercent)
  return {
    Kind: 'carbon',
    Period,
    Language,
    HomeID,
    Company: await companyName(db, tenant),
    AsOf: now,
    ...(computedPercent !== undefined && { ComputedPercent: computedPercent }),
    ...(await missingFactor(ports, query)),
    Method: 'location',
    Factor,
    ...figuresOf(addKnown(Sites.map(({ kWh }) => kWh)), Factor.Factor, addCoverage(coverages)),
    Complete: Sites.length ? Sites.reduce((sum, { Complete }) => sum + Complete, 0) / Sites.length : 0,
    Sites,
    Lacks,
    IsProvisional: Lacks.length > 0,
    Closed: null,
  }
}

/** Share of the elapsed part of a year from the first day with data on: the time before a meter is as unknown as a gap. */
function meteredShare(first: number, firstDay: number | undefined, today: number): number {
  const [from, end] = [firstDayOf(first), Math.min(firstDayOf(first + 12), today + 1)]
  if (firstDay === undefined || end <= from) return 0
  return Math.max(0, end - Math.max(from, firstDay)) / (end - from)
}

/** Purchase of a site in each month of a year up to now. */
async function readYear(
  { energy }: ReportPorts,
  tenant: string,
  { HomeID, TimeZone }: ReportedSite,
  first: number,
  now: number,
): Promise<{ points: EnergyPoint[]; percent: number | undefined }> {
  const end = Math.min(first + 12, monthOf(now, TimeZone) + 1)
  if (end <= first) return { points: [], percent: undefined }
  const { Series, ComputedPercent: percent } = await energy.series(tenant, {
    HomeID,
    From: startOfMonth(first, TimeZone),
    To: startOfMonth(end, TimeZone),
    Compare: false,
    Resolution: 'month',
    By: 'home',
    Flow: 'import',
  })
  return { points: Series[0]?.Points ?? [], percent }
}

/** Gaps that prevent closing a year. A month before the first reading is no gap: the report states that there was no meter. */
function lacksOf(
  sites: readonly Site[],
  isOver: boolean,
  isLatest: boolean,
  computedPercent: number | undefined,
): ReportGap[] {
  const whole = { HomeID: null, Month: null, Have: null }
  const months = sites.flatMap(({ HomeID, Months }) => Months.map((month) => ({ HomeID, ...month })))
  const metered = months.filter((month) => month.IsMetered)
  return [
    ...(isOver ? [] : [{ Reason: 'notOver' as const, ...whole }]),
    ...(computedPercent === undefined
      ? []
      : [{ Reason: 'computing' as const, ...whole, Have: computedPercent / 100 }]),
    ...(metered.length ? [] : [{ Reason: 'noData' as const, ...whole }]),
    ...(isLatest ? [{ Reason: 'factor' as const, ...whole }] : []),
    ...metered
      .filter(({ Complete }) => Complete < CLOSED_COMPLETE)
      .map(({ HomeID, Month, Complete }) => ({ Reason: 'coverage' as const, HomeID, Month, Have: Complete })),
  ]
}
