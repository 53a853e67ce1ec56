import { lowerBound, type ChartModel, type TimeSeries, type ChartView } from './model.ts'

/**
 * Past times in view in which no line of a chart has a value: between values, before the first and after the last.
 *
 * special  empty if a series is drawn as bars or has no `gapMs`
 */
export function gapSpans({ series, now }: ChartModel, view: ChartView): ChartView[] {
  const passed = { from: view.from, to: Math.min(view.to, now) }
  const [first, ...others] = series
  if (!first || passed.to <= passed.from) return []
  return others.reduce(
    (common, line) => (common.length > 0 ? inBoth(common, gapsOf(line, passed)) : common),
    gapsOf(first, passed),
  )
}

/** Intervals without a value of one line that are longer than its `gapMs`, including those at the edges of the view. */
function gapsOf({ draw, times, values, gapMs }: TimeSeries, { from, to }: ChartView): ChartView[] {
  if (draw !== 'line' || gapMs === undefined) return []
  const gaps: ChartView[] = []
  let before = from
  const reach = (at: number) => {
    if (at - before > gapMs) gaps.push({ from: Math.max(from, before), to: Math.min(at, to) })
    before = at
  }
  for (let i = Math.max(0, lowerBound(times, from) - 1); i < times.length; i++) {
    const at = times[i] as number
    if (typeof values[i] !== 'number') continue
    if (at <= from) before = at
    else reach(at)
    if (at >= to) return gaps
  }
  reach(to)
  return gaps
}

/** Intersection of two ascending lists of spans. */
function inBoth(some: readonly ChartView[], others: readonly ChartView[]): ChartView[] {
  const both: ChartView[] = []
  let i = 0
  let j = 0
  for (;;) {
    const [one, other] = [some[i], others[j]]
    if (!one || !other) return both
    const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)]
    if (from < to) both.push({ from, to })
    if (one.to < other.to) i++
    else j++
  }
}
