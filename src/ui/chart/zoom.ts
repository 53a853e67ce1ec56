import { nextStart, startOf, type Resolution } from '../../../contract/time/periods.ts'
import type { ChartView } from './model.ts'

/** Minimum number of periods, or time, of a zoom. */
const LEAST_BARS = 2
const LEAST_MS = 60_000

interface Whole {
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
export function fitView(wanted: ChartView, { from, to, zone, bars }: Whole): ChartView | undefined {
  let [least, most] = [Math.max(from, wanted.from), Math.min(to, wanted.to)]
  if (most <= least) return undefined
  if (bars) {
    least = Math.max(from, startOf(bars, least, zone))
    most = Math.min(to, nextStart(bars, startOf(bars, most - 1, zone), zone))
    let end = least
    for (let i = 0; i < LEAST_BARS; i++) end = nextStart(bars, end, zone)
    most = Math.min(to, Math.max(most, end))
  }
  return most - least < LEAST_MS ? undefined : { from: least, to: most }
}

/** Zoom in an address: `1759276800000..1759291200000`, epoch ms, the second exclusive. */
export const formatZoom = ({ from, to }: ChartView): string => `${Math.floor(from)}..${Math.ceil(to)}`

/** Zoom from an address; undefined if it is invalid, or outside the period. */
export function parseZoom(text: string, { from, to }: ChartView): ChartView | undefined {
  if (!/^\d{1,15}\.\.\d{1,15}$/.test(text)) return undefined
  const [first, last] = text.split('..').map(Number) as [number, number]
  return fitView({ from: first, to: last }, { from, to, zone: 'UTC', bars: undefined })
}
