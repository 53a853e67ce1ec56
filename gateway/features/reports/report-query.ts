import type {
  EnergyPoint,
  EnergySeries,
  meterData,
  Coverage,
} from '../../../contract/energy/meter-data-calls.ts'
import type { InputOf } from '../../../contract/kernel/define-endpoint.ts'
import type { Language } from '../../../contract/kernel/scalars.ts'
import type { CarbonFactorOfYear } from '../../../contract/tariffs/carbon.ts'
import { startOfDay, dayOf, firstDayOf, monthOf } from '../../../contract/time/periods.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { ReportKind, ComparedFigure } from '../../../contract/reports/calls.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { completeShare, knownIntervals, percentageOf } from '../../../contract/energy/coverage.ts'
import type { ReportPorts } from './ports.ts'

const NO_COVERAGE: Coverage = {
  Measured: 0,
  Between: 0,
  Estimated: 0,
  Corrected: 0,
  Missing: 0,
  Withheld: 0,
}

/** Sums of some points; null if unknown. */
export interface ReportSums {
  kWh: number | null
  /** Also null if a known point has no price. */
  Cost: number | null
  CarbonKg: number | null
  coverage: Coverage
  resets: number
  /** Number of periods, and number of those that a meter should have reported: nothing is missing before the first one. */
  periods: number
  due: number
}

export const NO_SUMS: ReportSums = {
  kWh: null,
  Cost: null,
  CarbonKg: null,
  coverage: NO_COVERAGE,
  resets: 0,
  periods: 0,
  due: 0,
}

/** Sum of the known values; null if there are none. */
export const addKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length ? known.reduce((sum, one) => sum + one, 0) : null
}

const isPriced = (points: readonly Pick<EnergyPoint, 'kWh' | 'Cost'>[]): boolean =>
  points.every(({ kWh, Cost }) => kWh === null || Cost !== null)

export const addCoverage = (all: readonly Coverage[]): Coverage => {
  const sum = { ...NO_COVERAGE }
  for (const one of all) for (const key of Object.keys(sum) as (keyof Coverage)[]) sum[key] += one[key]
  return sum
}

export function sumOf(points: readonly EnergyPoint[]): ReportSums {
  return {
    kWh: addKnown(points.map(({ kWh }) => kWh)),
    Cost: isPriced(points) ? addKnown(points.map(({ Cost }) => Cost)) : null,
    CarbonKg: addKnown(points.map(({ CarbonKg }) => CarbonKg)),
    coverage: addCoverage(points.map(({ Coverage }) => Coverage)),
    resets: points.reduce((sum, { Resets }) => sum + Resets, 0),
    periods: points.length,
    due: points.filter(({ Coverage }) => isDue(Coverage)).length,
  }
}

/** Sums over several homes. */
export const addSums = (all: readonly ReportSums[]): ReportSums => ({
  kWh: addKnown(all.map(({ kWh }) => kWh)),
  Cost: isPriced(all) ? addKnown(all.map(({ Cost }) => Cost)) : null,
  CarbonKg: addKnown(all.map(({ CarbonKg }) => CarbonKg)),
  coverage: addCoverage(all.map(({ coverage }) => coverage)),
  resets: all.reduce((sum, { resets }) => sum + resets, 0),
  periods: all.reduce((sum, { periods }) => sum + periods, 0),
  due: all.reduce((sum, { due }) => sum + due, 0),
})

/** Whether a meter should have reported the period by now. */
export const isDue = (coverage: Coverage): boolean => knownIntervals(coverage) + coverage.Missing > 0

/** Complete share of all periods: days before the first meter count as unknown, although nothing is missing from them. */
const completeOf = ({ coverage, periods, due }: ReportSums): number =>
  periods === 0 ? 0 : (completeShare(coverage) * due) / periods

/** Share of the time that was entered by a person or an import, 0 to 1. */
export function correctedShare(coverage: Coverage): number {
  const due = knownIntervals(coverage) + coverage.Missing
  return due === 0 ? 0 : coverage.Corrected / due
}

/**
 * A figure with that of the previous year, and the change if both can be compared.
 *
 * isAlike  whether both cover the same sites
 */
function comparedFigure(
  Now: number | null,
  Before: number | null,
  complete: readonly [number, number],
  isAlike: boolean,
): ComparedFigure {
  const trend =
    Now === null || Before === null || Before <= 0 || !isAlike ? 'none' : percentageOf(...complete)
  return {
    Now,
    Before,
    Change: trend === 'none' ? null : (Now as number) / (Before as number) - 1,
    Said: trend,
  }
}

/** Figures of a period with those of the previous year. */
export function comparedSums(now: ReportSums, before: ReportSums, isAlike = true) {
  const complete = [completeOf(now), completeOf(before)] as const
  const figure = (of: 'kWh' | 'Cost' | 'CarbonKg') => comparedFigure(now[of], before[of], complete, isAlike)
  return {
    kWh: figure('kWh'),
    Cost: figure('Cost'),
    CarbonKg: figure('CarbonKg'),
    Complete: complete[0],
    CompleteBefore: complete[1],
  }
}

/** Day numbers (`dayOf`), `end` exclusive. */
interface MonthDays {
  from: number
  end: number
}

/** Used if there is no home. */
const DEFAULT_ZONE = 'Asia/Taipei'

/**
 * First month (`monthOf`) and number of months of a report.
 *
 * zones   of its homes: the period must have begun in one of them
 * errors  INVALID with `Period`: `invalid` if it does not match the kind of report, `future` if it has not begun
 */
export function monthsOf(
  kind: ReportKind,
  period: string,
  now: number,
  zones: readonly string[],
): { first: number; count: number } {
  const [year = 0, month] = period.split('-').map(Number)
  if ((kind === 'monthly') !== (month !== undefined))
    throw new GatewayError(
      'INVALID',
      'The period is a month of a monthly report, and a year of a carbon report',
      {
        Period: 'invalid',
      },
    )
  const first = year * 12 + (month ?? 1) - 1
  const latest = Math.max(
    ...[...zones, ...(zones.length ? [] : [DEFAULT_ZONE])].map((zone) => monthOf(now, zone)),
  )
  if (first > latest) throw new GatewayError('INVALID', 'The period has not begun', { Period: 'future' })
  return { first, count: kind === 'monthly' ? 1 : 12 }
}

/**
 * Ended days of a month, and as many of the same month of the previous year; all of its days if the month is over.
 *
 * returns  empty ranges if no day of the month has ended
 */
export function daysOfMonth(
  month: number,
  now: number,
  zone: string,
): { days: MonthDays; before: MonthDays; isOver: boolean } {
  const today = dayOf(now, zone)
  const days = { from: firstDayOf(month), end: Math.min(firstDayOf(month + 1), today) }
  const isOver = today >= firstDayOf(month + 1)
  const [from, whole] = [firstDayOf(month - 12), firstDayOf(month - 11)]
  const end = isOver ? whole : Math.min(whole, from + days.end - days.from)
  return {
    days: { from: days.from, end: Math.max(days.from, days.end) },
    before: { from, end: Math.max(from, end) },
    isOver,
  }
}

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
export async function readLines(
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
  { readMissingFactor }: Pick<ReportPorts, 'readMissingFactor'>,
  { db, tenant, Period, now }: ReportQuery,
): Promise<{ MissingFactor?: number }> {
  const year = await readMissingFactor(db, tenant, now)
  return year !== null && year <= Number(Period.slice(0, 4)) ? { MissingFactor: year } : {}
}

/** A home in a report. */
export interface ReportedSite {
  HomeID: string
  HomeName: string
  /** IANA. */
  TimeZone: string
}

/** Reads a home of a company, or with null all homes in order of name. Errors: NOT_FOUND. */
export async function readSites(db: Db, tenant: string, HomeID: string | null): Promise<ReportedSite[]> {
  const sites = await db.query<ReportedSite>(sql`
    select home_id as "HomeID", home_name as "HomeName", time_zone as "TimeZone" from homes
    where tenant = ${tenant} and (${HomeID}::text is null or home_id = ${HomeID}::text) order by lower(home_name), home_id`)
  if (HomeID !== null && sites.length === 0)
    throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  return sites
}

export async function companyName(db: Db, tenant: string): Promise<string> {
  const [company] = await db.query<{ name: string }>(
    sql`select company_name as name from companies where tenant = ${tenant}`,
  )
  return company?.name ?? ''
}

/** Names of the keys of a ranking: rooms, including deleted ones, and devices. */
export async function readNames(
  db: Db,
  tenant: string,
  HomeID: string,
): Promise<Record<'rooms' | 'machines', ReadonlyMap<string, string>>> {
  const rows = await db.query<{ of: 'rooms' | 'machines'; key: string; name: string }>(sql`
    select 'rooms' as of, room_id::text as key, room_name as name from ended_rooms
    where tenant = ${tenant} and home_id = ${HomeID}
    union all select 'rooms', room_id::text, room_name from rooms where tenant = ${tenant} and home_id = ${HomeID}
    union all select 'machines', peripheral_uid, coalesce(index_name, peripheral_name) from peripherals
    where tenant = ${tenant} and home_id = ${HomeID}`)
  const named = (of: string) =>
    new Map(rows.filter((row) => row.of === of).map(({ key, name }) => [key, name]))
  return { rooms: named('rooms'), machines: named('machines') }
}
