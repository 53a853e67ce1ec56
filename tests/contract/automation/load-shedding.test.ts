import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHED_DEFAULTS } from '../../../contract/automation/alarm-part.ts'
import {
  type GuardDecision,
  type GuardedLoad,
  type GuardInput,
  planRestore,
  planShed,
} from '../../../contract/automation/load-shedding.ts'

const QUARTER = 900_000
const BEGIN = QUARTER * 1_000_000
const load = (kw: number | null, more: Partial<GuardedLoad> = {}): GuardedLoad => ({
  is: 'on',
  kw,
  minOff: 600,
  maxOff: 3600,
  givenBackAt: null,
  ...more,
})
const input = (more: Partial<GuardInput> = {}): GuardInput => ({
  now: BEGIN + 600_000,
  forecast: 110,
  asOf: BEGIN + 600_000,
  target: 100,
  isTooSlow: false,
  loads: [load(20), load(30), load(40)],
  paces: SHED_DEFAULTS,
  ...more,
})
const isShed = (at: number, more: Partial<NonNullable<GuardedLoad['shed']>> = {}) => ({
  is: 'off' as const,
  shed: { at, state: 'off' as const, confirmedAt: at, kw: 20, ...more },
})

describe('the plan of a contract guard', () => {
  it('sheds from the top until the rest of the quarter covers the excess, and no more', () => {
    // 13 kW above 97: over a third of the quarter they are 39 kW of loads.
    expect(planShed(input())).toMatchObject({ state: 'shedding', shed: [0, 1] })
    expect(planShed(input({ forecast: 98 }))).toMatchObject({ shed: [0] })
    expect(planShed(input({ forecast: 96 }))).toMatchObject({ state: 'watching', shed: [] })
  })

  it('sheds nothing in the first three minutes, on partial data, without a contract, or with slow meters', () => {
    expect(planShed(input({ now: BEGIN + 100_000 }))).toMatchObject({ state: 'idle', shed: [] })
    expect(planShed(input({ forecast: null }))).toMatchObject({ state: 'partialData', shed: [] })
    expect(planShed(input({ target: null }))).toMatchObject({ state: 'noContract', shed: [] })
    expect(planShed(input({ isTooSlow: true }))).toMatchObject({ state: 'tooSlow', shed: [] })
  })

  it('waits until commands are confirmed, and counts what meters have not measured yet', () => {
    const sent = load(20, isShed(BEGIN + 595_000, { state: 'sent', confirmedAt: null }))
    expect(planShed(input({ loads: [sent, load(30)] }))).toMatchObject({ state: 'shedding', shed: [] })
    const off = load(0, isShed(BEGIN + 600_000, { kw: 39 }))
    const later = input({ now: BEGIN + 610_000, asOf: BEGIN + 590_000, loads: [off, load(30)] })
    expect(planShed(later)).toMatchObject({ state: 'shedding', shed: [] })
    // A later report already includes it in the forecast.
    expect(planShed({ ...later, asOf: BEGIN + 605_000 })).toMatchObject({ shed: [1] })
  })

  it('skips loads that are off or offline, and sheds unmeasured ones without counting them', () => {
    const loads = [load(50, { is: 'off' }), load(50, { is: 'unknown' }), load(null), load(40)]
    expect(planShed(input({ loads }))).toMatchObject({ state: 'shedding', shed: [2, 3] })
  })

  it('warns early if the listed loads do not suffice, and sheds them all', () => {
    const { state, shed, lacks } = planShed(input({ forecast: 200 }))
    expect({ state, shed }).toEqual({ state: 'cannotHold', shed: [0, 1, 2] })
    expect(lacks).toBeCloseTo(100 - 90 / 3, 6)
  })

  it('restores in a later quarter, in reverse order, one a minute, with enough margin', () => {
    const shed = [BEGIN + 600_000, BEGIN + 660_000].map((at) => load(20, isShed(at)))
    const now = BEGIN + 600_000
    const same = input({ now: now + 200_000, forecast: 50, loads: shed })
    expect(planShed(same), 'in the same quarter').toMatchObject({ state: 'shedding', giveBack: [] })
    const next = input({ now: now + QUARTER, asOf: now + QUARTER, forecast: 50, loads: shed })
    expect(planShed(next)).toMatchObject({ state: 'givingBack', giveBack: [1] })
    expect(planShed({ ...next, forecast: 86 }), 'little room').toMatchObject({ giveBack: [] })
    const [first] = shed
    const given = load(20, { givenBackAt: now + QUARTER - 30_000 })
    expect(planShed({ ...next, loads: [first as GuardedLoad, given] })).toMatchObject({ giveBack: [] })
    const earlier = load(20, { givenBackAt: now + QUARTER - 60_000 })
    expect(planShed({ ...next, loads: [first as GuardedLoad, earlier] })).toMatchObject({ giveBack: [0] })
  })

  it('uses the margins and the pace of its rule', () => {
    const paces = { HoldBelow: 99, GiveBackBelow: 50, GiveBackEvery: 600 }
    expect(planShed(input({ forecast: 98, paces })), 'a site of 60 MW holds 99 %').toMatchObject({ shed: [] })
    const later = { now: BEGIN + QUARTER + 300_000, asOf: BEGIN + QUARTER + 300_000, paces }
    const loads = [load(20, isShed(BEGIN)), load(20, isShed(BEGIN + 1))]
    expect(planShed(input({ ...later, forecast: 60, loads })), '60 % is no room').toMatchObject({
      giveBack: [],
    })
    expect(planShed(input({ ...later, forecast: 40, loads }))).toMatchObject({ giveBack: [1] })
    const given = [load(20, isShed(BEGIN)), load(20, { givenBackAt: later.now - 300_000 })]
    expect(
      planShed(input({ ...later, forecast: 40, loads: given })),
      'the last one was five minutes ago',
    ).toMatchObject({
      giveBack: [],
    })
  })

  it('restores what has been off for the maximum time, whatever is known', () => {
    const loads = [load(20, { ...isShed(BEGIN - 3_600_000), maxOff: 3600 }), load(30)]
    for (const more of [{ forecast: null }, { target: null }, { forecast: 40 }])
      expect(planShed(input({ loads, ...more })).giveBack).toEqual([0])
  })
})

/** Whether a guard acts, and its knowledge, at each evaluation. */
const looks = fc.array(
  fc.record({
    isActive: fc.boolean(),
    forecast: fc.option(fc.double({ min: 0, max: 150, noNaN: true })),
    target: fc.option(fc.constant(100), { freq: 4 }),
    isTooSlow: fc.boolean(),
    after: fc.integer({ min: 5, max: 120 }),
  }),
  { minLength: 50, maxLength: 300 },
)
const kept = fc.array(
  fc.record({
    kw: fc.integer({ min: 1, max: 40 }),
    minOff: fc.integer({ min: 0, max: 1200 }),
    longer: fc.integer({ min: 0, max: 1200 }),
  }),
  { minLength: 1, maxLength: 8 },
)

describe('restoring', () => {
  it('keeps MinOff, and one load per GiveBackEvery, whatever is known and whether the guard acts', () => {
    fc.assert(
      fc.property(kept, looks, fc.integer({ min: 30, max: 300 }), (all, moments, GiveBackEvery) => {
        const paces = { ...SHED_DEFAULTS, GiveBackEvery }
        const loads = all.map(({ kw, minOff, longer }) => load(kw, { minOff, maxOff: minOff + 60 + longer }))
        const given: number[] = []
        let now = BEGIN
        for (const { isActive, after, ...known } of moments) {
          now += after * 1000
          const { shed, giveBack } = isActive
            ? planShed({ ...known, now, asOf: now, loads, paces })
            : { shed: [], giveBack: planRestore({ now, loads, paces }) }
          for (const place of giveBack) {
            const one = loads[place] as GuardedLoad
            expect(now - (one.shed?.confirmedAt ?? now)).toBeGreaterThanOrEqual(one.minOff * 1000)
            expect(now - (given.at(-1) ?? -Infinity)).toBeGreaterThanOrEqual(GiveBackEvery * 1000)
            given.push(now)
            const { shed: _, ...rest } = one
            loads[place] = { ...rest, is: 'on', givenBackAt: now }
          }
          for (const place of shed) loads[place] = { ...(loads[place] as GuardedLoad), ...isShed(now) }
        }
      }),
    )
  })

  it('of an inactive guard ends with everything restored, the last shed first', () => {
    const loads = [BEGIN, BEGIN + 60_000].map((at) => load(20, isShed(at)))
    expect(planRestore({ now: BEGIN + 599_000, loads, paces: SHED_DEFAULTS })).toEqual([])
    expect(planRestore({ now: BEGIN + 700_000, loads, paces: SHED_DEFAULTS })).toEqual([1])
  })
})

/** Quarter of an hour with meters that report each minute and loads that switch immediately. Power in kW. */
interface Window {
  target: number
  /** Other load in each minute. */
  base: number[]
  loads: number[]
}

interface Lived {
  /** Resulting demand of the quarter. */
  demand: number
  decisions: GuardDecision[]
}

function live({ target, base, loads }: Window): Lived {
  const shed = loads.map((): { at: number } | undefined => undefined)
  const power = (at: number) =>
    (base[Math.min(14, Math.floor(at / 60_000))] ?? 0) +
    loads.reduce((sum, kw, i) => sum + (shed[i] ? 0 : kw), 0)
  let energy = 0
  let report = { at: 0, energy: 0, power: power(0) }
  const decisions: GuardDecision[] = []
  const STEP = 5_000
  for (let at = 0; at < QUARTER; at += STEP) {
    if (at % 60_000 === 0) report = { at, energy, power: power(at) }
    const forecast = (report.energy + (report.power * (QUARTER - report.at)) / 3_600_000) * 4
    const decision = planShed({
      now: BEGIN + at,
      forecast,
      asOf: BEGIN + report.at,
      target,
      isTooSlow: false,
      paces: SHED_DEFAULTS,
      loads: loads.map((kw, i): GuardedLoad => {
        const one = shed[i]
        return load(one ? 0 : kw, one && isShed(BEGIN + one.at, { kw }))
      }),
    })
    decisions.push(decision)
    for (const place of decision.shed) shed[place] = { at }
    energy += (power(at) * STEP) / 3_600_000
  }
  return { demand: energy * 4, decisions }
}

/** Window whose last minute brings no change: every excess is reported 60 s before the end. */
const windows = fc
  .record({
    target: fc.integer({ min: 50, max: 5000 }),
    levels: fc.array(fc.double({ min: 0, max: 1.6, noNaN: true }), { minLength: 15, maxLength: 15 }),
    shares: fc.array(fc.double({ min: 0.01, max: 0.5, noNaN: true }), { minLength: 0, maxLength: 8 }),
  })
  .map(({ target, levels, shares }): Window => {
    const base = levels.map((level) => level * target)
    base[14] = base[13] as number
    return { target, base, loads: shares.map((share) => share * target) }
  })
describe('a contract guard over whole quarters', () => {
  it('holds each of 1,000 windows, or warns before the end', () => {
    fc.assert(
      fc.property(windows, (window) => {
        const { demand, decisions } = live(window)
        const hasSaid = decisions.some(({ state }) => state === 'cannotHold')
        expect(demand <= window.target + 1e-6 || hasSaid).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('sheds nothing if the quarter would have stayed below its target anyway', () => {
    fc.assert(
      fc.property(windows, ({ target, base, loads }) => {
        const most = Math.max(...base) + loads.reduce((sum, kw) => sum + kw, 0)
        const { decisions } = live({ target: most / 0.97 + 1, base, loads })
        expect(decisions.flatMap(({ shed }) => shed)).toEqual([])
        expect(target).toBeGreaterThan(0)
      }),
    )
  })
})
