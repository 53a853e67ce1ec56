import type { Resolution } from '../../../contract/time/periods.ts'
import type { SeriesColor } from './energy-colors.ts'

/** Figures by time; null if unknown, which is not zero. */
export type Figures = ArrayLike<number | null>

/** One line, or one kind of bar, of a chart. */
export interface TimeSeries {
  key: string
  label: string
  color: SeriesColor
  draw: 'line' | 'steps' | 'bars'
  /** 0 is the left axis, 1 the right one. */
  axis?: 0 | 1
  /** Ascending epoch ms; for bars the first ms of each period. Series with the same times share the array. */
  times: ArrayLike<number>
  values: Figures
  /** Minimum and maximum values that a mean hides, drawn as a shaded area behind the line. */
  low?: Figures
  high?: Figures
  /** Bars of the same stack are stacked, those of different stacks are side by side. */
  stack?: string
  /** Estimated share of each bar, 0..1, which is hatched. */
  estimated?: ArrayLike<number>
  /** Share of each bar, 0..1, that was distributed between two readings of a meter that reports on time. */
  between?: ArrayLike<number>
  /** Unknown share, 0..1, of the elapsed time of each bar: actual consumption is higher than shown. */
  missing?: ArrayLike<number>
  /** Drawn behind the others, e.g. the compared period; excluded from sums and shares. */
  isFaint?: boolean
  /** Time without a value, in ms, after which a line is broken. */
  gapMs?: number
  /** Further figures of each time for the tooltip, by column key. */
  figures?: Readonly<Record<string, Figures>>
  /** Actual times of the values of a compared period, which is drawn at other times. */
  trueTimes?: ArrayLike<number>
}

export interface ChartAxis {
  unit: string
  /** Whether the axis must include zero, as for energy. */
  fromZero?: boolean
  /** Formats a tick label; `step` is the distance to the next tick. */
  format: (value: number, step?: number) => string
  /** Formats a value in the tooltip and the table; defaults to `format`. */
  formatValue?: (value: number) => string
}

export const valueWords = ({ format, formatValue = format }: ChartAxis, value: number): string =>
  formatValue(value)

/** A further figure of each series in the tooltip. */
export interface ChartColumn {
  key: string
  label: string
  format: (value: number) => string
}

/** A row of coloured spans below the chart, e.g. the bands of a tariff or the states of a switch. */
export interface ChartStrip {
  key: string
  label: string
  /** Shows its name above the row even if it is the only one. */
  named?: boolean
  spans: readonly ChartSpan[]
}
export interface ChartSpan {
  from: number
  /** Exclusive. */
  to: number
  color: SeriesColor
  label: string
  /** State unknown; the span is hatched, as a gap of a line is. */
  unknown?: boolean
}

export interface ChartModel {
  /** Time zone of the home, used for every tick and time text. */
  zone: string
  /** Whole range of the chart, epoch ms, `to` exclusive. */
  from: number
  to: number
  /** Period of a bar; 'quarter' without bars. */
  resolution: Resolution
  axes: readonly [ChartAxis] | readonly [ChartAxis, ChartAxis]
  series: readonly TimeSeries[]
  /** The bar that contains this time is unfinished. */
  now: number
}

/** Visible part of a chart's range. */
export interface ChartView {
  from: number
  to: number
}

/** Pointer position: index among the times, and px from the left of the plot. */
export interface HoveredPoint {
  place: number
  x: number
}

/** Position of the plot in its chart: px from either side, and width of the chart. */
export interface Inset {
  left: number
  right: number
  width: number
}

/** Number of ascending times before `at`. */
export function lowerBound(times: ArrayLike<number>, at: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Distinct times of all series, ascending; the series' own array if all share it. */
export function momentsOf(series: readonly TimeSeries[]): ArrayLike<number> {
  const [first, ...otherTimes] = new Set(series.map(({ times }) => times))
  if (!first) return []
  if (otherTimes.length === 0) return first
  const all = new Set<number>(Array.from(first))
  for (const times of otherTimes) for (let i = 0; i < times.length; i++) all.add(times[i] as number)
  return Float64Array.from(all).sort()
}

/**
 * Index of a series' value at a time: the one at that time, else the last one before it that still applies.
 *
 * returns  -1 before the first value, or longer after the last than the series' gap
 */
export function pixelAt({ times, draw, gapMs = 0 }: TimeSeries, at: number): number {
  const place = lowerBound(times, at + 1) - 1
  const foundTime = times[place]
  if (foundTime === undefined) return -1
  if (foundTime === at || draw === 'steps') return place
  return draw === 'line' && at - foundTime <= gapMs ? place : -1
}
