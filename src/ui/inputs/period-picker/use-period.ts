import { useMemo } from 'react'
import { dayOf } from '../../../../contract/time/periods.ts'
import type { ChartView } from '../../chart/model.ts'
import { putParam, useAddressParams } from '../../page/use-address.ts'
import type { ChartZoom } from '../../chart/time-chart.tsx'
import { formatZoom, parseZoom } from '../../chart/zoom.ts'
import {
  comparedInstead,
  comparedRange,
  comparisonsOf,
  formatDates,
  formatRange,
  hourNow,
  LAST_24H,
  periodOfChoice,
  resolvePeriod,
  usualComparison,
  type PeriodComparison,
  type DayRange,
  type Period,
  type PeriodChoice,
  type Preset,
} from './period.ts'

export interface ChosenPeriod {
  value: PeriodChoice
  onChange: (next: PeriodChoice) => void
  period: Period
  /** The compared period, if any. */
  compared: Period | undefined
  /** Replacement if there is no data for `compared`. */
  alternative: Period | undefined
  /** Visible part of the period in its chart. */
  zoom: ChartZoom
}

/** Comparison from an address, if the period supports it; the default one if absent. */
export function comparisonIn(text: string | null, days: DayRange): PeriodComparison {
  if (text === 'lastYearWeekday' && !comparisonsOf(days).includes(text)) return 'lastYear'
  return comparisonsOf(days).find((comparison) => comparison === text) ?? usualComparison(days)
}

/** A period of whole days, its compared period, and the replacement if that has no data. */
function periodsOf(
  days: DayRange,
  compare: PeriodComparison,
  zone: string,
): Pick<ChosenPeriod, 'period' | 'compared' | 'alternative'> {
  const before = comparedRange(days, compare)
  const alternative = comparedInstead(days, compare)
  return {
    period: periodOfChoice(days, zone),
    compared: before && periodOfChoice(before, zone),
    alternative: alternative && periodOfChoice(alternative, zone),
  }
}

/** Periods that `usePeriod` would read from an address, for prefetching before the page exists. */
export function periodsIn(params: URLSearchParams, zone: string, now: number, fallback: Preset) {
  const { days } = resolvePeriod(params.get('range') ?? fallback, fallback, now, zone)
  return periodsOf(days, comparisonIn(params.get('compare'), days), zone)
}

/** Period from the address, e.g. `?range=2025-10&compare=lastYear&zoom=1759276800000..1759291200000`; `fallback` if it contains none. */
export function usePeriod(zone: string, now: number, fallback: Preset | typeof LAST_24H): ChosenPeriod {
  const { params, change: edit } = useAddressParams()
  const range = params.get('range') ?? fallback
  const resolved = resolvePeriod(range, fallback, now, zone)
  const compare = comparisonIn(params.get('compare'), resolved.days)
  const { first, last, unit, hour } = resolved.days
  // Stable while the days are the same, so that queries are not repeated at every tick of the clock.
  const { period, compared, alternative } = useMemo(
    () => periodsOf({ first, last, unit, ...(hour !== undefined && { hour }) }, compare, zone),
    [first, last, unit, hour, compare, zone],
  )
  const part = params.get('zoom')
  const view = useMemo(() => (part === null ? undefined : parseZoom(part, period)), [part, period])
  const change = (next: ChartView | undefined) =>
    edit((all) => {
      const at = fallback === LAST_24H ? hourNow(now, zone) : undefined
      // A preset moves with the calendar: a zoomed link would be outside of it tomorrow.
      all.set('range', next ? formatDates(resolved.days) : formatRange(resolved.days, dayOf(now, zone), at))
      putParam(all, 'zoom', next && formatZoom(next))
    }, 'typing')
  return {
    value: { range, compare },
    onChange: (next) =>
      edit((all) => {
        all.set('range', next.range)
        if (next.range !== range) all.delete('zoom')
        // Another period has its default comparison until the user chooses one.
        if (next.compare !== compare) all.set('compare', next.compare)
      }),
    period,
    compared,
    alternative,
    zoom: { view, change },
  }
}
