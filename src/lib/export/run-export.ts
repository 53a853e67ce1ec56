import type { Rows } from './table.ts'
import type { ExportFile, ExportWriter } from './writer.ts'
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

/** A fetched part of a page: rows by index of the meter, and the cursor of the next part, if any. */
export interface FetchedRows {
  rows: { meter: number; rows: Rows }[]
  count: number
  next: number | null
}

export interface ExportProgress {
  rows: number
  percent: number
}

export interface ExportRunOptions {
  pages: readonly ExportChunk[]
  /** Fetches a page, from `cursor` on if it is not null. */
  fetchPage: (page: ExportChunk, cursor: number | null) => Promise<FetchedRows>
  writer: ExportWriter
  onProgress: (progress: ExportProgress) => void
  /** Whether to retry after this error; any other error stops the export at once. */
  mayRetry: (error: unknown) => boolean
  wait: (milliseconds: number) => Promise<void>
}

/** A part could not be fetched after all retries: no file was saved, and `resume` continues with this part. */
export class ExportStopped extends Error {
  readonly page: ExportChunk
  /** Start of the missing data, epoch ms. */
  readonly from: number

  constructor(page: ExportChunk, from: number, cause: unknown) {
    super('A part of the data could not be fetched', { cause })
    this.name = 'ExportStopped'
    this.page = page
    this.from = from
  }
}

const MAX_ATTEMPTS = 4
const RETRY_DELAY_MS = 1_000

/**
 * Fetches all pages in order and passes them to the writer. The file is created only if nothing is missing.
 *
 * errors  ExportStopped, after which `resume` may be called again. Errors of the writer end the export.
 */
export function createExportRun(options: ExportRunOptions): { resume(): Promise<ExportFile> } {
  const { pages, writer } = options
  let index = 0
  let cursor: number | null = null
  let rows = 0

  async function fetch(page: ExportChunk): Promise<FetchedRows> {
    for (let attempt = 1; ; attempt++)
      try {
        return await options.fetchPage(page, cursor)
      } catch (error) {
        if (!options.mayRetry(error) || attempt >= MAX_ATTEMPTS)
          throw new ExportStopped(page, cursor ?? page.from, error)
        await options.wait(RETRY_DELAY_MS * 2 ** (attempt - 1))
      }
  }

  return {
    async resume() {
      for (; index < pages.length; index++, cursor = null) {
        const page = pages[index] as ExportChunk
        do {
          const fetched = await fetch(page)
          for (const chunk of fetched.rows) await writer.add(chunk.meter, chunk.rows)
          rows += fetched.count
          cursor = fetched.next
          const fraction = cursor === null ? 1 : (cursor - page.from) / (page.to - page.from)
          options.onProgress({ rows, percent: Math.floor(((index + fraction) / pages.length) * 100) })
        } while (cursor !== null)
      }
      return writer.end()
    },
  }
}
