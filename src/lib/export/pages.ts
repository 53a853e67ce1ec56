import { startsBetween, type Resolution } from '../../../contract/time/periods.ts'

/** Points per response, far below the gateway's maximum, so that parsing a page never blocks the screen. */
const PAGE_POINTS = 1_000

/** Range of one call: some meters over a part of the time range. */
export interface ExportChunk {
  /** Indexes of the meters in the plan; several only if their whole range fits into one response. */
  meters: number[]
  from: number
  /** Exclusive. */
  to: number
}

/**
 * Calls that fetch the energy of meters over a range, meter by meter, each within the limit of a response.
 *
 * maxPoints  maximum number of points per response, all its meters together
 */
export function energyPages(
  meters: number,
  range: { from: number; to: number },
  resolution: Resolution,
  zone: string,
  maxPoints = PAGE_POINTS,
): ExportChunk[] {
  const starts = startsBetween(resolution, range.from, range.to, zone)
  if (starts.length === 0) return []
  if (starts.length * 2 > maxPoints) {
    const spans: [number, number][] = []
    for (let at = 0; at < starts.length; at += maxPoints)
      spans.push([at === 0 ? range.from : (starts[at] as number), starts[at + maxPoints] ?? range.to])
    return Array.from({ length: meters }, (_, meter) => meter).flatMap((meter) =>
      spans.map(([from, to]) => ({ meters: [meter], from, to })),
    )
  }
  const metersPerPage = Math.floor(maxPoints / starts.length)
  return Array.from({ length: Math.ceil(meters / metersPerPage) }, (_, page) => ({
    meters: Array.from(
      { length: Math.min(metersPerPage, meters - page * metersPerPage) },
      (__, place) => page * metersPerPage + place,
    ),
    ...range,
  }))
}

/** Raw readings are fetched meter by meter; the gateway's cursor continues within the range. */
export const readingPages = (meters: number, range: { from: number; to: number }): ExportChunk[] =>
  Array.from({ length: meters }, (_, meter) => ({ meters: [meter], ...range }))
