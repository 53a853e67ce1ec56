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
    (common, line) => (common.length > 0 ? intersectSpans(common, gapsOf(line, passed)) : common),
    gapsOf(first, passed),
  )
}

/** Intervals without a value of one line that are longer than its `gapMs`, including those at the edges of the view. */
function gapsOf({ draw, times, values, gapMs }: TimeSeries, { from, to }: ChartView): ChartView[] {
  if (draw !== 'line' || gapMs === undefined) return []
  const gaps: ChartView[] = []
  let before = from
  const endGap = (at: number) => {
    if (at - before > gapMs) gaps.push({ from: Math.max(from, before), to: Math.min(at, to) })
    before = at
  }
  for (let i = Math.max(0, lowerBound(times, from) - 1); i < times.length; i++) {
    const at = times[i] as number
    if (typeof values[i] !== 'number') continue
    if (at <= from) before = at
    else endGap(at)
    if (at >= to) return gaps
  }
  endGap(to)
  return gaps
}

/** Intersection of two ascending lists of spans. */
function intersectSpans(first: readonly ChartView[], second: readonly ChartView[]): ChartView[] {
  const intersection: ChartView[] = []
  let i = 0
  let j = 0
  for (;;) {
    const [firstSpan, secondSpan] = [first[i], second[j]]
    if (!firstSpan || !secondSpan) return intersection
    const [from, to] = [Math.max(firstSpan.from, secondSpan.from), Math.min(firstSpan.to, secondSpan.to)]
    if (from < to) intersection.push({ from, to })
    if (firstSpan.to < secondSpan.to) i++
    else j++
  }
}
