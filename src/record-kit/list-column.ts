import type { ReactNode } from 'react'

/** A column by field name, or one that draws itself. `text` is what it sorts and searches by. */
export interface Column<Row> {
  key: string
  title?: string
  render?: (row: Row) => ReactNode
  text?: (row: Row) => string | number
}

/** What a row has in a column, to sort, search and save by. */
export const textOf = <Row extends object>(column: Column<Row>, row: Row): string | number =>
  column.text?.(row) ?? String((row as Record<string, unknown>)[column.key] ?? '')

/** What a column shows of a row. */
export const cellOf = <Row extends object>(column: Column<Row>, row: Row): ReactNode =>
  column.render ? column.render(row) : textOf(column, row)
