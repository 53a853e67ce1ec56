import type { ReactNode } from 'react'
import type { Choice } from '../ui/table/use-choice.ts'
import type { Column } from './list-column.ts'

/** What a list draws of its records, as a table or as cards. */
export interface RecordLines<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  titleOf: (column: Column<Row>) => string
  rowKey: (row: Row) => string
  /** The buttons to edit and delete a record; undefined where nobody may. */
  actions: ((row: Row) => ReactNode) | undefined
  /** Beside those. */
  moreActions: ((row: Row) => ReactNode) | undefined
  onOpen: ((row: Row) => void) | undefined
  /** How several are chosen; undefined where nothing can be done with several at once. */
  choosing: { choice: Choice; tick: (row: Row) => ReactNode } | undefined
}
