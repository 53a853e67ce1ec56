import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ListTableColumn } from '../../../src/record-kit/list/column.ts'
import { useOrderedRows } from '../../../src/record-kit/use-records.ts'

interface Bill {
  from: string
  shown: string
}

const bills: Bill[] = [
  { from: '2026-11-01', shown: 'Nov 1, 2026' },
  { from: '2026-02-01', shown: 'Feb 1, 2026' },
  { from: '2026-09-01', shown: 'Sep 1, 2026' },
]
const columns: ListTableColumn<Bill>[] = [
  { key: 'from', text: ({ shown }) => shown, value: ({ from }) => from },
]
const ordered = (search: string, Descending = false) =>
  renderHook(() => useOrderedRows(bills, columns, search, { Sort: 'from', Descending })).result.current.map(
    ({ shown }) => shown,
  )

it('sorts rows by the value of a column and not by its text', () => {
  expect(ordered('')).toEqual(['Feb 1, 2026', 'Sep 1, 2026', 'Nov 1, 2026'])
  expect(ordered('', true)).toEqual(['Nov 1, 2026', 'Sep 1, 2026', 'Feb 1, 2026'])
})

it('finds rows by the text of a column', () => {
  expect(ordered('sep 1')).toEqual(['Sep 1, 2026'])
  expect(ordered('2026-09')).toEqual([])
})
