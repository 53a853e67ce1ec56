import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Condition, Conditions } from '../../../contract/automation/condition.ts'
import {
  evaluateConditions,
  joined,
  silenceChangesAt,
  evaluateCondition,
  type TruthValue,
} from '../../../contract/automation/evaluate-conditions.ts'

const condition = (given: object) =>
  Condition.parse({ PeripheralUID: 'AA', Field: 'Temperature', Logical: '>', Status: 28, ...given })
const conditions = (list: object[], Logical: 'AND' | 'OR' = 'AND') =>
  Conditions.parse({
    PeripheralUIDs: list.map((one) => ({ PeripheralUID: 'AA', Field: 'Presses', ...one })),
    Logical,
  })

describe('a condition', () => {
  it.each([
    ['=', 28, [false, true, false]],
    ['!=', 28, [true, false, true]],
    ['>', 28, [false, false, true]],
    ['>=', 28, [false, true, true]],
    ['<', 28, [true, false, false]],
    ['<=', 28, [true, true, false]],
    ['between', [28, 28], [false, true, false]],
    ['outside', [28, 28], [true, false, true]],
    ['changed', 0, [false, false, false]],
  ])('%s %s compares values below, at and above the limit', (Logical, Status, expected) => {
    expect(
      [27, 28, 29].map((value) => evaluateCondition(condition({ Logical, Status }), value, undefined)),
    ).toEqual(expected)
  })

  it('includes both ends if within, and neither if outside', () => {
    const at = (Logical: string) =>
      [1, 2, 3, 4, 5].map((value) =>
        evaluateCondition(condition({ Logical, Status: [2, 4] }), value, undefined),
      )
    expect(at('between')).toEqual([false, true, true, true, false])
    expect(at('outside')).toEqual([true, false, false, false, true])
  })

  it('is unknown without a value, whatever it was before', () => {
    for (const before of [true, false, undefined])
      expect(evaluateCondition(condition({}), undefined, before)).toBeUndefined()
  })

  it('stays true up to Clear, from above and below', () => {
    const above = condition({ Logical: '>', Status: 28, Clear: 26 })
    expect([25.9, 26, 28, 28.1].map((value) => evaluateCondition(above, value, true))).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect([26, 28, 28.1].map((value) => evaluateCondition(above, value, false))).toEqual([
      false,
      false,
      true,
    ])
    const below = condition({ Logical: '<=', Status: 10, Clear: 12 })
    expect([10, 12, 12.1].map((value) => evaluateCondition(below, value, true))).toEqual([true, true, false])
    expect([10, 10.1].map((value) => evaluateCondition(below, value, false))).toEqual([true, false])
  })

  it('is raised at most once for each crossing of both lines', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('>', '>=', '<', '<='),
        fc.array(fc.integer({ min: 20, max: 32 }), { minLength: 1, maxLength: 60 }),
        (Logical, values) => {
          const isAbove = Logical.startsWith('>')
          const given = condition({ Logical, Status: isAbove ? 28 : 24, Clear: isAbove ? 24 : 28 })
          let [verdict, raised, crossings, side]: [TruthValue, number, number, string | undefined] = [
            false,
            0,
            0,
            undefined,
          ]
          for (const value of values) {
            const next = evaluateCondition(given, value, verdict)
            if (next && !verdict) raised++
            verdict = next
            const now: string | undefined = value >= 28 ? 'above' : value <= 24 ? 'below' : side
            if (now === (isAbove ? 'above' : 'below') && now !== side) crossings++
            side = now
          }
          expect(raised).toBeLessThanOrEqual(crossings)
        },
      ),
    )
  })
})

const VERDICTS: readonly TruthValue[] = [true, false, undefined]
/** Every list of results of up to four conditions. */
const lists = (length: number): TruthValue[][] =>
  length ? lists(length - 1).flatMap((list) => VERDICTS.map((verdict) => [...list, verdict])) : [[]]
const EVERY = [1, 2, 3, 4].flatMap(lists)

describe('combined conditions', () => {
  it('are true by AND if all are, false if one is not, and otherwise unknown', () => {
    for (const list of EVERY)
      expect(joined('AND', list)).toBe(list.includes(false) ? false : list.every(Boolean) ? true : undefined)
  })

  it('are true by OR if one is, false if none is, and otherwise unknown', () => {
    for (const list of EVERY)
      expect(joined('OR', list)).toBe(
        list.includes(true) ? true : list.every((one) => one === false) ? false : undefined,
      )
  })

  it('that are decided stay so, whatever becomes known of the others', () => {
    const changed = (['AND', 'OR'] as const).flatMap((logical) =>
      EVERY.filter((list) => joined(logical, list) !== undefined).flatMap((list) =>
        list
          .flatMap((one, i) => (one === undefined ? [list.with(i, true), list.with(i, false)] : []))
          .filter((later) => joined(logical, later) !== joined(logical, list)),
      ),
    )
    expect(changed).toEqual([])
  })
})

describe('evaluated at a time', () => {
  it('a change of a counter is a pulse and leaves nothing true afterwards', () => {
    const button = conditions([{ Logical: 'changed' }])
    expect(evaluateConditions(button, { values: [3], changed: [0] })).toEqual({
      verdicts: [true],
      truth: false,
      pulse: true,
    })
    expect(evaluateConditions(button, { values: [3] })).toEqual({
      verdicts: [false],
      truth: false,
      pulse: false,
    })
  })

  it('a change counts by AND only while all others hold, by OR always', () => {
    const both = [{ Logical: 'changed' }, { Field: 'Temperature', Logical: '>', Status: 28 }]
    const pulse = (logical: 'AND' | 'OR', warm: number | undefined) =>
      evaluateConditions(conditions(both, logical), { values: [3, warm], changed: [0] }).pulse
    expect([29, 20, undefined].map((warm) => pulse('AND', warm))).toEqual([true, false, false])
    expect([29, 20, undefined].map((warm) => pulse('OR', warm))).toEqual([true, true, true])
  })

  it('a change event is ignored for a comparing condition', () => {
    const warm = conditions([{ Logical: '>', Status: 2 }])
    expect(evaluateConditions(warm, { values: [3], changed: [0] }).pulse).toBe(false)
  })
})

describe('a condition on silence', () => {
  const silent = (given: object) => condition({ Field: 'SilentFor', Status: 600, ...given })

  it('changes at the limit and just past it', () => {
    expect(silenceChangesAt(silent({}), 1000, 1000)).toBe(601_000)
    expect(silenceChangesAt(silent({}), 1000, 601_000)).toBe(601_001)
    expect(silenceChangesAt(silent({}), 1000, 601_001)).toBeUndefined()
  })

  it('between two limits changes at each', () => {
    expect(silenceChangesAt(silent({ Logical: 'between', Status: [60, 120] }), 0, 60_001)).toBe(120_000)
  })

  it('never changes between two such times', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('=', '!=', '>', '>=', '<', '<='),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 110_000 }),
        fc.nat({ max: 20_000 }),
        (Logical, Status, now, later) => {
          const given = silent({ Logical, Status })
          const next = silenceChangesAt(given, 0, now) ?? Infinity
          if (now + later >= next) return
          expect(evaluateCondition(given, (now + later) / 1000, undefined)).toBe(
            evaluateCondition(given, now / 1000, undefined),
          )
        },
      ),
    )
  })
})
