import {
  type ComparedWith,
  MAX_ANSWER_POINTS,
  MAX_SERIES_METERS,
  type meterData,
} from '../../../../contract/energy/meter-data-calls.ts'
import type { Periods } from '../../../../contract/tariffs/energy-totals.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { Db } from '../../../kernel/db.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { sourceSeries, type BalanceEnergy, siteBalance } from '../balance/site-balance.ts'
import { groupMeters, type MeterGroups, restrictToRange } from '../meters/meter-groups.ts'
import {
  compareWithFallback,
  comparisonsOf,
  comparedRange,
  extentOf,
  fallbackOf,
  limitExceeded,
  wholePeriods,
} from '../query/ranges.ts'
import {
  carbonFactorsOf,
  computedPart,
  ensureHomeFresh,
  type HomeContext,
  inSnapshot,
  type QueryDeps,
  type TimeRange,
  metersOfFlows,
} from '../query/context.ts'
import { computeHomeSeries, type HomeSeriesQuery, type Series, computeKwh } from '../query/series.ts'
import { countReporting } from '../query/readings.ts'
import { resolveMeters } from '../query/resolve-meters.ts'
import { type Term, TERMS } from '../../../../contract/devices/meter-roles.ts'

type Call = (typeof meterData)['getEnergySeries']

/** Input of the call, of which other callers may omit what has a default. */
export type SeriesInput = Omit<InputOf<Call>, 'Flow' | 'Compare'> &
  Partial<Pick<InputOf<Call>, 'Flow' | 'Compare'>>

/** GetEnergySeries. Errors: INVALID, NOT_FOUND. */
export async function getSeries(
  deps: QueryDeps,
  tenant: string,
  input: SeriesInput,
): Promise<ResultsOf<Call>> {
  const context = await deps.openHome(tenant, input.HomeID)
  const { zone } = context.home
  const groups = await requestedGroups(deps.db, context, input)
  const queryOf = (range: TimeRange): RangeQuery => {
    const periods = wholePeriods({ ...range, Resolution: input.Resolution }, zone)
    return { range, periods, groups: groupsWithin(input, groups, periods) }
  }
  const own = queryOf(input)
  const compare = input.Compare === true ? 'previous' : input.Compare || null
  const fallback = fallbackOf(input, zone)
  const rangeOf = (one: ComparedWith) => comparedRange(input, one, zone)
  const others = compare ? comparisonsOf(compare, fallback).map(rangeOf) : []
  const isFresh = await ensureHomeFresh(deps, context, groups.meters, [input, ...others])
  return inSnapshot(deps.db, async (tx) => {
    const read = async (query: RangeQuery) => ({
      ...query,
      series: await readSeries(deps, tx, context, input, query),
    })
    const { series } = await read(own)
    const compared =
      compare && (await compareWithFallback(compare, fallback, (one) => read(queryOf(rangeOf(one)))))
    const extents = [own, ...(compared ? [compared] : [])].map(({ periods }) => extentOf(periods))
    return {
      Series: series,
      ...(compared && {
        Compared: {
          With: compared.With,
          From: compared.range.From,
          To: compared.range.To,
          Series: compared.series,
        },
      }),
      Meters: await countReporting(tx, own.groups.meters, deps.clock.now()),
      ...(isFresh ? {} : await computedPart(tx, deps.clock, context.home, own.groups.meters, extents)),
      Carbon: carbonFactorsOf(context, extents),
    }
  })
}

/** A range of the call: its whole periods, and the groups that have meters in it. */
interface RangeQuery {
  range: TimeRange
  periods: Periods
  groups: MeterGroups
}

async function readSeries(
  deps: QueryDeps,
  tx: Db,
  context: HomeContext,
  { By, Resolution }: Pick<SeriesInput, 'By' | 'Resolution'>,
  { groups, periods }: RangeQuery,
): Promise<Series[]> {
  const series = await computeHomeSeries(deps, tx, context, {
    ...{ groups, resolution: Resolution, periods, byBand: By === 'band' },
  })
  if (By !== 'source') return series
  const { tenant, home, flows } = context
  const key = { tenant, HomeID: home.HomeID }
  return sourceSeries(tx, key, { periods, zone: home.zone, flows }, series[0]?.Points ?? [])
}

/** Resolves the groups that a series is requested for. Errors: INVALID, NOT_FOUND. */
async function requestedGroups(
  db: Db,
  { tenant, home, meters, flows, groupsBy }: HomeContext,
  { By, Flow = 'consumption', PeripheralUIDs }: SeriesInput,
): Promise<MeterGroups> {
  const by = By === 'band' || By === 'source' ? 'home' : By
  if (Flow !== 'consumption' && (by !== 'home' || By === 'source' || PeripheralUIDs))
    throw new GatewayError('INVALID', 'Only the consumption is divided', { Flow: 'invalid' })
  if (By === 'source' && PeripheralUIDs)
    throw new GatewayError('INVALID', 'Only the home as a whole has sources', { PeripheralUIDs: 'invalid' })
  if (!PeripheralUIDs) return by === 'home' ? flows.of[Flow] : groupsBy(by)
  const requested = await resolveMeters(db, { tenant, HomeID: home.HomeID }, meters, PeripheralUIDs)
  return groupMeters(requested, by, home.zone)
}

/** Restricts the groups to a range; requested meters and the home keep their line even without energy. Errors: INVALID. */
function groupsWithin(
  { By, PeripheralUIDs }: Pick<SeriesInput, 'By' | 'PeripheralUIDs'>,
  groups: MeterGroups,
  periods: Periods,
): MeterGroups {
  const isWhole =
    By === 'home' || By === 'band' || By === 'source' || (PeripheralUIDs && By !== 'room' && By !== 'use')
  const lines = isWhole ? groups : restrictToRange(groups, periods.starts[0] as number, periods.end)
  if (
    lines.keys.length > MAX_SERIES_METERS + 1 ||
    lines.keys.length * periods.starts.length > MAX_ANSWER_POINTS
  )
    throw limitExceeded(MAX_ANSWER_POINTS)
  return lines
}

type BalanceCall = (typeof meterData)['getEnergyBalance']
export type BalanceInput = InputOf<BalanceCall>

/** GetEnergyBalance. Errors: INVALID, NOT_FOUND. */
export async function getBalance(
  deps: QueryDeps,
  tenant: string,
  input: BalanceInput,
): Promise<ResultsOf<BalanceCall>> {
  const { db, clock } = deps
  const context = await deps.openHome(tenant, input.HomeID)
  const { home, flows, sold } = context
  const periods = wholePeriods(input, home.zone)
  const extents = [extentOf(periods)]
  const isFresh = await ensureHomeFresh(deps, context, sold.meters, extents)
  const meters = [...new Set([...metersOfFlows(flows), ...sold.meters])]
  return inSnapshot(db, async (tx) => {
    const energy = await readBalanceEnergy(deps, tx, context, { resolution: input.Resolution, periods })
    const key = { tenant, HomeID: home.HomeID }
    return {
      ...(await siteBalance(tx, key, { periods, zone: home.zone, flows }, energy)),
      Meters: await countReporting(tx, meters, clock.now()),
      ...(isFresh ? {} : await computedPart(tx, clock, home, meters, extents)),
      Carbon: carbonFactorsOf(context, extents),
    }
  })
}

async function readBalanceEnergy(
  deps: QueryDeps,
  tx: Db,
  context: HomeContext,
  scope: Pick<HomeSeriesQuery, 'resolution' | 'periods'>,
): Promise<BalanceEnergy> {
  const { tenant, home, flows, sold } = context
  const key = { tenant, HomeID: home.HomeID }
  const kwhOf = (groups: MeterGroups) =>
    computeKwh(tx, deps.sumCache, { groups, ...scope, key, zone: home.zone, now: deps.clock.now() })
  const groups = flows.of.consumption
  const [series] = groups.meters.length
    ? await computeHomeSeries(deps, tx, context, { groups, ...scope, isUnpaid: true })
    : []
  const terms = new Map<Term, (number | null)[]>()
  for (const term of TERMS) if (flows.of[term].meters.length) terms.set(term, await kwhOf(flows.of[term]))
  return {
    consumption: series?.Points ?? [],
    terms,
    sold: sold.meters.length ? await kwhOf(sold) : undefined,
  }
}
