import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  apply,
  depthOf,
  difference,
  type Document,
  type Json,
  type Section,
} from '../../../../../gateway/features/status/shadow/document.ts'

const empty: Document = { desired: null, reported: null, metadata: {} }
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const section = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 5,
}) as fc.Arbitrary<Section>

describe('a shadow document', () => {
  it('merges objects, replaces other values and removes null', () => {
    const first = apply(empty, { reported: { a: { x: 1, y: 2 }, list: [1, 2], gone: 1 } }, 100)
    const next = apply(first, { reported: { a: { y: 3 }, list: [3], gone: null } }, 200)
    expect(plain(next.reported)).toEqual({ a: { x: 1, y: 3 }, list: [3] })
    expect(plain(next.metadata.reported)).toEqual({
      a: { x: { timestamp: 100 }, y: { timestamp: 200 } },
      list: [{ timestamp: 200 }],
    })
  })

  it('removes a whole section given as null', () => {
    const first = apply(empty, { desired: { on: 1 }, reported: { on: 0 } }, 100)
    expect(plain(apply(first, { desired: null }, 200))).toEqual({
      desired: null,
      reported: { on: 0 },
      metadata: { reported: { on: { timestamp: 100 } } },
    })
  })

  it('returns the difference between desired and reported', () => {
    const { desired, reported, metadata } = apply(
      empty,
      { desired: { a: { x: 1, y: 2 }, b: [1], c: 1 }, reported: { a: { x: 1, y: 9 }, b: [1] } },
      7,
    )
    expect(plain(difference(desired, reported, metadata.desired))).toEqual({
      state: { a: { y: 2 }, c: 1 },
      metadata: { a: { y: { timestamp: 7 } }, c: { timestamp: 7 } },
    })
    expect(difference({ a: 1 }, { a: 1, b: 2 })).toBeUndefined()
  })

  it('accepts any key', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":1}') as Section
    const { reported } = apply(empty, { reported: patch }, 1)
    expect(JSON.stringify(reported)).toBe('{"__proto__":{"polluted":1},"constructor":1}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('counts levels', () => {
    expect(depthOf(JSON.parse('{"one":{"two":{"three":{"four":{"five":{}}}}}}'))).toBe(6)
    expect(depthOf({ list: [{ a: 1 }] } as Json)).toBe(3)
  })

  it('reaches the same state however often an update comes', () => {
    fc.assert(
      fc.property(section, section, (before, patch) => {
        const base = apply(empty, { reported: before }, 1)
        const once = apply(base, { reported: patch }, 2)
        expect(plain(apply(once, { reported: patch }, 2))).toEqual(plain(once))
      }),
    )
  })

  it('has no difference once everything desired is reported', () => {
    fc.assert(
      fc.property(section, section, (desired, before) => {
        const document = apply(
          apply(empty, { reported: before, desired }, 1),
          { reported: { ...desired } },
          2,
        )
        expect(difference(document.desired, document.reported)).toBeUndefined()
      }),
    )
  })
})
