import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import { type ActingRule, findConflicts } from '../../../../../gateway/features/automation/logic/conflicts.ts'
import {
  type Effect,
  findLoops,
  type LinkedRule,
} from '../../../../../gateway/features/automation/logic/loops.ts'
import { Repeating } from '../../../../../contract/automation/schedule.ts'
import { setFieldsOf } from '../../../../../contract/automation/action.ts'
import { evaluateConditions } from '../../../../../contract/automation/evaluate-conditions.ts'

const NOW = Date.parse('2026-05-11T00:00Z')
const place = { zone: 'Asia/Taipei', offPeak: new Set<number>(), sun: () => null }
const DAILY = [0, 1, 2, 3, 4, 5, 6]

type Ask = [field: string, Logical: string, Status: number | [number, number], Clear?: number]
const conditions = (asks: Ask[], given: object = {}) =>
  Conditions.parse({
    PeripheralUIDs: asks.map(([Field, Logical, Status, Clear]) => ({
      PeripheralUID: 'AA',
      Field,
      Logical,
      Status,
      ...(Clear !== undefined && { Clear }),
    })),
    ...given,
  })
const sets = (values: Record<string, number | undefined>): Effect[] =>
  Object.entries(values).map(([path, value]) => ({ PeripheralUID: 'AA', path, value }))
const link = (
  id: string,
  asks: Ask[],
  values: Record<string, number | undefined>,
  given = {},
): LinkedRule => ({
  id,
  conditions: conditions(asks, given),
  sets: sets(values),
})

describe('a loop', () => {
  it('consists of two rules that undo each other', () => {
    const rules = [link('a', [['x', '=', 1]], { x: 0 }), link('b', [['x', '=', 0]], { x: 1 })]
    expect(findLoops(rules)).toEqual([['a', 'b']])
  })

  it('can span several rules, and excludes rules that it only triggers', () => {
    const rules = [
      link('a', [['x', '=', 1]], { y: 1, x: 0 }),
      link('b', [['y', '=', 1]], { z: 1, y: 0 }),
      link('c', [['z', '=', 1]], { x: 1, z: 0 }),
      link('d', [['z', '=', 1]], { w: 1 }),
    ]
    expect(findLoops(rules)).toEqual([['a', 'b', 'c']])
  })

  it('can be a rule whose end actions trigger it', () => {
    expect(findLoops([link('a', [['x', '=', 1]], { x: 0 })])).toEqual([])
    const restoring = {
      ...link('a', [['x', '=', 1]], {}),
      sets: [...sets({ x: 0 }), ...sets({ x: undefined })],
    }
    expect(findLoops([restoring])).toEqual([['a']])
  })

  it('does not include two switches that follow each other: nothing triggers them again', () => {
    const rules = [link('on', [['x', '=', 1]], { y: 1 }), link('back', [['y', '=', 1]], { x: 1 })]
    expect(findLoops(rules)).toEqual([])
  })

  it('does not exist if the value does not satisfy the condition, or nothing can', () => {
    expect(
      findLoops([link('a', [['x', '>', 28]], { x: 20 }), link('b', [['x', '<', 10]], { x: 30 })]),
    ).toEqual([])
    const never: Ask[] = [
      ['x', '=', 0],
      ['y', '>', 5],
      ['y', '<', 4],
    ]
    expect(findLoops([link('a', [['x', '=', 1]], { x: 0 }), link('b', never, { x: 1 })])).toEqual([])
  })

  it('can include repeating rules even if nothing makes them false', () => {
    const rules = [
      link('a', [['x', '=', 1]], { y: 1 }, { Repeat: true }),
      link('b', [['y', '=', 1]], { x: 1 }, { Repeat: true }),
    ]
    expect(findLoops(rules)).toEqual([['a', 'b']])
  })
})

const FIELDS = ['x', 'y', 'z']
const status = fc.integer({ min: 0, max: 2 })
const ask = fc.tuple(
  fc.constantFrom(...FIELDS),
  fc.constantFrom('=', '!=', '>', '<'),
  status,
) as fc.Arbitrary<Ask>
const rules = fc
  .array(
    fc.record({
      asks: fc.array(ask, { minLength: 1, maxLength: 3 }),
      Logical: fc.constantFrom('AND', 'OR'),
      values: fc.dictionary(fc.constantFrom(...FIELDS), status, { minKeys: 1, maxKeys: 2 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) => list.map(({ asks, Logical, values }, i) => link(String(i), asks, values, { Logical })))

type World = Record<string, number>
const holds = ({ conditions: given }: LinkedRule, world: World) =>
  evaluateConditions(given, { values: given.PeripheralUIDs.map(({ Field }) => world[Field]) }).truth === true

/** Every combination of the fields with these values. */
const worlds = (values: number[]): World[] =>
  FIELDS.reduce<World[]>(
    (list, field) => list.flatMap((world) => values.map((value) => ({ ...world, [field]: value }))),
    [{}],
  )

/** Rules that fire endlessly after a field was set, with fields arriving one by one; none if it settles. */
function endless(given: LinkedRule[], start: World, set: Effect, isNewestFirst: boolean): Set<string> {
  const world = { ...start }
  const waiting: Effect[] = [set]
  const fired: string[] = []
  while (waiting.length > 0 && fired.length < 120) {
    const { path, value } = (isNewestFirst ? waiting.pop() : waiting.shift())!
    const before = given.map((rule) => holds(rule, world))
    world[path] = value as number
    for (const [i, rule] of given.entries())
      if (!before[i] && holds(rule, world)) {
        fired.push(rule.id)
        waiting.push(...rule.sets)
      }
  }
  return new Set(fired.length < 120 ? [] : fired.slice(-60))
}

describe('for up to four rules', () => {
  it('every loop that runs in some state is found', () => {
    fc.assert(
      fc.property(rules, fc.boolean(), (given, isNewestFirst) => {
        const loops = findLoops(given)
        const running = worlds([0, 1, 2]).flatMap((world) =>
          FIELDS.flatMap((path) =>
            [0, 1, 2].map((value) =>
              endless(given, world, { PeripheralUID: 'AA', path, value }, isNewestFirst),
            ),
          ),
        )
        const missed = running.filter(
          (ids) => ids.size > 0 && !loops.some((loop) => loop.some((id) => ids.has(id))),
        )
        expect(missed).toEqual([])
      }),
      { numRuns: 120 },
    )
  })

  it('exactly those conflict that can be true together and set a field differently', () => {
    const every = worlds([-1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3])
    fc.assert(
      fc.property(rules, (given) => {
        const found = findConflicts(given as ActingRule[], { now: NOW, place }).map(({ ids }) =>
          ids.join(' '),
        )
        const expected = given.flatMap((a, i) =>
          given.slice(i + 1).flatMap((b) => {
            const isConflicting = a.sets.some((one) =>
              b.sets.some(({ path, value }) => path === one.path && value !== one.value),
            )
            return isConflicting && every.some((world) => holds(a, world) && holds(b, world))
              ? [`${a.id} ${b.id}`]
              : []
          }),
        )
        expect(found).toEqual(expected)
      }),
      { numRuns: 120 },
    )
  })
})

describe('a conflict', () => {
  const acting = (id: string, given: Partial<ActingRule>, value: number): ActingRule => ({
    id,
    sets: setFieldsOf({ PeripheralUID: 'light', Values: { Switch: value } }),
    ...given,
  })
  const at = (time: number, given = {}) => ({
    schedule: Repeating.parse({ Weekdays: DAILY, At: time, ...given }),
  })
  const find = (list: ActingRule[], about?: string) =>
    findConflicts(list, { now: NOW, place, ...(about !== undefined && { about }) })

  it('of schedules is reported with the next time at which they coincide', () => {
    const list = [
      acting('on', at(480, { Weekdays: [2] }), 1),
      acting('off', at(480), 0),
      acting('late', at(482), 0),
    ]
    expect(find(list)).toEqual([
      {
        ids: ['on', 'off'],
        PeripheralUID: 'light',
        path: 'Switch',
        at: Date.parse('2026-05-12T00:00Z'),
        wins: 'on',
      },
    ])
    const made = list.map((rule, i) => ({ ...rule, madeAt: [1, 2, 3][i] }))
    expect(find(made)).toMatchObject([{ wins: 'off' }])
  })

  it('of schedules does not exist if they set the same value, or never coincide', () => {
    expect(find([acting('on', at(480), 1), acting('also', at(480), 1)])).toEqual([])
    const [weekdays, weekend] = [at(480, { Weekdays: [1, 2, 3, 4, 5] }), at(480, { Weekdays: [0, 6] })]
    expect(find([acting('on', weekdays, 1), acting('off', weekend, 0)])).toEqual([])
  })

  it('of conditions requires that both periods are open', () => {
    const awake = (From: number, To: number) => ({
      conditions: conditions([['Motion', '=', 1]], { Period: [{ Weekdays: DAILY, From, To }] }),
    })
    expect(find([acting('day', awake(360, 1080), 1), acting('night', awake(1080, 360), 0)])).toEqual([])
    expect(find([acting('day', awake(360, 1081), 1), acting('night', awake(1080, 360), 0)])).toHaveLength(1)
  })

  it('includes the hysteresis of both', () => {
    const warm = { conditions: conditions([['Temperature', '>', 28, 24]]) }
    const cold = { conditions: conditions([['Temperature', '<', 26]]) }
    expect(find([acting('warm', warm, 1), acting('cold', cold, 0)])).toHaveLength(1)
  })

  it('is limited to one rule on request', () => {
    const list = [acting('a', at(480), 1), acting('b', at(480), 0), acting('c', at(480), 1)]
    expect(find(list, 'c').map(({ ids }) => ids)).toEqual([['b', 'c']])
  })

  it('of two zones of one thermostat does not exist', () => {
    const zone = (id: string, NodeID: number, TargetTemperature: number): ActingRule => ({
      id,
      ...at(480),
      sets: setFieldsOf({
        PeripheralUID: 'zones',
        Values: { ThermostatTable: [{ NodeID, TargetTemperature }] },
      }),
    })
    expect(find([zone('a', 1, 20), zone('b', 2, 24)])).toEqual([])
    expect(find([zone('a', 1, 20), zone('b', 1, 24)])[0]?.path).toBe('ThermostatTable.1.TargetTemperature')
  })
})
