import { nextStart, startOf, type Resolution } from '../../../contract/time/periods.ts'
import type { ChartView } from './model.ts'

/** Fewer periods, or less time, than this is not zoomed to. */
const LEAST_BARS = 2
const LEAST_MS = 60_000

interface Whole {
  from: number
  to: number
  zone: string
  /** What a bar stands for; undefined without bars. */
  bars: Resolution | undefined
}

/**
 * What a chart shows when a part of its time is asked for.
 *
 * returns  within the whole; of bars whole ones only, and at least two; undefined where less than a minute would be left, or
 *          nothing
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

/** A part of time as it stands in the address: `1759276800000..1759291200000`, epoch ms, the second exclusive. */
export const formatZoom = ({ from, to }: ChartView): string => `${Math.floor(from)}..${Math.ceil(to)}`

/** The part of a period that the address asks for; undefined for what is none, or not within the period. */
export function parseZoom(text: string, { from, to }: ChartView): ChartView | undefined {
  if (!/^\d{1,15}\.\.\d{1,15}$/.test(text)) return undefined
  const [first, last] = text.split('..').map(Number) as [number, number]
  return fitView({ from: first, to: last }, { from, to, zone: 'UTC', bars: undefined })
}
