import { describe, expect, it } from 'vitest'
import { displayName } from '../../../contract/kernel/text.ts'

describe('display names', () => {
  const person = { FirstName: '', LastName: '', nickname: '', Email: 'a@b.tw' }
  it.each([
    [{ FirstName: 'Ada', LastName: 'Byron' }, 'Ada Byron'],
    [{ FirstName: '大明', LastName: '王' }, '王大明'],
    [{ FirstName: 'Ada' }, 'Ada'],
    [{ LastName: '王' }, '王'],
    [{ nickname: '阿明' }, '阿明'],
    [{}, 'a@b.tw'],
  ])('of %j is %s', (names, expected) => expect(displayName({ ...person, ...names })).toBe(expected))
})
