import {
  type ComparedWith,
  type ComparisonResult,
  type meterData,
  PERIOD_TYPES,
  type PeriodType,
} from '../../../../contract/energy/meter-data-calls.ts'
import { calendarAdjusted } from '../../../../contract/energy/calendar-adjusted.ts'
import { type Periods, periodsBetween } from '../../../../contract/tariffs/energy-totals.ts'
import { dayTypeOf } from '../../../../contract/tariffs/tariff-terms.ts'
import { dayOf, nextStart } from '../../../../contract/time/periods.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { groupMeters } from '../meters/meter-groups.ts'
import {
  compareWithFallback,
  comparisonsOf,
  assertTimestamp,
  comparedPeriodOf,
  comparedWith,
  extentOf,
  periodOf,
  RESOLUTIONS,
} from '../query/ranges.ts'
import {
  carbonFactorsOf,
  computedPart,
  ensureHomeFresh,
  type HomeContext,
  inSnapshot,
  type QueryDeps,
} from '../query/context.ts'
import { computeHomeSeries, type Series } from '../query/series.ts'
import { countReporting } from '../query/readings.ts'
import { resolveMeters } from '../query/resolve-meters.ts'

type Call = (typeof meterData)['getAggregationSummationData']

/**
 * §7 GetAggregationSummationData: for each meter in turn the requested range, then the range compared with it. Errors: INVALID, NOT_FOUND.
 */
export async function getAggregation(
  deps: QueryDeps,
  tenant: string,
  { HomeID, PeriodType: type, Timestamp, Compare, PeripheralUIDs }: InputOf<Call>,
): Promise<ResultsOf<Call>> {
  const { db, clock } = deps
  const context = await deps.openHome(tenant, HomeID)
  const { home, meters, flows } = context
  const timestamp = assertTimestamp('Timestamp', Timestamp ?? clock.now())
  const groups = PeripheralUIDs
    ? groupMeters(await resolveMeters(db, { tenant, HomeID }, meters, PeripheralUIDs), 'meter', home.zone)
    : flows.of.consumption
  const resolution = RESOLUTIONS[type]
  const periodsIn = ([from, to]: readonly [number, number]): Periods =>
    periodsBetween(resolution, from, to, home.zone)
  const own = periodsIn(periodOf(type, timestamp, home.zone))
  const compare = comparedWith(type, Compare)
  const fallback = type === PERIOD_TYPES.hourly ? 'weekBefore' : 'previous'
  const comparedPeriods = (one: ComparedWith) => periodsIn(comparedPeriodOf(type, timestamp, one, home.zone))
  const others = compare ? comparisonsOf(compare, fallback).map(comparedPeriods) : []
  const isFresh = await ensureHomeFresh(deps, context, groups.meters, [own, ...others].map(extentOf))
  return inSnapshot(db, async (tx) => {
    const read = async (periods: Periods): Promise<PeriodSeries> => ({
      periods,
      series: await computeHomeSeries(deps, tx, context, { groups, resolution, periods }),
    })
    const period = await read(own)
    const compared =
      compare && (await compareWithFallback(compare, fallback, (one) => read(comparedPeriods(one))))
    const answered = [period, ...(compared ? [compared] : [])]
    const extents = answered.map(({ periods }) => extentOf(periods))
    return {
      AggregationDataList: groups.keys.flatMap((key, line) =>
        answered.map(({ periods: { starts, end }, series }) => ({
          TimeStart: starts[0] as number,
          TimeEnd: end,
          PeripheralUID: key === '' ? null : key,
          AggregationData: series[line]?.Points ?? [],
        })),
      ),
      Compared: compared && {
        With: compared.With,
        Adjusted: adjustedOf(type, context, period, compared, clock.now()),
      },
      Meters: await countReporting(tx, groups.meters, clock.now()),
      ...(isFresh ? {} : await computedPart(tx, clock, home, groups.meters, extents)),
      Carbon: carbonFactorsOf(context, extents),
    }
  })
}

/** Periods with the series of each line. */
interface PeriodSeries {
  periods: Periods
  series: readonly Series[]
}

/**
 * Energy of a month converted to the calendar of the other month, for each line; empty for other period types.
 *
 * now  a running month counts only the days that have ended
 */
function adjustedOf(
  type: PeriodType,
  { home: { zone }, pricing }: Pick<HomeContext, 'home' | 'pricing'>,
  period: PeriodSeries,
  compared: PeriodSeries,
  now: number,
): ComparisonResult['Adjusted'] {
  if (type !== PERIOD_TYPES.daily) return []
  const typeOf = (timestamp: number) => dayTypeOf(dayOf(timestamp, zone), pricing.offPeakDays)
  return period.series.map(({ Key, Points }, line) => {
    const ended = Points.filter(({ Timestamp }) => nextStart('day', Timestamp, zone) <= now)
    const days = calendarAdjusted(ended, compared.series[line]?.Points ?? [], typeOf)
    const isWhole = days.length > 0 && days.every(({ kWh }) => kWh !== null)
    return {
      PeripheralUID: Key === '' ? null : Key,
      kWh: isWhole ? Math.round(days.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0) * 1e9) / 1e9 : null,
    }
  })
}
