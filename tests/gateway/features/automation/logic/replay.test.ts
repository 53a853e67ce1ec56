import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import {
  type PeriodSchedule,
  replay,
  type ReplayResult,
  type Track,
} from '../../../../../gateway/features/automation/logic/replay.ts'
import {
  stepTruth,
  type TruthEvent,
  type TruthRule,
  type TruthState,
  type TruthTimer,
} from '../../../../../gateway/features/automation/logic/condition-state.ts'

const DAY = 86_400_000
const SECOND = 1000
const always: PeriodSchedule = { is: () => true, changesAfter: () => undefined }

const ruleWith = (more: Record<string, unknown> = {}, uids = ['a']): TruthRule => {
  const { EndDuration = 0, Logical = '=', Joined = 'AND', ...given } = more
  const condition = (PeripheralUID: string) => ({ PeripheralUID, Field: 'Switch1', Status: 1, Logical })
  return {
    Conditions: Conditions.parse({ PeripheralUIDs: uids.map(condition), Logical: Joined, ...given }),
    EndDuration: EndDuration as number,
  }
}
/** Values by the second, from second 0. */
const track = (values: Record<number, number>, more: Partial<Track> = {}): Track => ({
  at: Object.keys(values).map((second) => Number(second) * SECOND),
  values: Object.values(values),
  goodFor: null,
  unknown: [],
  ...more,
})
function played(rule: TruthRule, tracks: readonly Track[], period = always, to = DAY): ReplayResult {
  const replaying = replay(rule, tracks, { from: 0, to, period })
  for (;;) {
    const { done, value } = replaying.next()
    if (done) return value
  }
}
const runs = (...given: Parameters<typeof played>) =>
  played(...given).runs.map(({ at, endedAt }) => [at / SECOND, endedAt === null ? null : endedAt / SECOND])

describe('a dry run', () => {
  it('runs when conditions become true, not if they were true at its start', () => {
    expect(runs(ruleWith(), [track({ 0: 1, 10: 0, 20: 1, 25: 1, 30: 0 })])).toEqual([[20, null]])
  })

  it('ends runs the end duration after the conditions were last true', () => {
    expect(runs(ruleWith({ EndDuration: 60 }), [track({ 0: 0, 20: 1, 30: 0 })])).toEqual([[20, 90]])
  })

  it('holds conditions for their required time', () => {
    expect(runs(ruleWith({ For: 60 }), [track({ 0: 0, 100: 1, 130: 0, 200: 1 })])).toEqual([[260, null]])
  })

  it('uses both of two reports with one time', () => {
    const pulse: Track = { at: [0, 10_000, 10_000], values: [0, 1, 0], goodFor: null, unknown: [] }
    expect(runs(ruleWith(), [pulse])).toEqual([[10, null]])
  })

  it('runs on each change of a counter', () => {
    const presses = track({ 0: 5, 10: 6, 20: 7, 30: 7 })
    expect(runs(ruleWith({ Logical: 'changed' }), [presses])).toEqual([
      [10, null],
      [20, null],
    ])
  })

  it('is unknown while the device is offline: before and after form no edge', () => {
    const unknown = [{ from: 30 * SECOND, to: 60 * SECOND }]
    expect(runs(ruleWith(), [track({ 0: 0, 20: 1 }, { unknown })])).toEqual([[20, null]])
    expect(runs(ruleWith(), [track({ 0: 0, 40: 1 }, { unknown })])).toEqual([[60, null]])
  })

  it('treats an outdated value as unknown', () => {
    const meter = track({ 0: 0, 100: 1, 200: 0 }, { goodFor: 30 * SECOND })
    expect(played(ruleWith({ For: 60 }), [meter]).runs).toEqual([])
  })

  it('has no runs from what no history contains, unless the rest decides', () => {
    const nothing = track({})
    const on = track({ 0: 0, 10: 1 })
    expect(runs(ruleWith({}, ['a', 'b']), [on, nothing])).toEqual([])
    expect(runs(ruleWith({ Joined: 'OR' }, ['a', 'b']), [on, nothing])).toEqual([])
    const offThenOn = track({ 0: 0 })
    expect(runs(ruleWith({ Joined: 'OR' }, ['a', 'b']), [on, offThenOn])).toEqual([[10, null]])
  })

  it('counts how often it nearly ran', () => {
    const period = {
      is: (at: number) => at >= 50 * SECOND,
      changesAfter: (at: number) => (at < 50_000 ? 50_000 : undefined),
    }
    const found = played(
      ruleWith({ RetriggerInterval: 300 }),
      [track({ 0: 0, 10: 1, 20: 0, 60: 1, 70: 0, 80: 1 })],
      period,
    )
    expect(found.blocked).toEqual({ outsidePeriod: 1, tooSoon: 1 })
    expect(found.runs).toHaveLength(1)
  })
})

/** Calls `step` for every report, whether or not it changes anything, and for the timers that it sets. */
function stepped(
  rule: TruthRule,
  reports: readonly { uid: number; at: number; value: number }[],
  to: number,
): number[] {
  const values: (number | undefined)[] = rule.Conditions.PeripheralUIDs.map(() => 0)
  const timers = new Map<TruthTimer, number>()
  const fired: number[] = []
  let state: TruthState | undefined
  const apply = (event: TruthEvent, now: number) => {
    const next = stepTruth(rule, state, event, now)
    state = next.state
    for (const effect of next.effects)
      if (effect.do === 'setTimer') timers.set(effect.timer, effect.dueAt)
      else if (effect.do === 'cancelTimer') timers.delete(effect.timer)
      else if (effect.do === 'fire') fired.push(now)
  }
  const runDue = (before: number) => {
    for (;;) {
      const [next] = [...timers].filter(([, dueAt]) => dueAt < before).toSorted((a, b) => a[1] - b[1])
      if (!next) return
      timers.delete(next[0])
      apply({ kind: 'timer', timer: next[0] }, next[1])
    }
  }
  apply({ kind: 'begin', because: 'saved', isPeriodOpen: true, values }, 0)
  for (const { uid, at, value } of reports) {
    runDue(at)
    values[uid] = value
    apply({ kind: 'observed', at, received: at, values: [...values] }, at)
  }
  runDue(to + 1)
  return fired
}

const someRule = fc
  .record({
    count: fc.integer({ min: 1, max: 3 }),
    Joined: fc.constantFrom('AND', 'OR'),
    Repeat: fc.boolean(),
    RetriggerInterval: fc.constantFrom(5, 60, 300),
    For: fc.constantFrom(0, 30, 400),
    EndDuration: fc.constantFrom(0, 60, 300),
  })
  .map(({ count, ...more }) => ruleWith(more, ['a', 'b', 'c'].slice(0, count)))

describe('a dry run over a recorded time', () => {
  it('runs when the live rule would have, report by report', () => {
    const reports = fc.array(
      fc.record({ uid: fc.nat(2), wait: fc.integer({ min: 1, max: 200 }), value: fc.constantFrom(0, 1) }),
      { minLength: 1, maxLength: 60 },
    )
    fc.assert(
      fc.property(someRule, reports, (rule, given) => {
        const count = rule.Conditions.PeripheralUIDs.length
        let at = 0
        const told = given.map(({ uid, wait, value }) => ({
          uid: uid % count,
          at: (at += wait * SECOND),
          value,
        }))
        const tracks = rule.Conditions.PeripheralUIDs.map((_, i): Track => {
          const own = told.filter(({ uid }) => uid === i)
          return {
            at: [0, ...own.map((one) => one.at)],
            values: [0, ...own.map((one) => one.value)],
            goodFor: null,
            unknown: [],
          }
        })
        const to = at + 3_600_000
        expect(played(rule, tracks, always, to).runs.map((run) => run.at)).toEqual(stepped(rule, told, to))
      }),
      { numRuns: 300 },
    )
  })
})
