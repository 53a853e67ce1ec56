import type { ExportChunk } from './pages.ts'
import type { Rows } from './table.ts'
import type { ExportFile, ExportWriter } from './writer.ts'

/** Part of a page: rows by the meter's place, and where to go on when there is more. */
export interface FetchedRows {
  rows: { meter: number; rows: Rows }[]
  /** How many rows these are. */
  count: number
  next: number | null
}

export interface ExportProgress {
  rows: number
  percent: number
}

export interface ExportRunOptions {
  pages: readonly ExportChunk[]
  /** Fetches a page, from `cursor` on where it is not null. */
  fetchPage: (page: ExportChunk, cursor: number | null) => Promise<FetchedRows>
  writer: ExportWriter
  onProgress: (progress: ExportProgress) => void
  /** Whether to ask again after this failure; everything else stops the export at once. */
  mayRetry: (error: unknown) => boolean
  /** Waits so many ms. */
  wait: (milliseconds: number) => Promise<void>
}

/** A part could not be fetched, after all retries: nothing was saved, and `resume` goes on with this very part. */
export class ExportStopped extends Error {
  readonly page: ExportChunk
  /** The first moment that is missing. */
  readonly from: number

  constructor(page: ExportChunk, from: number, cause: unknown) {
    super('A part of the data could not be fetched', { cause })
    this.name = 'ExportStopped'
    this.page = page
    this.from = from
  }
}

const TRIES = 4
const PAUSE = 1_000

/**
 * Fetches every page in order and hands it to the writer. The file is made only when nothing is missing.
 *
 * errors  ExportStopped; then `resume` may be called again. Errors of the writer end the export.
 */
export function createExportRun(options: ExportRunOptions): { resume(): Promise<ExportFile> } {
  const { pages, writer } = options
  let index = 0
  let cursor: number | null = null
  let rows = 0

  async function fetch(page: ExportChunk): Promise<FetchedRows> {
    for (let tried = 1; ; tried++)
      try {
        return await options.fetchPage(page, cursor)
      } catch (error) {
        if (!options.mayRetry(error) || tried >= TRIES)
          throw new ExportStopped(page, cursor ?? page.from, error)
        await options.wait(PAUSE * 2 ** (tried - 1))
      }
  }

  return {
    async resume() {
      for (; index < pages.length; index++, cursor = null) {
        const page = pages[index] as ExportChunk
        do {
          const fetched = await fetch(page)
          for (const each of fetched.rows) await writer.add(each.meter, each.rows)
          rows += fetched.count
          cursor = fetched.next
          const within = cursor === null ? 1 : (cursor - page.from) / (page.to - page.from)
          options.onProgress({ rows, percent: Math.floor(((index + within) / pages.length) * 100) })
        } while (cursor !== null)
      }
      return writer.end()
    },
  }
}
