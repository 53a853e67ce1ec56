import type { ReactNode } from 'react'
import { TickAll } from './tick.tsx'
import type { Choice } from './use-choice.ts'

/**
 * The column of a table by which lines are chosen, for its `rowSelection`.
 *
 * allWords  of the box in the head, for who cannot see it
 * tick      the box of a line
 */
export const choiceColumn = <Row,>(choice: Choice, allWords: string, tick: (row: Row) => ReactNode) => ({
  selectedRowKeys: [...choice.chosen],
  columnWidth: 48,
  columnTitle: (
    <TickAll chosen={choice.chosen} of={choice.of} toggleAll={choice.toggleAll} allWords={allWords} />
  ),
  renderCell: (_: unknown, row: Row) => tick(row),
})
