import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import {
  stepTruth,
  type TruthEvent,
  type TruthRule,
  type TruthState,
  type TruthTimer,
} from '../../../../../gateway/features/automation/logic/condition-state.ts'

const SECOND = 1000

/** Rule on a value that is 1 or 0; Logical 'changed' on a counter. */
const ruleWith = ({ EndDuration = 0, Logical = '=', ...given }: Record<string, unknown> = {}): TruthRule => ({
  Conditions: Conditions.parse({
    PeripheralUIDs: [
      { PeripheralUID: 'AA', Field: 'Motion', Logical, Status: Logical === 'changed' ? 0 : 1 },
    ],
    ...given,
  }),
  EndDuration: EndDuration as number,
})

/** Plays an automation over time, with its timers, as an engine does; `log` contains the events by second. */
function playing(
  rule: TruthRule,
  { value = 0, isPeriodOpen = true }: { value?: number | null; isPeriodOpen?: boolean } = {},
) {
  const log: string[] = []
  const timers = new Map<TruthTimer, number>()
  let state: TruthState | undefined
  let now = 0
  const apply = (event: TruthEvent) => {
    const next = stepTruth(rule, state, event, now)
    state = next.state
    for (const effect of next.effects)
      if (effect.do === 'setTimer') timers.set(effect.timer, effect.dueAt)
      else if (effect.do === 'cancelTimer') timers.delete(effect.timer)
      else log.push(`${now / SECOND} ${effect.do === 'skip' ? effect.reason : effect.do}`)
  }
  const player = {
    log,
    timers,
    get state() {
      return state as TruthState
    },
    apply,
    /** Advances to a second and fires timers that expire on the way. */
    to(second: number) {
      for (;;) {
        const [kind, dueAt] = [...timers].toSorted((a, b) => a[1] - b[1])[0] ?? []
        if (kind === undefined || dueAt! > second * SECOND) break
        now = Math.max(now, dueAt!)
        timers.delete(kind)
        apply({ kind: 'timer', timer: kind })
      }
      now = second * SECOND
      return player
    },
    is(given: number | undefined, age = 0) {
      apply({ kind: 'observed', values: [given], at: now - age * SECOND, received: now })
      return player
    },
    press() {
      apply({ kind: 'observed', values: [1], changed: [0], at: now, received: now })
      return player
    },
    periodOpen(isOpen: boolean) {
      apply({ kind: 'period', isOpen })
      return player
    },
    begin(because: 'saved' | 'started', given: number | undefined, keepsHold = false) {
      apply({ kind: 'begin', because, isPeriodOpen: true, values: [given], keepsHold })
      return player
    },
  }
  apply({ kind: 'begin', because: 'saved', isPeriodOpen, values: [value ?? undefined] })
  return player
}

describe('an automation on conditions', () => {
  it('fires once when they become true', () => {
    expect(playing(ruleWith()).to(10).is(1).to(20).is(1).log).toEqual(['10 fire'])
  })

  it('saved while they are true fires only when they become true again', () => {
    expect(playing(ruleWith(), { value: 1 }).to(10).is(1).to(20).is(0).to(30).is(1).log).toEqual(['30 fire'])
  })

  it('does not fire on the first report ever', () => {
    expect(playing(ruleWith(), { value: null }).to(10).is(1).log).toEqual([])
  })

  it('fires after unknown that followed false, but not after unknown that followed true', () => {
    const play = playing(ruleWith()).to(10).is(undefined).to(20).is(1)
    expect(play.log).toEqual(['20 fire'])
    expect(play.to(30).is(undefined).to(40).is(1).log).toEqual(['20 fire'])
  })

  it('drops a firing too soon after the last one, and says so', () => {
    const play = playing(ruleWith({ RetriggerInterval: 30 }))
      .to(10)
      .is(1)
      .to(20)
      .is(0)
      .to(39)
      .is(1)
    expect(play.log).toEqual(['10 fire', '39 tooSoon'])
    expect(play.to(40).is(0).to(41).is(1).log.slice(2)).toEqual(['41 fire'])
  })

  it('fires although the clock was set back before its last firing', () => {
    const play = playing(ruleWith({ RetriggerInterval: 300 }))
      .to(1000)
      .is(1)
      .is(0)
      .to(10)
      .is(1)
    expect(play.log).toEqual(['1000 fire', '10 fire'])
  })

  it('treats a late report as true without firing', () => {
    const play = playing(ruleWith()).to(500).is(1, 121)
    expect(play.log).toEqual(['500 late'])
    expect(play.state.truth).toBe(true)
    expect(playing(ruleWith()).to(500).is(1, 120).log).toEqual(['500 fire'])
  })

  it('reports that it nearly fired if another condition is unknown', () => {
    const rule = {
      ...ruleWith(),
      Conditions: Conditions.parse({
        PeripheralUIDs: ['AA', 'BB'].map((PeripheralUID) => ({
          PeripheralUID,
          Field: 'Motion',
          Logical: '=',
          Status: 1,
        })),
      }),
    }
    const play = playing(rule)
    const observed = (values: (number | undefined)[]) =>
      play.apply({ kind: 'observed', values, at: 10_000, received: 10_000 })
    play.to(10)
    observed([0, undefined])
    observed([1, undefined])
    expect(play.log).toEqual(['10 unknown'])
  })
})

describe('an automation with a hold', () => {
  const holding = ruleWith({ For: 300 })

  it('fires after it was true for the hold', () => {
    expect(playing(holding).to(10).is(1).to(309).is(1).to(400).log).toEqual(['310 fire'])
  })

  it('starts over if it was false in between', () => {
    expect(playing(holding).to(10).is(1).to(200).is(0).to(210).is(1).to(600).log).toEqual(['510 fire'])
  })

  it("counts from the device's time, but at most a minute back", () => {
    expect(playing(holding).to(100).is(1, 30).to(600).log).toEqual(['370 fire'])
    expect(playing(holding).to(100).is(1, 90).to(600).log).toEqual(['340 fire'])
    expect(playing(holding).to(100).is(1, -50).to(600).log).toEqual(['400 fire'])
  })

  it('survives up to a minute of unknown values', () => {
    const gap = playing(holding).to(10).is(1).to(100).is(undefined).to(159).is(1).to(600)
    expect(gap.log).toEqual(['310 fire'])
  })

  it('fires as soon as it is known again if the hold ended within that minute', () => {
    const gap = playing(holding).to(10).is(1).to(290).is(undefined).to(330).is(1).to(600)
    expect(gap.log).toEqual(['330 fire'])
  })

  it('starts over after more than a minute of unknown values', () => {
    const gap = playing(holding).to(10).is(1).to(100).is(undefined).to(200).is(1).to(600)
    expect(gap.log).toEqual(['160 unknown', '500 fire'])
  })

  it('continues after a restart unless something contradicts it', () => {
    const before = () => playing(holding).to(10).is(1).to(100)
    expect(before().begin('started', 1, true).to(600).log).toEqual(['310 fire'])
    expect(before().begin('started', 1).to(600).log).toEqual(['400 fire'])
    expect(before().begin('started', 0, true).to(600).log).toEqual([])
  })

  it('is dropped when the automation is saved', () => {
    const play = playing(holding).to(10).is(1).to(100).begin('saved', 1)
    expect(play.to(600).log).toEqual([])
    expect(play.timers.size).toBe(0)
  })
})

describe('an automation that repeats', () => {
  const repeating = (given = {}) => ruleWith({ Repeat: true, RetriggerInterval: 60, ...given })

  it('fires repeatedly while it is true, and stops when it is not', () => {
    const play = playing(repeating()).to(10).is(1).to(140).is(0).to(600)
    expect(play.log).toEqual(['10 fire', '70 fire', '130 fire'])
  })

  it('fires immediately if it is saved while true', () => {
    expect(playing(repeating(), { value: 1 }).to(70).log).toEqual(['0 fire', '60 fire'])
  })

  it('fires after the interval if it became true too soon', () => {
    const play = playing(repeating()).to(10).is(1).to(20).is(0).to(30).is(1).to(80)
    expect(play.log).toEqual(['10 fire', '30 tooSoon', '70 fire'])
  })

  it('does not fire while it is unknown, and continues afterwards', () => {
    const play = playing(repeating()).to(10).is(1).to(60).is(undefined).to(100).is(1).to(161)
    expect(play.log).toEqual(['10 fire', '100 fire', '160 fire'])
  })

  it('stops when its period closes', () => {
    expect(playing(repeating()).to(10).is(1).to(80).periodOpen(false).to(400).log).toEqual([
      '10 fire',
      '70 fire',
    ])
  })
})

describe('the period of an automation', () => {
  it('prevents firing while closed, and fires when it opens while true', () => {
    const play = playing(ruleWith(), { isPeriodOpen: false }).to(10).is(1).to(100).periodOpen(true)
    expect(play.log).toEqual(['10 outsidePeriod', '100 fire'])
  })

  it('that opens while they are false changes nothing', () => {
    expect(playing(ruleWith(), { isPeriodOpen: false }).to(100).periodOpen(true).to(200).log).toEqual([])
  })

  it('that opens while they are unknown fires once they are known to be true', () => {
    const play = playing(ruleWith(), { isPeriodOpen: false, value: 1 })
      .to(50)
      .is(undefined)
      .to(100)
      .periodOpen(true)
    expect(play.to(110).is(1).log).toEqual(['110 fire'])
  })

  it('counts a hold from when it became true, closed or not', () => {
    const play = () =>
      playing(ruleWith({ For: 300 }), { isPeriodOpen: false })
        .to(10)
        .is(1)
    expect(play().to(100).periodOpen(true).to(600).log).toEqual(['10 outsidePeriod', '310 fire'])
    expect(play().to(500).periodOpen(true).to(600).log).toEqual(['10 outsidePeriod', '500 fire'])
  })

  it('that closes during a hold prevents firing until it opens', () => {
    const play = playing(ruleWith({ For: 300 }))
      .to(10)
      .is(1)
      .to(100)
      .periodOpen(false)
      .to(400)
    expect(play.log).toEqual(['310 outsidePeriod'])
    expect(play.periodOpen(true).log).toEqual(['310 outsidePeriod', '400 fire'])
  })

  it('that closes does not stop a pending end', () => {
    const play = playing(ruleWith({ EndDuration: 60 }))
      .to(10)
      .is(1)
      .to(20)
      .is(0)
      .to(30)
      .periodOpen(false)
      .to(200)
    expect(play.log).toEqual(['10 fire', '80 end'])
  })
})

describe('the end of an automation', () => {
  const ending = ruleWith({ EndDuration: 300 })

  it('comes after its duration since it was last true', () => {
    expect(playing(ending).to(10).is(1).to(100).is(0).to(600).log).toEqual(['10 fire', '400 end'])
  })

  it('is postponed when it is true again, and restores what was before the first firing', () => {
    const play = playing(ending).to(10).is(1).to(100).is(0).to(200).is(1).to(1000)
    expect(play.log).toEqual(['10 fire', '200 fire'])
    expect(play.is(0).to(2000).log).toEqual(['10 fire', '200 fire', '1300 end'])
    const first = stepTruth(
      ending,
      playing(ending).to(10).is(1).to(20).is(0).state,
      {
        kind: 'observed',
        values: [1],
        at: 30_000,
        received: 30_000,
      },
      30_000,
    )
    expect(first.effects).toContainEqual({ do: 'fire', edgeNo: 2, extends: true })
  })

  it('is postponed even if the firing itself came too soon', () => {
    const rule = ruleWith({ EndDuration: 60, RetriggerInterval: 300 })
    const play = playing(rule).to(10).is(1).to(20).is(0).to(70).is(1).to(100).is(0).to(400)
    expect(play.log).toEqual(['10 fire', '70 tooSoon', '160 end'])
  })

  it('timers while it is unknown, and counts from when it was last known to be true', () => {
    const play = playing(ending).to(10).is(1).to(100).is(undefined).to(1000)
    expect(play.log).toEqual(['10 fire'])
    expect(play.is(0).to(1001).log).toEqual(['10 fire', '1000 end'])
  })

  it('does not come if nothing has fired', () => {
    const play = playing(ruleWith({ EndDuration: 60, For: 300 }))
      .to(10)
      .is(1)
      .to(100)
      .is(0)
      .to(600)
    expect(play.log).toEqual([])
  })

  it('is kept when the automation is saved', () => {
    const play = playing(ending).to(10).is(1).to(20).is(0).begin('saved', 0).to(600)
    expect(play.log).toEqual(['10 fire', '320 end'])
    const wasTrue = playing(ending).to(10).is(1).to(20).begin('saved', 0).to(600)
    expect(wasTrue.log).toEqual(['10 fire', '320 end'])
  })
})

describe('a change of a counter', () => {
  it('is an edge by itself, every time', () => {
    const play = playing(ruleWith({ Logical: 'changed' }))
      .to(10)
      .press()
      .to(20)
      .is(1)
      .to(30)
      .press()
    expect(play.log).toEqual(['10 fire', '30 fire'])
  })

  it('that comes too soon, or outside the period, is lost', () => {
    const play = playing(ruleWith({ Logical: 'changed', RetriggerInterval: 60 }))
      .to(10)
      .press()
      .to(20)
      .press()
    expect(play.periodOpen(false).to(100).press().periodOpen(true).log).toEqual([
      '10 fire',
      '20 tooSoon',
      '100 outsidePeriod',
    ])
  })

  it('starts the end duration at the change', () => {
    const play = playing(ruleWith({ Logical: 'changed', EndDuration: 60 }))
      .to(10)
      .press()
      .to(50)
      .press()
    expect(play.to(400).log).toEqual(['10 fire', '50 fire', '110 end'])
  })
})

const value = fc.constantFrom(0, 1, undefined)
const sequences = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), value), { maxLength: 40 })

/** Plays values at given times; returns the events with their seconds. */
function playAll(rule: TruthRule, sequence: [number, number | undefined][]) {
  const play = playing(rule)
  const at: [number, number | undefined][] = [[0, 0]]
  let now = 0
  for (const [wait, given] of sequence) {
    now += wait
    at.push([now, given])
    play.to(now).is(given)
  }
  return { play, at, now }
}
const secondsOf = (log: string[], what: string) =>
  log.filter((line) => line.endsWith(` ${what}`)).map((line) => Number(line.split(' ')[0]))

describe('for any reports', () => {
  it('fires exactly at known changes, never from unknown after true', () => {
    fc.assert(
      fc.property(sequences, (sequence) => {
        const { play, at } = playAll(ruleWith(), sequence)
        const known = at.filter(([, given]) => given !== undefined)
        const turns = known
          .filter(([, given], i) => given === 1 && known[i - 1]?.[1] === 0)
          .map(([second]) => second)
        let last = -Infinity
        const expected = turns.filter((second) => second - last >= 5 && ((last = second), true))
        expect(secondsOf(play.log, 'fire')).toEqual(expected)
      }),
    )
  })

  it('never fires more often than its interval allows', () => {
    fc.assert(
      fc.property(sequences, fc.boolean(), fc.constantFrom(0, 30), (sequence, Repeat, For) => {
        const { play, now } = playAll(ruleWith({ Repeat, For, RetriggerInterval: 20 }), sequence)
        const fired = secondsOf(play.to(now + 100).log, 'fire')
        for (const [i, second] of fired.entries())
          expect(second - (fired[i - 1] ?? -Infinity)).toBeGreaterThanOrEqual(20)
      }),
    )
  })

  it('a hold fires after its time, excluding up to a minute of unknown values', () => {
    fc.assert(
      fc.property(sequences, fc.constantFrom(20, 60, 90), (sequence, For) => {
        const { play, at, now } = playAll(ruleWith({ For }), sequence)
        const fired: number[] = []
        const changes = new Map(at)
        let [given, known, began, unknownSince]: (number | undefined)[] = [0, 0]
        // Evaluates every second, where the step goes from event to event.
        for (let second = 0; second <= now + 200; second++) {
          if (given === undefined && unknownSince !== undefined && second - unknownSince >= 60) {
            if (began !== undefined) known = 0
            began = undefined
          }
          const turnsTrue = () => {
            if (given === 1 && began !== undefined && second - began >= For) {
              fired.push(second)
              began = undefined
            }
          }
          turnsTrue()
          if (!changes.has(second)) continue
          const next = changes.get(second)
          if (next === 1 && known === 0) began = second
          if (next === 0) began = undefined
          if (next === undefined && given !== undefined) unknownSince = second
          known = next ?? known
          given = next
          turnsTrue()
        }
        expect(secondsOf(play.to(now + 200).log, 'fire')).toEqual(fired)
      }),
      { numRuns: 300 },
    )
  })

  it('each pending end comes, once, after it was last true', () => {
    fc.assert(
      fc.property(sequences, fc.boolean(), fc.constantFrom(0, 30), (sequence, Repeat, For) => {
        const rule = ruleWith({ EndDuration: 60, Repeat, For })
        const { play, now } = playAll(rule, [...sequence, [1, 0]])
        const order = play
          .to(now + 1000)
          .log.filter((line) => /fire|end/.test(line))
          .map((line) => line.split(' ')[1])
        expect(order.at(-1) ?? 'end').toBe('end')
        expect(order.filter((what, i) => what === 'end' && order[i - 1] !== 'fire')).toEqual([])
        expect(play.state.isEndPending).toBe(false)
        expect(play.timers.size).toBe(0)
      }),
    )
  })

  it('stored state is sufficient: a step of a copy is the same step', () => {
    fc.assert(
      fc.property(sequences, (sequence) => {
        const { play, now } = playAll(ruleWith({ For: 30, EndDuration: 60, Repeat: true }), sequence)
        const event: TruthEvent = { kind: 'observed', values: [1], at: now * SECOND, received: now * SECOND }
        const copy = JSON.parse(JSON.stringify(play.state)) as TruthState
        expect(stepTruth(ruleWith(), copy, event, now * SECOND)).toEqual(
          stepTruth(ruleWith(), play.state, event, now * SECOND),
        )
      }),
    )
  })
})
