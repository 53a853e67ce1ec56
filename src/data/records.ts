/** Rows of a list fetched so far, independent of their source. */
export interface Records<Row> {
  /** Undefined until the first page has been fetched. */
  rows: readonly Row[] | undefined
  /** Total number of rows. */
  total: number | undefined
  error: unknown
  /** Fetches more rows; undefined if all have been fetched. */
  loadMore: (() => void) | undefined
  fetchingMore: boolean
  /** The rows of the previous filters are shown while new ones are fetched. */
  isPlaceholder: boolean
  retry: () => void
  /** For a paged list: sets the last row that is refetched after a change; later rows are fetched by scrolling. */
  trimTo?: (row: number) => void
}

export interface RowsPage<Row> {
  Rows: Row[]
  NextCursor: string | null
  Total: number
}

/** Fetches a page of the filtered and sorted list; the first page without a cursor. */
export type LoadPage<Row> = (
  page: { Cursor?: string; Limit?: number },
  signal: AbortSignal,
) => Promise<RowsPage<Row>>

/** Rows of several pages in order, without duplicates: a row that moves between two requests is returned twice. */
export function rowsOfPages<Row>(pages: readonly (readonly Row[])[], keyOf: (row: Row) => string): Row[] {
  const seen = new Set<string>()
  return pages.flat().filter((row) => {
    const key = keyOf(row)
    return !seen.has(key) && seen.add(key)
  })
}
