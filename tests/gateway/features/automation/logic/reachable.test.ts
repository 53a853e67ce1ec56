import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Condition } from '../../../../../contract/automation/condition.ts'
import {
  alwaysOrNever,
  alwaysOrNeverTogether,
  rangeOf,
} from '../../../../../gateway/features/automation/logic/reachable.ts'
import { evaluateCondition } from '../../../../../contract/automation/evaluate-conditions.ts'

const judged = (type: string, Field: string, Logical: string, Status: number | [number, number]) => {
  const condition = Condition.parse({ PeripheralUID: 'a', Field, Logical, Status })
  return alwaysOrNever(condition, rangeOf(condition, type))
}

describe('a condition', () => {
  it.each([
    ['753', 'PM25', '<', 0, 'never'],
    ['753', 'PM25', '>=', 0, 'always'],
    ['753', 'Humidity', '>', 100, 'never'],
    ['753', 'Humidity', '<=', 100, 'always'],
    ['753', 'Humidity', '>', 99, undefined],
    ['516', 'Switch', '!=', 2, 'always'],
    ['516', 'Switch', '=', 1, undefined],
    ['516', 'Online', '=', 2, 'never'],
    ['753', 'SilentFor', '<', 0, 'never'],
    ['514', 'HourlyKwh', '>=', 0, 'always'],
    ['753', 'Humidity', 'between', [0, 100], 'always'],
    ['753', 'Humidity', 'outside', [0, 100], 'never'],
  ] as const)('of a %s on %s %s %j can hold %s', (type, field, logical, status, found) => {
    expect(judged(type, field, logical, status as number)).toBe(found)
  })

  it.each([
    [
      '753',
      'Humidity',
      'OR',
      [
        ['>', 5],
        ['<', 6],
      ],
      'always',
    ],
    [
      '753',
      'Humidity',
      'OR',
      [
        ['>', 6],
        ['<', 5],
      ],
      undefined,
    ],
    [
      '753',
      'Humidity',
      'OR',
      [
        ['>', 5],
        ['<', 5],
      ],
      undefined,
    ],
    [
      '514',
      'Power',
      'OR',
      [
        ['<=', 5],
        ['>=', 5.01],
      ],
      undefined,
    ],
    [
      '753',
      'Humidity',
      'AND',
      [
        ['>', 6],
        ['<', 5],
      ],
      'never',
    ],
    [
      '514',
      'Power',
      'AND',
      [
        ['>', 5],
        ['<', 5.01],
      ],
      undefined,
    ],
    [
      '516',
      'Switch',
      'OR',
      [
        ['=', 0],
        ['=', 1],
      ],
      'always',
    ],
    [
      '516',
      'Switch',
      'AND',
      [
        ['=', 0],
        ['=', 1],
      ],
      'never',
    ],
    [
      '516',
      'Switch',
      'AND',
      [
        ['!=', 0],
        ['!=', 1],
      ],
      'never',
    ],
  ] as const)('of a %s on %s is with others, by %s of %j, %s so', (type, Field, logical, all, found) => {
    const conditions = all.map(([Logical, Status]) =>
      Condition.parse({ PeripheralUID: 'a', Field, Logical, Status }),
    )
    expect(alwaysOrNeverTogether(conditions, logical, rangeOf({ Field }, type))).toBe(found)
  })

  it('on the home or a virtual meter can always change', () => {
    const condition = Condition.parse({
      PeripheralUID: 'home',
      Field: 'DemandRolling',
      Logical: '>',
      Status: 5,
    })
    expect(alwaysOrNever(condition, rangeOf(condition, undefined))).toBeUndefined()
  })

  it('is always or never true exactly if every value of its range says so', () => {
    const comparison = fc.constantFrom('=', '!=', '>', '>=', '<', '<=')
    const range = { min: 0, max: 10, step: 1 }
    const every = Array.from({ length: 11 }, (_, i) => i)
    fc.assert(
      fc.property(comparison, fc.integer({ min: -5, max: 15 }), (Logical, Status) => {
        const condition = Condition.parse({ PeripheralUID: 'a', Field: 'X', Logical, Status })
        const verdicts = new Set(every.map((value) => evaluateCondition(condition, value, false)))
        const expected = verdicts.size > 1 ? undefined : verdicts.has(true) ? 'always' : 'never'
        expect(alwaysOrNever(condition, range)).toBe(expected)
      }),
    )
  })
})
