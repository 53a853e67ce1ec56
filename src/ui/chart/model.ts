import type { Resolution } from '../../../contract/time/periods.ts'
import type { SeriesColor } from './energy-colors.ts'

/** Figures by moment; null where there is none: nothing is not zero. */
export type Figures = ArrayLike<number | null>

/** One line, or one sort of bar, of a chart. */
export interface TimeSeries {
  key: string
  label: string
  color: SeriesColor
  draw: 'line' | 'steps' | 'bars'
  /** 0 the left axis, 1 the right one. */
  axis?: 0 | 1
  /** Ascending epoch ms; of bars the first ms of each period. Series of the same moments share the array. */
  times: ArrayLike<number>
  values: Figures
  /** What a mean hides: the least and the greatest value around each moment, drawn as a shade behind a line. */
  low?: Figures
  high?: Figures
  /** Bars of one stack stand on each other, those of different stacks side by side. */
  stack?: string
  /** 0..1 of each bar was estimated: so much of it is hatched. */
  estimated?: ArrayLike<number>
  /** 0..1 of each bar was shared between two readings of a meter on time. */
  between?: ArrayLike<number>
  /** 0..1 of each bar's time, as far as it has passed, of which nothing is known: more was used than the bar says. */
  missing?: ArrayLike<number>
  /** Drawn behind the others, e.g. the period that is compared with; takes no part in sums and shares. */
  faint?: boolean
  /** From how long without a value, in ms, a line is broken. */
  gapMs?: number
  /** Further figures of each moment for the tooltip, by the columns' keys. */
  figures?: Readonly<Record<string, Figures>>
  /** The moment a value of a compared period belongs to, where it stands elsewhere. */
  trueTimes?: ArrayLike<number>
}

export interface ChartAxis {
  unit: string
  /** Energy has a zero that must be seen. */
  fromZero?: boolean
  /** Beside the axis, where the next tick is a step away. */
  format: (value: number, step?: number) => string
  /** In the tooltip and the table; left out where it is as beside the axis. */
  formatValue?: (value: number) => string
}

/** How a value of an axis is said. */
export const valueWords = ({ format, formatValue = format }: ChartAxis, value: number): string =>
  formatValue(value)

/** A further figure of each series in the tooltip. */
export interface ChartColumn {
  key: string
  label: string
  format: (value: number) => string
}

/** A row of coloured spans under the chart, e.g. the bands of a tariff or the states of a switch. */
export interface ChartStrip {
  key: string
  label: string
  /** Its name is written above it even when it is the only one. */
  named?: boolean
  spans: readonly ChartSpan[]
}
export interface ChartSpan {
  from: number
  /** Exclusive. */
  to: number
  color: SeriesColor
  label: string
  /** Nobody could know what it was: it is hatched, as a gap of a line is. */
  unknown?: boolean
}

export interface ChartModel {
  /** The clock on the home's walls: every tick and every word about time follows it. */
  zone: string
  /** All that can be seen, epoch ms, `to` exclusive. */
  from: number
  to: number
  /** What a bar stands for; without bars, 'quarter'. */
  resolution: Resolution
  axes: readonly [ChartAxis] | readonly [ChartAxis, ChartAxis]
  series: readonly TimeSeries[]
  /** The bar this moment lies in is not finished. */
  now: number
}

/** The part of a chart's time that is in view. */
export interface ChartView {
  from: number
  to: number
}

/** Where the pointer is: a place among the moments, and px from the left of the plot. */
export interface HoveredPoint {
  place: number
  x: number
}

/** Where the plot lies in its chart: px from either side, and how wide the chart is. */
export interface Inset {
  left: number
  right: number
  width: number
}

/** How many of ascending moments are before `at`. */
export function lowerBound(times: ArrayLike<number>, at: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Every moment at which a series has a place, ascending, each once; one series' own array where all share it. */
export function momentsOf(series: readonly TimeSeries[]): ArrayLike<number> {
  const [first, ...others] = new Set(series.map(({ times }) => times))
  if (!first) return []
  if (others.length === 0) return first
  const all = new Set<number>(Array.from(first))
  for (const times of others) for (let i = 0; i < times.length; i++) all.add(times[i] as number)
  return Float64Array.from(all).sort()
}

/**
 * The place of a series' value at a moment: its own there, else the last one before it that still holds.
 *
 * returns  -1 where there is none: before the first, or longer after it than the series' gap
 */
export function pixelAt({ times, draw, gapMs = 0 }: TimeSeries, at: number): number {
  const place = lowerBound(times, at + 1) - 1
  const found = times[place]
  if (found === undefined) return -1
  if (found === at || draw === 'steps') return place
  return draw === 'line' && at - found <= gapMs ? place : -1
}
