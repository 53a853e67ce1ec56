import { nextStart } from '../../../contract/time/periods.ts'
import { lowerBound, type ChartModel, type TimeSeries, type ChartView } from './model.ts'
import { isPartly } from './partly.ts'

/** Part of a bar in the coordinates of the chart. */
export interface BarPiece {
  series: TimeSeries
  /** Index in the series. */
  place: number
  /** Epoch ms of the left and right edge, without the neighbouring bars of other stacks. */
  from: number
  to: number
  /** Values at the start and the end of the piece; for a negative value `head` is below `foot`. */
  foot: number
  head: number
  /** Estimated share, 0..1. */
  estimated: number
  unfinished: boolean
}

/** Share of a period's width that stays free on either side of its bars. */
const MARGIN = 0.12

/** Stacks of a chart in the order of the series; drawn side by side in each period. */
const stacksOf = (series: readonly TimeSeries[]): string[] => [
  ...new Set(series.filter(({ draw }) => draw === 'bars').map(stackOf)),
]
const stackOf = ({ stack, key }: TimeSeries): string => stack ?? key

/** Pieces of all bars in view: positive values are stacked upwards, negative values downwards. */
export function barPieces({ series, resolution, zone, now }: ChartModel, view: ChartView): BarPiece[] {
  const bars = series.filter(({ draw }) => draw === 'bars')
  const stacks = stacksOf(bars)
  const pieces: BarPiece[] = []
  const heads = new Map<string, { up: number; down: number }>()
  for (const one of bars) {
    const { times, values, estimated } = one
    const stack = stackOf(one)
    const column = stacks.indexOf(stack)
    const first = Math.max(0, lowerBound(times, view.from) - 1)
    for (let place = first; place < times.length; place++) {
      const start = times[place] as number
      if (start >= view.to) break
      const value = values[place]
      if (value === null || value === undefined) continue
      const next = times[place + 1]
      const end = nextStart(resolution, start, zone)
      const width = Math.min(end, next ?? end) - start
      const key = `${stack} ${start}`
      let head = heads.get(key)
      if (!head) heads.set(key, (head = { up: 0, down: 0 }))
      const foot = value < 0 ? head.down : head.up
      if (value < 0) head.down += value
      else head.up += value
      const share = (width * (1 - 2 * MARGIN)) / stacks.length
      const from = start + width * MARGIN + column * share
      pieces.push({
        series: one,
        place,
        from,
        to: from + share,
        foot,
        head: foot + value,
        estimated: estimated?.[place] ?? 0,
        unfinished: start <= now && now < end && one.faint !== true,
      })
    }
  }
  return pieces
}

/** Missing share (0..1) of each bar in view that is not `faint`, by the first ms of its period. */
function knownBars({ series }: ChartModel, view: ChartView): Map<number, number> {
  const known = new Map<number, number>()
  for (const { draw, faint, times, values, missing } of series) {
    if (draw !== 'bars' || faint) continue
    for (let i = Math.max(0, lowerBound(times, view.from) - 1); i < times.length; i++) {
      const start = times[i] as number
      if (start >= view.to) break
      if (values[i] !== null && values[i] !== undefined)
        known.set(start, Math.max(known.get(start) ?? 0, missing?.[i] ?? 0))
    }
  }
  return known
}

/** Wanted periods in view of the bars that are not `faint`; adjacent periods are merged. */
function spansOf(
  { series, resolution, zone }: ChartModel,
  view: ChartView,
  wanted: (period: ChartView) => boolean,
): ChartView[] {
  const spans: ChartView[] = []
  const { times } = series.find(({ draw, faint }) => draw === 'bars' && !faint) ?? { times: [] }
  for (let i = Math.max(0, lowerBound(times, view.from) - 1); i < times.length; i++) {
    const from = times[i] as number
    if (from >= view.to) break
    const to = Math.min(nextStart(resolution, from, zone), times[i + 1] ?? Infinity)
    if (to <= view.from || !wanted({ from, to })) continue
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  return spans
}

/** Past times in view without a bar, adjacent ones merged: unknown consumption is not zero. */
export function missingSpans(model: ChartModel, view: ChartView): ChartView[] {
  const known = knownBars(model, view)
  return spansOf(model, view, ({ from, to }) => to <= model.now && !known.has(from))
}

/** Times in view whose bars are only partly known, adjacent ones merged: actual consumption is higher than shown. */
export function partlySpans(model: ChartModel, view: ChartView): ChartView[] {
  const known = knownBars(model, view)
  return spansOf(model, view, (period) => isPartly(known.get(period.from) ?? 0, period, model.now))
}

/**
 * Minimum and maximum value of one axis in view.
 *
 * returns  undefined if the axis has no value in view
 */
export function extent(
  model: ChartModel,
  axis: 0 | 1,
  view: ChartView,
): { least: number; most: number } | undefined {
  let [least, most] = [Infinity, -Infinity]
  const on = model.series.filter((one) => (one.axis ?? 0) === axis)
  for (const { draw, times, values, low, high } of on) {
    if (draw === 'bars') continue
    const last = Math.min(times.length, lowerBound(times, view.to) + 1)
    for (let i = Math.max(0, lowerBound(times, view.from) - 1); i < last; i++) {
      const value = values[i]
      const under = low?.[i] ?? value
      const over = high?.[i] ?? value
      if (typeof under === 'number' && under < least) least = under
      if (typeof over === 'number' && over > most) most = over
    }
  }
  for (const { head, foot } of barPieces({ ...model, series: on }, view)) {
    least = Math.min(least, head, foot)
    most = Math.max(most, head, foot)
  }
  return least <= most ? { least, most } : undefined
}

/**
 * Range of an axis: padded with round values, including zero if required.
 *
 * special  0 to 1 without values; padded around a single value
 */
export function axisRange(
  found: { least: number; most: number } | undefined,
  fromZero: boolean,
): [number, number] {
  if (!found) return [0, 1]
  let { least, most } = found
  if (fromZero) [least, most] = [Math.min(0, least), Math.max(0, most)]
  if (least === most) {
    const air = Math.abs(most) * 0.1 || 1
    return fromZero ? [Math.min(0, least - (least < 0 ? air : 0)), most + air] : [least - air, most + air]
  }
  const air = (most - least) * 0.08
  return [fromZero && least === 0 ? 0 : least - air, fromZero && most === 0 ? 0 : most + air]
}
