/** The rows of a list as far as they have come, whoever pages it. */
export interface Records<Row> {
  /** Undefined while the first have not come. */
  rows: readonly Row[] | undefined
  /** How many there are in all. */
  total: number | undefined
  error: unknown
  /** Fetches more; undefined when all have come. */
  more: (() => void) | undefined
  fetchingMore: boolean
  /** Rows of other filters stand in while these are fetched. */
  standsIn: boolean
  retry: () => void
  /** Of a list that pages: says which row is the last that a change has fetched again; those behind it come by scrolling. */
  keepTo?: (row: number) => void
}

export interface Page<Row> {
  Rows: Row[]
  NextCursor: string | null
  Total: number
}

/** Fetches a page of a list as it is filtered and sorted: the first one without a cursor. */
export type LoadPage<Row> = (
  asked: { Cursor?: string; Limit?: number },
  signal: AbortSignal,
) => Promise<Page<Row>>

/** The rows of several pages in their order, each once: one that was moved on between two pages comes twice. */
export function rowsOfPages<Row>(pages: readonly (readonly Row[])[], keyOf: (row: Row) => string): Row[] {
  const seen = new Set<string>()
  return pages.flat().filter((row) => {
    const key = keyOf(row)
    return !seen.has(key) && seen.add(key)
  })
}
