import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChangeInput,
  type ChangeLine,
  type EarlierPart,
  explainChange,
} from '../../../contract/tariffs/explain-change.ts'
import { weatherChange, weatherEffectOf } from '../../../gateway/features/insight/logic/weather-effect.ts'
import { parseDay, DAY_TYPES } from '../../../contract/time/periods.ts'
import { TAIPOWER_PLANS } from '../../../contract/tariffs/taipower-plans.ts'
import { bandsOfType, seasonOf, versionOn } from '../../../contract/tariffs/tariff-terms.ts'

const KINDS = DAY_TYPES.length
const CELLS = 24
/** Parts of a month under a plan: two if a season begins in it. */
const partsOf = (plan: string, dates: readonly string[], regular: number): EarlierPart[] => {
  const versions = TAIPOWER_PLANS.find(({ PlanID }) => PlanID === plan)?.Versions ?? []
  return dates.flatMap((date) => {
    const version = versionOn(versions, parseDay(date))
    if (!version) return []
    const terms = { Capacities: regular ? { regular } : {}, Phases: 'three' as const, PowerFactor: 92 }
    return [{ bill: 0, version, season: seasonOf(version, parseDay(date)), terms }]
  })
}

interface Drawn {
  plan: string
  days: number[]
  daysNow: number[]
  lines: {
    key: string
    isFlow: boolean
    base: number[]
    now: number[]
    known: number[]
    knownNow: number[]
  }[]
  peaks: [number, number]
  amounts: [number, number]
  weather: number[] | undefined
  lacking: [number, number] | undefined
}

function inputOf({ plan, days, daysNow, lines, peaks, amounts, weather, lacking }: Drawn): ChangeInput {
  const parts = partsOf(plan, ['2026-05-20', '2026-06-02'], 30)
  const places = parts.length * KINDS
  const daysOf = (of: number[]) => Int32Array.from({ length: places }, (_, i) => of[i % of.length] as number)
  const [base, now] = [daysOf(days), daysOf(daysNow)]
  const side = (kWh: number[], known: number[], count: Int32Array) => {
    const due = Float64Array.from(count, (one) => one * 96)
    const is = due.map((one, i) => Math.floor(one * (known[i % known.length] as number)))
    return {
      // Unknown intervals contain no energy.
      kWh: Float64Array.from({ length: places * CELLS }, (_, i) => {
        const place = Math.floor(i / CELLS)
        return (is[place] as number) > 0 ? (kWh[i % kWh.length] as number) * (count[place] as number) : 0
      }),
      known: is,
      due,
    }
  }
  return {
    parts: parts.length,
    kinds: KINDS,
    cells: CELLS,
    days: { base, now },
    lines: lines.map((line): ChangeLine => ({
      key: line.key,
      isFlow: line.isFlow,
      base: side(line.base, line.known, base),
      now: side(line.now, line.knownNow, now),
    })),
    lacking: lacking && {
      base: new Float64Array(places * CELLS).fill(lacking[0]),
      now: new Float64Array(places * CELLS).fill(lacking[1]),
    },
    weather: weather && lines.map((_, i) => weather[i % weather.length] as number),
    prices: {
      months: [1],
      parts,
      bandOf: (part, kind, cell) => {
        const { version, season } = parts[part] as EarlierPart
        const spans = bandsOfType(version, season, DAY_TYPES[kind] as (typeof DAY_TYPES)[number])
        return spans.find(({ ThroughMinute }) => cell * 60 < ThroughMinute)?.Band ?? 'flat'
      },
      peaks: {
        base: parts.map(() => ({ peak: peaks[0], offPeak: peaks[0] / 2, flat: peaks[0] })),
        now: parts.map(() => ({ peak: peaks[1], offPeak: peaks[1] / 2, flat: peaks[1] })),
      },
      amounts: { base: amounts[0], now: amounts[1] },
    },
  }
}

const kWh = fc.double({ min: 0, max: 40, noNaN: true })
const share = fc.constantFrom(0, 0.3, 0.97, 1)
const drawn: fc.Arbitrary<Drawn> = fc.record({
  plan: fc.constantFrom(...TAIPOWER_PLANS.map(({ PlanID }) => PlanID)),
  days: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 6, maxLength: 6 }),
  daysNow: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 6, maxLength: 6 }),
  lines: fc.array(
    fc.record({
      key: fc.string({ minLength: 1, maxLength: 4 }),
      isFlow: fc.boolean(),
      base: fc.array(kWh, { minLength: 1, maxLength: 50 }),
      now: fc.array(kWh, { minLength: 1, maxLength: 50 }),
      known: fc.array(share, { minLength: 1, maxLength: 6 }),
      knownNow: fc.array(share, { minLength: 1, maxLength: 6 }),
    }),
    { maxLength: 5 },
  ),
  peaks: fc.tuple(fc.double({ min: 0, max: 90, noNaN: true }), fc.double({ min: 0, max: 90, noNaN: true })),
  amounts: fc.tuple(fc.integer({ min: 0, max: 1e8 }), fc.integer({ min: 0, max: 1e8 })),
  weather: fc.option(fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 1 }), {
    nil: undefined,
  }),
  lacking: fc.option(
    fc.tuple(fc.double({ min: 0, max: 2, noNaN: true }), fc.double({ min: 0, max: 2, noNaN: true })),
    {
      nil: undefined,
    },
  ),
})

const counted = (lines: readonly ChangeLine[], side: 'base' | 'now') =>
  lines.reduce((sum, line) => sum + line[side].kWh.reduce((of, one) => of + one, 0), 0)

describe('the reasons for a difference between periods', () => {
  it('add up to the cent under any tariff, and to the kWh, whatever is missing', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const input = inputOf(one)
        const rows = explainChange(input)
        const cents = rows.reduce((sum, row) => sum + (row.cents as number), 0)
        expect(cents).toBe(one.amounts[1] - one.amounts[0])
        expect(rows.every((row) => Number.isInteger(row.cents))).toBe(true)
        const energy = rows.reduce((sum, row) => sum + row.kWh, 0)
        const slots = input.parts * KINDS * CELLS
        const lack = one.lacking ? (one.lacking[1] - one.lacking[0]) * slots : 0
        expect(energy).toBeCloseTo(counted(input.lines, 'now') - counted(input.lines, 'base') + lack, 3)
      }),
      { numRuns: 150 },
    )
  })

  it('are empty if both periods are alike', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const lines = one.lines.map((line) => ({ ...line, now: line.base, knownNow: line.known }))
        const same = { ...one, lines, daysNow: one.days, weather: undefined, lacking: undefined }
        const alike: Drawn = { ...same, peaks: [one.peaks[0], one.peaks[0]], amounts: [5_00, 5_00] }
        expect(explainChange(inputOf(alike))).toEqual([])
      }),
    )
  })

  const simple: Drawn = {
    plan: 'lv_two_stage',
    days: [10, 2, 3],
    daysNow: [10, 2, 3],
    lines: [{ key: 'a', isFlow: false, base: [1], now: [1], known: [1], knownNow: [1] }],
    peaks: [10, 10],
    amounts: [0, 0],
    weather: undefined,
    lacking: undefined,
  }
  const kinds = (one: Drawn) => explainChange(inputOf(one)).map(({ kind, key }) => `${kind} ${key}`.trim())

  it('name the calendar if only the number of days of a kind differs', () => {
    const [row, ...others] = explainChange(inputOf({ ...simple, daysNow: [12, 2, 3] }))
    expect(row).toMatchObject({ kind: 'calendar' })
    expect(row?.kWh).toBeCloseTo(2 * 2 * CELLS)
    // The given bills differ from the ones computed here: the difference is attributed to prices.
    expect(others.map(({ kind }) => kind)).toEqual(['prices'])
  })

  it('name the line that used more, and no other', () => {
    const lines = [
      { key: 'a', isFlow: false, base: [1], now: [2], known: [1], knownNow: [1] },
      { key: 'b', isFlow: false, base: [3], now: [3], known: [1], knownNow: [1] },
    ]
    expect(kinds({ ...simple, lines })).toEqual(['line a', 'prices'])
  })

  it('never treat a silent meter as saved energy', () => {
    const lines = [{ key: 'a', isFlow: false, base: [1], now: [1], known: [1], knownNow: [0] }]
    const [row, ...others] = explainChange(inputOf({ ...simple, lines }))
    expect(row?.kind).toBe('coverage')
    expect(row?.kWh).toBeCloseTo(-30 * CELLS)
    expect(others.map(({ kind }) => kind)).toEqual(['prices'])
  })

  it('include added and removed lines', () => {
    const input = inputOf({
      ...simple,
      lines: [
        { key: 'new', isFlow: false, base: [0], now: [2], known: [1], knownNow: [1] },
        { key: 'gone', isFlow: false, base: [2], now: [0], known: [1], knownNow: [1] },
      ],
    })
    const none = new Float64Array(input.parts * KINDS)
    const [first, second] = input.lines as [ChangeLine, ChangeLine]
    const rows = explainChange({
      ...input,
      lines: [
        { ...first, base: { ...first.base, known: none, due: none } },
        { ...second, now: { ...second.now, known: none, due: none } },
      ],
    })
    expect(rows.flatMap(({ key, state }) => (state ? [`${key} ${state}`] : []))).toEqual([
      'new new',
      'gone removed',
    ])
  })

  it('name the demand if only the excess over the contract grew', () => {
    const [row] = explainChange(inputOf({ ...simple, peaks: [10, 60] }))
    expect(row).toMatchObject({ kind: 'demand', kWh: 0 })
    expect(row?.cents).toBeGreaterThan(0)
  })

  it('subtract the weather effect from each line', () => {
    const lines = [{ key: 'a', isFlow: false, base: [1], now: [1], known: [1], knownNow: [1] }]
    const rows = explainChange(inputOf({ ...simple, lines, weather: [100] }))
    expect(rows.map(({ kind, kWh: energy }) => [kind, Math.round(energy)])).toEqual([
      ['weather', 100],
      ['line', -100],
    ])
  })

  it('have kWh and no amounts if a day has no price', () => {
    const input = { ...inputOf({ ...simple, daysNow: [12, 2, 3] }), prices: null }
    expect(explainChange(input).map(({ kind, cents }) => [kind, cents])).toEqual([['calendar', null]])
  })
})

describe('the effect of the weather', () => {
  const days = Array.from({ length: 40 }, (_, i) => ({
    kWh: 100 + (i % 2) * 50 + 7 * Math.max(0, 20 + (i % 12) - 24),
    celsius: 20 + (i % 12),
    kind: i % 2,
  }))
  it('is the energy for each degree above the balance point, within kinds of days', () => {
    const effect = weatherEffectOf(days)
    expect(effect).toMatchObject({ balance: 24 })
    expect(effect?.slope).toBeCloseTo(7)
    expect(weatherChange({ balance: 24, slope: 7, explained: 1 }, [24, 24], [26, 28], 10)).toBeCloseTo(210)
  })
  it('is none for few days, or energy independent of it', () => {
    expect(weatherEffectOf(days.slice(0, 19))).toBeUndefined()
    expect(weatherEffectOf(days.map((one) => ({ ...one, kWh: 5 })))).toBeUndefined()
    expect(weatherEffectOf(days.map((one) => ({ ...one, kWh: -one.kWh })))).toBeUndefined()
  })
})
