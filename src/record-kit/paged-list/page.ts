import type { ReactNode } from 'react'

export interface PagedColumn<Row> {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** What the gateway calls this order, where it can sort by it. */
  sort?: string
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
