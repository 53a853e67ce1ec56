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
const BAR_GAP_SHARE = 0.12

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
  const heads = new Map<string, { positive: number; negative: number }>()
  for (const bar of bars) {
    const { times, values, estimated } = bar
    const stack = stackOf(bar)
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
      if (!head) heads.set(key, (head = { positive: 0, negative: 0 }))
      const foot = value < 0 ? head.negative : head.positive
      if (value < 0) head.negative += value
      else head.positive += value
      const share = (width * (1 - 2 * BAR_GAP_SHARE)) / stacks.length
      const from = start + width * BAR_GAP_SHARE + column * share
      pieces.push({
        series: bar,
        place,
        from,
        to: from + share,
        foot,
        head: foot + value,
        estimated: estimated?.[place] ?? 0,
        unfinished: start <= now && now < end && bar.isFaint !== true,
      })
    }
  }
  return pieces
}

/** Missing share (0..1) of each bar in view that is not `isFaint`, by the first ms of its period. */
function knownBars({ series }: ChartModel, view: ChartView): Map<number, number> {
  const known = new Map<number, number>()
  for (const { draw, isFaint, times, values, missing } of series) {
    if (draw !== 'bars' || isFaint) continue
    for (let i = Math.max(0, lowerBound(times, view.from) - 1); i < times.length; i++) {
      const start = times[i] as number
      if (start >= view.to) break
      if (values[i] !== null && values[i] !== undefined)
        known.set(start, Math.max(known.get(start) ?? 0, missing?.[i] ?? 0))
    }
  }
  return known
}

/** Included periods in view of the bars that are not `isFaint`; adjacent periods are merged. */
function spansOf(
  { series, resolution, zone }: ChartModel,
  view: ChartView,
  isIncluded: (period: ChartView) => boolean,
): ChartView[] {
  const spans: ChartView[] = []
  const { times } = series.find(({ draw, isFaint }) => draw === 'bars' && !isFaint) ?? { times: [] }
  for (let i = Math.max(0, lowerBound(times, view.from) - 1); i < times.length; i++) {
    const from = times[i] as number
    if (from >= view.to) break
    const to = Math.min(nextStart(resolution, from, zone), times[i + 1] ?? Infinity)
    if (to <= view.from || !isIncluded({ from, to })) continue
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
): { min: number; max: number } | undefined {
  let [min, max] = [Infinity, -Infinity]
  const axisSeries = model.series.filter((series) => (series.axis ?? 0) === axis)
  for (const { draw, times, values, low, high } of axisSeries) {
    if (draw === 'bars') continue
    const last = Math.min(times.length, lowerBound(times, view.to) + 1)
    for (let i = Math.max(0, lowerBound(times, view.from) - 1); i < last; i++) {
      const value = values[i]
      const lower = low?.[i] ?? value
      const upper = high?.[i] ?? value
      if (typeof lower === 'number' && lower < min) min = lower
      if (typeof upper === 'number' && upper > max) max = upper
    }
  }
  for (const { head, foot } of barPieces({ ...model, series: axisSeries }, view)) {
    min = Math.min(min, head, foot)
    max = Math.max(max, head, foot)
  }
  return min <= max ? { min, max } : undefined
}

/**
 * Range of an axis: padded with round values, including zero if required.
 *
 * special  0 to 1 without values; padded around a single value
 */
export function axisRange(
  bounds: { min: number; max: number } | undefined,
  fromZero: boolean,
): [number, number] {
  if (!bounds) return [0, 1]
  let { min, max } = bounds
  if (fromZero) [min, max] = [Math.min(0, min), Math.max(0, max)]
  if (min === max) {
    const air = Math.abs(max) * 0.1 || 1
    return fromZero ? [Math.min(0, min - (min < 0 ? air : 0)), max + air] : [min - air, max + air]
  }
  const air = (max - min) * 0.08
  return [fromZero && min === 0 ? 0 : min - air, fromZero && max === 0 ? 0 : max + air]
}
