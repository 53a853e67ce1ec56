import { describe, expect, it } from 'vitest'
import { fittingColumns } from '../../../src/ui/table/fitting-columns.ts'

const name = { key: 'name', width: 170 }
const state = { key: 'state', width: 320, minWidth: 260 }
const kind = { key: 'kind', width: 190, minWidth: 140, omitOrder: 2 }
const hub = { key: 'hub', width: 120, minWidth: 110, omitOrder: 1 }
const keysIn = (room: number) => fittingColumns([name, kind, state, hub], room).map(({ key }) => key)

describe('columns of a table', () => {
  it('are all shown in order if their minimum width fits', () => {
    expect(keysIn(680)).toEqual(['name', 'kind', 'state', 'hub'])
    expect(keysIn(Infinity)).toEqual(['name', 'kind', 'state', 'hub'])
  })

  it('are removed one by one, and only as many as necessary', () => {
    expect(keysIn(679)).toEqual(['name', 'kind', 'state'])
    expect(keysIn(570)).toEqual(['name', 'kind', 'state'])
    expect(keysIn(569)).toEqual(['name', 'state'])
  })

  it('stay if they are required, at any width', () => {
    expect(keysIn(10)).toEqual(['name', 'state'])
  })

  it('are removed by a custom width if one is given', () => {
    const all = [name, kind, state, hub]
    expect(fittingColumns(all, 0, () => 0)).toBe(all)
  })
})
