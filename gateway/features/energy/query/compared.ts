import {
  type ComparisonResult,
  PERIOD_TYPES,
  type PeriodType,
} from '../../../../contract/energy/meter-data-calls.ts'
import { calendarAdjusted } from '../../../../contract/energy/calendar-adjusted.ts'
import type { Periods } from '../../../../contract/tariffs/energy-totals.ts'
import { nextStart, dayOf } from '../../../../contract/time/periods.ts'
import { dayTypeOf } from '../../../../contract/tariffs/tariff-terms.ts'
import type { Series } from './compute-series.ts'
import type { HomeContext } from './home-context.ts'

/** Periods with the series of each line. */
export interface PeriodSeries {
  periods: Periods
  series: readonly Series[]
}

/** Whether any energy is known. */
export const isKnown = (series: readonly Series[]): boolean =>
  series.some(({ Points }) => Points.some(({ kWh }) => kWh !== null))

/**
 * Energy of a month converted to the calendar of the other month, for each line; empty for other period types.
 *
 * now  a running month counts only the days that have ended
 */
export function adjustedOf(
  type: PeriodType,
  { home: { zone }, pricing }: Pick<HomeContext, 'home' | 'pricing'>,
  asked: PeriodSeries,
  compared: PeriodSeries,
  now: number,
): ComparisonResult['Adjusted'] {
  if (type !== PERIOD_TYPES.daily) return []
  const typeOf = (timestamp: number) => dayTypeOf(dayOf(timestamp, zone), pricing.offPeakDays)
  return asked.series.map(({ Key, Points }, line) => {
    const ended = Points.filter(({ Timestamp }) => nextStart('day', Timestamp, zone) <= now)
    const days = calendarAdjusted(ended, compared.series[line]?.Points ?? [], typeOf)
    const isWhole = days.length > 0 && days.every(({ kWh }) => kWh !== null)
    return {
      PeripheralUID: Key === '' ? null : Key,
      kWh: isWhole ? Math.round(days.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0) * 1e9) / 1e9 : null,
    }
  })
}
