import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meterFacts } from '../../../contract/meters/fact-calls.ts'
import { SINCE_ALWAYS, type DatedValue, valueOn } from '../../../contract/meters/meter-facts.ts'

const history = fc
  .uniqueArray(fc.record({ from: fc.integer({ min: 0, max: 20_000 }), value: fc.integer() }), {
    selector: ({ from }) => from,
    maxLength: 12,
  })
  .map((all) => all.toSorted((a, b) => a.from - b.from))
const set = (all: readonly DatedValue<number>[], one: DatedValue<number>): DatedValue<number>[] =>
  [...all.filter(({ from }) => from !== one.from), one].toSorted((a, b) => a.from - b.from)

describe('a meter fact with a start day', () => {
  it('applies until the next, and is unset before the first', () => {
    const said = [
      { from: SINCE_ALWAYS, value: 'a' },
      { from: 100, value: 'b' },
      { from: 200, value: 'c' },
    ]
    expect([0, 99, 100, 199, 200, 9_999].map((day) => valueOn(said, day))).toEqual('a a b b c c'.split(' '))
    expect(valueOn(said.slice(1), 99)).toBeUndefined()
  })

  it('changes nothing before its day, or when it is undone', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 20_000 }), fc.integer(), (all, from, value) => {
        const after = set(all, { from, value })
        for (const day of [0, from - 1, ...all.map((one) => one.from)].filter((one) => one < from))
          expect(valueOn(after, day)).toBe(valueOn(all, day))
        if (all.some((one) => one.from === from)) return
        expect(after.filter((one) => one.from !== from)).toEqual(all)
      }),
    )
  })

  it('is rejected with a value that the fact cannot have', () => {
    const input = { HomeID: 'h', MeterID: 'm', From: null }
    const faults = (Fact: string, Value: unknown) =>
      meterFacts.setMeterFact.input
        .safeParse({ ...input, Fact, Value })
        .error?.issues.map(({ path }) => path.join('.')) ?? []
    expect(faults('role', 'generation')).toEqual([])
    expect(faults('role', 'tenant')).toEqual(['Value'])
    expect(faults('room', 3)).toEqual([])
    expect(faults('room', '3')).toEqual(['Value'])
    expect(faults('parent', null)).toEqual([])
    expect(faults('limit', 2_000_000)).toEqual([])
    expect(faults('limit', 2_000_001)).toEqual(['Value'])
    expect(faults('limit', 0)).toEqual(['Value'])
    expect(faults('terms', [{ PeripheralUID: 'a', Factor: 1 }])).toEqual([])
  })

  it('applies to a second register by its own id', () => {
    const { shape } = meterFacts.setMeterFact.input
    expect(shape.MeterID.safeParse('main.return').success).toBe(true)
    expect(shape.MeterID.safeParse('main.back').success).toBe(false)
  })
})
