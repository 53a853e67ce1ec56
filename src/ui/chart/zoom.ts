import { nextStart, startOf, type Resolution } from '../../../contract/time/periods.ts'
import type { ChartView } from './model.ts'

/** Minimum number of periods, or time, of a zoom. */
const MIN_BARS = 2
const MIN_SPAN_MS = 60_000

interface FullRange {
  from: number
  to: number
  zone: string
  /** Period of a bar; undefined without bars. */
  bars: Resolution | undefined
}

/**
 * View that a chart shows for a requested part of its range.
 *
 * returns  within the whole range; for bars at least two whole ones; undefined if less than a minute, or nothing,
 *          would be left
 */
export function fitView(requested: ChartView, { from, to, zone, bars }: FullRange): ChartView | undefined {
  let [min, max] = [Math.max(from, requested.from), Math.min(to, requested.to)]
  if (max <= min) return undefined
  if (bars) {
    min = Math.max(from, startOf(bars, min, zone))
    max = Math.min(to, nextStart(bars, startOf(bars, max - 1, zone), zone))
    let end = min
    for (let i = 0; i < MIN_BARS; i++) end = nextStart(bars, end, zone)
    max = Math.min(to, Math.max(max, end))
  }
  return max - min < MIN_SPAN_MS ? undefined : { from: min, to: max }
}

/** Zoom in an address: `1759276800000..1759291200000`, epoch ms, the second exclusive. */
export const formatZoom = ({ from, to }: ChartView): string => `${Math.floor(from)}..${Math.ceil(to)}`

/** Zoom from an address; undefined if it is invalid, or outside the period. */
export function parseZoom(text: string, { from, to }: ChartView): ChartView | undefined {
  if (!/^\d{1,15}\.\.\d{1,15}$/.test(text)) return undefined
  const [first, last] = text.split('..').map(Number) as [number, number]
  return fitView({ from: first, to: last }, { from, to, zone: 'UTC', bars: undefined })
}
