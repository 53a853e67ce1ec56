import { describe, expect, it } from 'vitest'
import { CALL_BOUNDS, exceededBound, MESSAGE_BOUNDS } from '../../../../gateway/lib/payloads/json-bounds.ts'

const of = (text: string, bounds = CALL_BOUNDS) => exceededBound(Buffer.from(text), bounds)
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('the limits of a JSON text', () => {
  it('allow 32 levels, and no more', () => {
    expect(of(nested(32))).toBeUndefined()
    expect(of(nested(33))).toBe('depth')
    expect(of('{"a":'.repeat(33))).toBe('depth')
  })

  it('ignore brackets, commas and colons within strings', () => {
    const text = JSON.stringify({ Text: `${'['.repeat(100)}"\\${',:'.repeat(100_000)}` })
    expect(of(text)).toBeUndefined()
  })

  it('count elements, empty objects and members', () => {
    expect(of(JSON.stringify(Array(59_999).fill(0)))).toBeUndefined()
    expect(of(JSON.stringify(Array(60_001).fill(0)))).toBe('values')
    expect(of(JSON.stringify(Array.from({ length: 30_001 }, () => ({}))))).toBe('values')
    const members = (n: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 0])))
    expect(of(members(20_000))).toBeUndefined()
    expect(of(members(20_001))).toBe('members')
  })

  it('allow the largest import and the largest report', () => {
    const numbers = Array(10_000).fill(1)
    const Rows = { Row: numbers, Meter: numbers, Timestamp: numbers, Quarters: numbers, Value: numbers }
    expect(of(JSON.stringify({ HomeID: 'h', Meters: Array(1_000).fill('m'), Rows }))).toBeUndefined()
    const reading = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`Field${i}`, i]))
    const report = JSON.stringify({ ThingName: 'h', Readings: Array(5_000).fill(reading) })
    expect(of(report, MESSAGE_BOUNDS)).toBeUndefined()
  })

  it('handle truncated text', () => {
    expect(of('{"a":"')).toBeUndefined()
    expect(of('{"a":"\\')).toBeUndefined()
    expect(of('')).toBeUndefined()
  })
})
