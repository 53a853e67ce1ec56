import { describe, expect, it } from 'vitest'
import { changedFields } from '../../../../src/custom-views/audit/audit-words.ts'

describe('the fields of an audit row', () => {
  it('are the old and the new values, changed fields first', () => {
    const Before = { RoomID: 3, RoomName: '機房', Tags: [1] }
    const After = { RoomID: 3, RoomName: '大機房', Tags: [1], Note: '' }
    expect(changedFields({ Before, After, Input: {} })).toEqual([
      { field: 'RoomName', before: '機房', after: '大機房', changed: true },
      { field: 'Note', before: undefined, after: '', changed: true },
      { field: 'RoomID', before: 3, after: 3, changed: false },
      { field: 'Tags', before: [1], after: [1], changed: false },
    ])
  })

  it('are the removed values if the record was deleted', () => {
    expect(changedFields({ Before: { RoomName: '機房' }, After: null, Input: { RoomID: 3 } })).toEqual([
      { field: 'RoomName', before: '機房', after: undefined, changed: true },
    ])
  })

  it('exclude the version number', () => {
    expect(changedFields({ Before: { Version: 1 }, After: { Version: 2 }, Input: {} })).toEqual([])
  })

  it('are the sent values if the call affects no record', () => {
    expect(changedFields({ Before: null, After: null, Input: { Email: 'a@b.example' } })).toEqual([
      { field: 'Email', before: undefined, after: 'a@b.example', changed: true },
    ])
  })
})
