import type { RowsPage } from '../../data/records.ts'

/** A column of an exported list: `of` returns its value of a row, `at` a time in epoch ms; null for an empty cell. */
export type ListColumn<Row> = { title: string } & (
  { of: (row: Row) => string | number | null } | { at: (row: Row) => number | null }
)

/** All rows of a list, or a function that fetches a page of the filtered list, at most 500 rows each. */
export type ExportedRows<Row> =
  readonly Row[] | ((cursor: string | undefined, signal: AbortSignal) => Promise<RowsPage<Row>>)
