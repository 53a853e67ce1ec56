import type { ReactNode } from 'react'

/** A column of a list: by field name, or one that draws itself. */
export interface ListTableColumn<Row> {
  /** What the column choice and the address call it. */
  key: string
  /** `resources.<name>.fields.<key>` when left out. */
  title?: string
  render?: (row: Row) => ReactNode
  /** What it searches by and a row is called; what the record has under its key when left out. */
  text?: (row: Row) => string | number
  /** What it sorts and saves by, such as a date by ISO 8601; its text when left out. */
  value?: (row: Row) => string | number
  /** What the gateway calls this order, where it pages the list and can sort by it. */
  sort?: string
  /** Width in px, and its share of what is left; a part of it may be lost where lines wrap. */
  width?: number
  /** Least width in px, where it is more than what lines that wrap leave of its width. */
  least?: number
  /** That a list which is too narrow for all columns does without it, 1 first. */
  leaves?: number
}

/** A column with its heading. */
export type TitledColumn<Row> = ListTableColumn<Row> & { title: string }

/** What a row has in a column. */
export const textOf = <Row extends object>(column: ListTableColumn<Row>, row: Row): string | number =>
  column.text?.(row) ?? String((row as Record<string, unknown>)[column.key] ?? '')

/** What a row is sorted by and saved with in a column. */
export const columnValueOf = <Row extends object>(column: ListTableColumn<Row>, row: Row): string | number =>
  column.value?.(row) ?? textOf(column, row)

/** What a column shows of a row. */
export const cellOf = <Row extends object>(column: ListTableColumn<Row>, row: Row): ReactNode =>
  column.render ? column.render(row) : textOf(column, row)
