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
  /** What it is compared with, if anything. */
  compared: Period | undefined
  /** What it is compared with where nothing is known of that. */
  instead: Period | undefined
  /** The part of the period that its chart shows. */
  zoom: ChartZoom
}

/** The comparison that stands in the address, as far as the period has it; the usual one where there is none. */
export function comparisonIn(text: string | null, days: DayRange): PeriodComparison {
  if (text === 'lastYearWeekday' && !comparisonsOf(days).includes(text)) return 'lastYear'
  return comparisonsOf(days).find((one) => one === text) ?? usualComparison(days)
}

/** Where neither the address nor the page says another. */
const USUAL = 'today' satisfies Preset

/** A period of whole days, what it is compared with, and with what where nothing is known of that. */
function periodsOf(
  days: DayRange,
  compare: PeriodComparison,
  zone: string,
): Pick<ChosenPeriod, 'period' | 'compared' | 'instead'> {
  const before = comparedRange(days, compare)
  const other = comparedInstead(days, compare)
  return {
    period: periodOfChoice(days, zone),
    compared: before && periodOfChoice(before, zone),
    instead: other && periodOfChoice(other, zone),
  }
}

/** What `usePeriod` finds in an address, for who asks before there is a page. */
export function periodsIn(params: URLSearchParams, zone: string, now: number) {
  const { days } = resolvePeriod(params.get('range') ?? USUAL, USUAL, now, zone)
  return periodsOf(days, comparisonIn(params.get('compare'), days), zone)
}

/**
 * The period as it stands in the address, e.g. `?range=2025-10&compare=lastYear&zoom=1759276800000..1759291200000`; `fallback`
 * while it holds none.
 */
export function usePeriod(
  zone: string,
  now: number,
  fallback: Preset | typeof LAST_24H = USUAL,
): ChosenPeriod {
  const { params, change: edit } = useAddressParams()
  const range = params.get('range') ?? fallback
  const found = resolvePeriod(range, fallback, now, zone)
  const compare = comparisonIn(params.get('compare'), found.days)
  const { first, last, unit, hour } = found.days
  // The same periods as long as their days are: what is asked with them is not asked again at every tick of the clock.
  const { period, compared, instead } = useMemo(
    () => periodsOf({ first, last, unit, ...(hour !== undefined && { hour }) }, compare, zone),
    [first, last, unit, hour, compare, zone],
  )
  const part = params.get('zoom')
  const view = useMemo(() => (part === null ? undefined : parseZoom(part, period)), [part, period])
  const change = (next: ChartView | undefined) =>
    edit((all) => {
      const at = fallback === LAST_24H ? hourNow(now, zone) : undefined
      // A preset moves with the calendar: a link to a part of it would lead beside it tomorrow.
      all.set('range', next ? formatDates(found.days) : formatRange(found.days, dayOf(now, zone), at))
      putParam(all, 'zoom', next && formatZoom(next))
    }, 'typing')
  return {
    value: { range, compare },
    onChange: (next) =>
      edit((all) => {
        all.set('range', next.range)
        if (next.range !== range) all.delete('zoom')
        // Another period is compared as usual until somebody chooses.
        if (next.compare !== compare) all.set('compare', next.compare)
      }),
    period,
    compared,
    instead,
    zoom: { view, change },
  }
}
