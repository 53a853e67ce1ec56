import type { ReactNode } from 'react'

/** A column of a list: by field name, or with a renderer. */
export interface ListTableColumn<Row> {
  /** Name of the column in the column menu and the address. */
  key: string
  /** Defaults to `resources.<name>.fields.<key>`. */
  title?: string
  render?: (row: Row) => ReactNode
  /** Text for the search and the name of a row; defaults to the record's field `key`. */
  text?: (row: Row) => string | number
  /** Value for sorting and exports, such as an ISO 8601 date; defaults to the text. */
  value?: (row: Row) => string | number
  /** Name of this sort order in the gateway's call, for a paged list that supports it. */
  sort?: string
  /** Width in px, and proportion of the remaining space; may shrink partly if text wraps. */
  width?: number
  /** Minimum width in px, if it exceeds that of wrapped text. */
  minWidth?: number
  /** Place on a phone, where a row is its name above a line of facts: that line begins with it. */
  onPhone?: 'first'
  /** Order in which a list that is too narrow omits columns, 1 first. */
  omitOrder?: number
}

export type TitledColumn<Row> = ListTableColumn<Row> & { title: string }

export const textOf = <Row extends object>(column: ListTableColumn<Row>, row: Row): string | number =>
  column.text?.(row) ?? String((row as Record<string, unknown>)[column.key] ?? '')

/** Value of a row in a column for sorting and exports. */
export const columnValueOf = <Row extends object>(column: ListTableColumn<Row>, row: Row): string | number =>
  column.value?.(row) ?? textOf(column, row)

export const cellOf = <Row extends object>(column: ListTableColumn<Row>, row: Row): ReactNode =>
  column.render ? column.render(row) : textOf(column, row)
