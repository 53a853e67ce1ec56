import { describe, expect, it } from 'vitest'
import { mergeChunks, type File } from '../../../scripts/chunks/shared.ts'

const file = (name: string, users: bigint, size: number): File => ({
  modules: [name],
  users,
  count: users.toString(2).replaceAll('0', '').length,
  size,
})
const names = (files: readonly File[]) => files.map(({ modules }) => [...modules].sort().join('+')).sort()

describe('files that screens share', () => {
  it('are one where the same screens need both', () => {
    expect(names(mergeChunks([file('a', 0b111n, 90_000), file('b', 0b111n, 90_000)]))).toEqual(['a+b'])
  })

  it('are two where no screen needs both', () => {
    expect(names(mergeChunks([file('a', 0b1100n, 100), file('b', 0b0011n, 100)]))).toEqual(['a', 'b'])
  })

  it('are one where the bytes that a screen does without are fewer than a request is worth', () => {
    expect(names(mergeChunks([file('table', 0b1111n, 40_000), file('tag', 0b0111n, 300)]))).toEqual([
      'table+tag',
    ])
  })

  it('are two where those bytes are more', () => {
    expect(names(mergeChunks([file('table', 0b1111n, 40_000), file('editor', 0b0011n, 40_000)]))).toEqual([
      'editor',
      'table',
    ])
  })

  it('hold every module once', () => {
    const files = Array.from({ length: 60 }, (_, i) =>
      file(`m${i}`, BigInt(1 + ((i * 7_919) % 1_023)), (i * 4_001) % 30_000),
    )
    const all = mergeChunks(files).flatMap(({ modules }) => modules)
    expect([...all].sort()).toEqual(files.flatMap(({ modules }) => modules).sort())
  })
})
