import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useCallback, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { VirtualTable, type VirtualColumn } from '../../../src/ui/table/virtual-table.tsx'

interface Row {
  id: string
}
const rows: Row[] = Array.from({ length: 10_000 }, (_, i) => ({ id: `row ${i}` }))
const drawn = vi.fn()
const columns: VirtualColumn<Row>[] = [
  {
    key: 'id',
    title: 'Name',
    width: 100,
    order: 'ascending',
    render: ({ id }) => {
      drawn(id)
      return id
    },
  },
  { key: 'more', title: 'More', width: 100, render: () => 'more' },
]

const words = ({ id }: Row) => (id === 'row 1' ? undefined : `choose ${id}`)
const nothing = () => {}

function Shown({ open = nothing, sort = nothing }: { open?: () => void; sort?: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((id: string) => setChosen((now) => new Set([...now, id])), [])
  return (
    <VirtualTable
      rows={rows}
      height={480}
      columns={columns}
      keyOf={({ id }) => id}
      label="Rows"
      open={open}
      sort={sort}
      ticks={{
        selectedIds: chosen,
        of: rows.length,
        toggle,
        toggleAll: () => setChosen(new Set(rows.map(({ id }) => id))),
        allWords: 'all',
        labelOf: words,
      }}
    />
  )
}

describe('a table of ten thousand rows', () => {
  it('renders only the rows near the window, with the total number', () => {
    render(<Shown />)
    const table = screen.getByRole('table', { name: 'Rows' })
    expect(table.getAttribute('aria-rowcount')).toBe('10001')
    expect(screen.getAllByRole('row').length).toBeLessThan(30)
  })

  it('renders the rows it is scrolled to, with their position', () => {
    render(<Shown />)
    const table = screen.getByRole('table')
    fireEvent.scroll(table, { target: { scrollTop: 44 * 5000 } })
    const row = screen.getByText('row 5000').closest('[role=row]') as HTMLElement
    expect(row.getAttribute('aria-rowindex')).toBe('5002')
    expect(screen.queryByText('row 0')).toBeNull()
  })

  it('renders only new rows when it is scrolled by one', () => {
    render(<Shown />)
    const table = screen.getByRole('table')
    fireEvent.scroll(table, { target: { scrollTop: 44 * 100 } })
    drawn.mockClear()
    fireEvent.scroll(table, { target: { scrollTop: 44 * 101 } })
    expect(drawn.mock.calls.length).toBeLessThanOrEqual(2)
  })

  it('renders only the selected row again', async () => {
    render(<Shown />)
    const box = screen.getByRole('checkbox', { name: 'choose row 3' })
    drawn.mockClear()
    await userEvent.click(box)
    expect((box as HTMLInputElement).checked).toBe(true)
    expect(new Set(drawn.mock.calls.map(([id]) => id as string))).toEqual(new Set(['row 3']))
    expect((screen.getByRole('checkbox', { name: 'all' }) as HTMLInputElement).indeterminate).toBe(true)
  })

  it('selects by the space bar without opening a row', async () => {
    const open = vi.fn()
    render(<Shown open={open} />)
    screen.getByRole('checkbox', { name: 'choose row 2' }).focus()
    await userEvent.keyboard(' ')
    expect((screen.getByRole('checkbox', { name: 'choose row 2' }) as HTMLInputElement).checked).toBe(true)
    expect(open).not.toHaveBeenCalled()
  })

  it('has no checkbox without anything to select', () => {
    render(<Shown />)
    const row = screen.getByText('row 1').closest('[role=row]') as HTMLElement
    expect(within(row).queryByRole('checkbox')).toBeNull()
  })

  it('announces its order and changes it by a button', async () => {
    const sort = vi.fn()
    render(<Shown sort={sort} />)
    expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
    expect(screen.getByRole('columnheader', { name: 'More' }).getAttribute('aria-sort')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    expect(sort).toHaveBeenCalledWith('id')
  })
})
