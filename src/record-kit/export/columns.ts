import type { Page } from '../list/records.ts'

/** A column of an exported list: what it says of a row, or at which moment (epoch ms); null for nothing. */
export type ListColumn<Row> = { title: string } & (
  { of: (row: Row) => string | number | null } | { at: (row: Row) => number | null }
)

/** All rows of a list, or how a page of them is fetched: the filtered list, at most 500 rows a page. */
export type ExportedRows<Row> =
  readonly Row[] | ((cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>)
