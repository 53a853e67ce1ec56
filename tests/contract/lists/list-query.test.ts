import { expect, it } from 'vitest'
import {
  type ListQuery,
  readListQuery,
  WHOLE_LIST,
  writeListQuery,
} from '../../../contract/lists/list-query.ts'

const plain = WHOLE_LIST

it('reads an address as the list shows it', () => {
  expect(readListQuery('')).toEqual(plain)
  expect(readListQuery('q=%E7%87%88+2&kind=LightSwitch&room=0&sort=-room&device=d1')).toEqual({
    ...plain,
    search: '燈 2',
    kind: 'LightSwitch',
    RoomID: 0,
    sort: 'room',
    descending: true,
  })
})

it('ignores parameters that no list has', () => {
  for (const odd of [
    'kind=Dragon',
    'room=-1',
    'room=1e3',
    'room=',
    'sort=color',
    'q=%',
    'kind',
    '=',
    '&&',
    'Q=a',
  ])
    expect(readListQuery(odd), odd).toEqual(plain)
})

it('writes equal queries the same way, and reads them back', () => {
  const queries: ListQuery[] = [
    plain,
    { ...plain, search: '燈 & = % + "#' },
    { ...plain, kind: 'Hub', RoomID: 0, descending: true },
    { ...plain, RoomID: 12, sort: 'kind' },
    { ...plain, state: 'attention', hub: '後場 1', watts: { from: 100 }, sort: 'power', descending: true },
    { ...plain, watts: { from: -5, through: 0 }, sort: 'age' },
  ]
  for (const query of queries) expect(readListQuery(writeListQuery(query))).toEqual(query)
  expect(writeListQuery(plain)).toBe('')
  expect(writeListQuery(readListQuery('sort=-name&room=3&q=a'))).toBe('q=a&room=3&sort=-name')
})

it('omits an unpaired surrogate, which no address can contain', () => {
  expect(writeListQuery({ ...readListQuery('q=a\ud800b') })).toBe('q=ab')
})
