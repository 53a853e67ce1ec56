import { startsBetween, type Resolution } from '../../../contract/time/periods.ts'

/** Points of one answer, far below what the gateway allows: reading a page of them never keeps the screen waiting. */
const PAGE_POINTS = 1_000

/** What one call fetches: some meters over a part of the range. */
export interface ExportChunk {
  /** Places of the meters in the plan; several only where their whole range fits into one answer. */
  meters: number[]
  from: number
  /** Exclusive. */
  to: number
}

/**
 * The calls that fetch the energy of some meters over a range, meter after meter; none asks for more than an answer may hold.
 *
 * most  points of one answer, all its meters together
 */
export function energyPages(
  meters: number,
  range: { from: number; to: number },
  resolution: Resolution,
  zone: string,
  most = PAGE_POINTS,
): ExportChunk[] {
  const starts = startsBetween(resolution, range.from, range.to, zone)
  if (starts.length === 0) return []
  if (starts.length * 2 > most) {
    const spans: [number, number][] = []
    for (let at = 0; at < starts.length; at += most)
      spans.push([at === 0 ? range.from : (starts[at] as number), starts[at + most] ?? range.to])
    return Array.from({ length: meters }, (_, meter) => meter).flatMap((meter) =>
      spans.map(([from, to]) => ({ meters: [meter], from, to })),
    )
  }
  const together = Math.floor(most / starts.length)
  return Array.from({ length: Math.ceil(meters / together) }, (_, page) => ({
    meters: Array.from(
      { length: Math.min(together, meters - page * together) },
      (__, place) => page * together + place,
    ),
    ...range,
  }))
}

/** Raw readings are asked for meter by meter; a page's own cursor goes through the range. */
export const readingPages = (meters: number, range: { from: number; to: number }): ExportChunk[] =>
  Array.from({ length: meters }, (_, meter) => ({ meters: [meter], ...range }))
