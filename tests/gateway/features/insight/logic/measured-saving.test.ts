import { describe, expect, it } from 'vitest'
import { baselineOf, type HourlyDay } from '../../../../../gateway/features/insight/logic/baseline.ts'
import { euiOf } from '../../../../../contract/energy/eui.ts'
import {
  measureSaving,
  type SavingInput,
  savingVerdictOf,
} from '../../../../../gateway/features/insight/logic/measured-saving.ts'
import { weekdayOf } from '../../../../../contract/time/periods.ts'
import { OFFICE_FROM, officeLoad } from '../../../../support/simulated-office.ts'

const DAYS = 365
/** Day of the measure. */
const DONE = OFFICE_FROM + 300
const SEEDS = 40
const saved = (share: number) => (kWh: number, day: number) => (day >= DONE ? kWh * (1 - share) : kWh)
const asked = (line: readonly HourlyDay[], more: Partial<SavingInput> = {}): SavingInput => ({
  line,
  comparison: [],
  doneOn: DONE,
  days: 28,
  ...more,
})
/** Another part of the same building: same weather, different noise. */
const others = (seed: number) => [officeLoad({ days: DAYS, seed: seed + 5_000 })]

describe('a baseline', () => {
  it('is the mean of its hours, with a slope if the load follows the temperature', () => {
    const days = officeLoad({ days: 84, seed: 1 })
    const baseline = baselineOf(days)
    expect(baseline?.fit().CvRmse).toBeLessThan(0.15)
    expect(Math.abs(baseline?.fit().Bias ?? 1)).toBeLessThan(0.01)
    expect(baseline?.fit().R2).toBeGreaterThan(0.9)
    const summer = baselineOf(officeLoad({ days: 240, seed: 1 }).slice(170))
    expect(summer?.balancePoint).not.toBeNull()
    const at = (celsius: number) => summer?.expected({ weekday: 3, kind: 0, celsius }, 14) ?? NaN
    // 1.2 kWh per hour and degree.
    expect((at(32) - at(28)) / 4).toBeGreaterThan(0.8)
    expect((at(32) - at(28)) / 4).toBeLessThan(1.6)
  })

  it('has no slope without temperatures, and is empty for unknown days', () => {
    expect(baselineOf(officeLoad({ days: 84, seed: 1, cools: false }))?.balancePoint).toBeNull()
    const silent = officeLoad({ days: 28, seed: 1, change: () => NaN })
    expect(baselineOf(silent)).toBeUndefined()
  })
})

describe('a saving', () => {
  it('is verified for hardly any building in which nothing was done', () => {
    const verified = Array.from({ length: SEEDS }, (_, seed) =>
      measureSaving(asked(officeLoad({ days: DAYS, seed }), { comparison: others(seed) })),
    ).filter(({ Verdict }) => Verdict === 'verified')
    expect(verified.length).toBeLessThanOrEqual(SEEDS * 0.03)
  })

  it('is within its range if there is one, and is verified if it is large', () => {
    let [within, verified] = [0, 0]
    for (let seed = 0; seed < SEEDS; seed++) {
      const change = saved(0.15)
      const line = officeLoad({ days: DAYS, seed, change })
      const { Saving, Verdict } = measureSaving(asked(line, { comparison: others(seed) }))
      if (!Saving) throw new Error('No saving')
      // Consumption of the same building in those days without the measure.
      const truth = line
        .filter(({ day }) => day >= DONE && day < DONE + 28)
        .reduce((sum, { kWh }) => sum + Array.from(kWh).reduce((of, one) => of + (one / 0.85) * 0.15, 0), 0)
      if (Saving.Low <= truth && truth <= Saving.High) within += 1
      if (Verdict === 'verified') verified += 1
      expect(Saving.Dates).toBeGreaterThanOrEqual(12)
    }
    expect(within).toBeGreaterThanOrEqual(SEEDS * 0.9)
    expect(verified).toBeGreaterThanOrEqual(SEEDS * 0.7)
  })

  it('excludes what the comparison meters saved as well', () => {
    const [line, other] = [1, 2].map((seed) => officeLoad({ days: DAYS, seed, change: saved(0.2) })) as [
      HourlyDay[],
      HourlyDay[],
    ]
    expect(measureSaving(asked(line)).Verdict).toBe('verified')
    expect(measureSaving(asked(line, { comparison: [other] })).Verdict).not.toBe('verified')
  })

  describe('of a problem that began within 56 days before it was fixed', () => {
    const BEGAN = DONE - 20
    /** 10 kWh per hour, and 2 more for 20 days: 28 days of it are 28 × 24 × 2 = 1,344 kWh. */
    const line = Array.from({ length: DAYS }, (_, i): HourlyDay => {
      const day = OFFICE_FROM + i
      const weekday = weekdayOf(day)
      const kWh = new Float64Array(24).fill(day >= BEGAN && day < DONE ? 12 : 10)
      return { day, weekday, kind: weekday === 0 ? 2 : weekday === 6 ? 1 : 0, kWh, celsius: null }
    })

    it('is its consumption, by the days on which it existed', () => {
      const { Saving, Verdict } = measureSaving(asked(line, { since: BEGAN }))
      expect(Saving).toMatchObject({
        Baseline: expect.closeTo(28 * 24 * 12, 6),
        Actual: expect.closeTo(28 * 24 * 10, 6),
        Saved: expect.closeTo(1_344, 6),
        // No comparison day is partly affected, so the error is zero.
        Low: expect.closeTo(1_344, 6),
        High: expect.closeTo(1_344, 6),
      })
      expect(Verdict).toBe('verified')
    })

    it('would be partial and unverified by days before it existed', () => {
      const { Saving, Verdict } = measureSaving(asked(line))
      expect(Saving?.Saved).toBeLessThan(0.5 * 1_344)
      expect(Verdict).not.toBe('verified')
    })

    it('is unknown if it existed for under a week, and uses 56 days if for longer', () => {
      expect(measureSaving(asked(line, { since: DONE - 6 }))).toEqual({
        Saving: null,
        Verdict: null,
        Lack: 'before',
      })
      const office = officeLoad({ days: DAYS, seed: 4, change: saved(0.2) })
      expect(measureSaving(asked(office, { since: OFFICE_FROM - 1 }))).toEqual(measureSaving(asked(office)))
    })
  })

  it('has no verdict if data is missing, and says which', () => {
    const line = officeLoad({ days: DAYS, seed: 3 })
    const lack = (more: Partial<SavingInput>, of = line) => measureSaving(asked(of, more)).Lack
    expect(lack({})).toBeNull()
    expect(lack({ doneOn: OFFICE_FROM + DAYS - 20 })).toBe('after')
    expect(lack({ doneOn: OFFICE_FROM + 40 })).toBe('before')
    expect(lack({ doneOn: OFFICE_FROM + 120 })).toBe('dates')
    expect(lack({ otherMeasures: [DONE - 60, DONE - 150, DONE - 230] })).toBe('dates')
    const wild = officeLoad({
      days: DAYS,
      seed: 3,
      change: (kWh, day, hour) => kWh * ((day * 7 + hour * 13) % 11),
    })
    expect(lack({}, wild)).toBe('fit')
    expect(measureSaving(asked(wild)).Verdict).toBeNull()
  })

  it('is too uncertain if its range could not have shown it, and otherwise not detected', () => {
    expect(savingVerdictOf(10, 5)).toBe('verified')
    expect(savingVerdictOf(10, 20)).toBe('tooUncertain')
    expect(savingVerdictOf(-10, 5)).toBe('notSeen')
    expect(savingVerdictOf(2, 5, 20)).toBe('notSeen')
    expect(savingVerdictOf(-2, 30, 20)).toBe('tooUncertain')
  })
})

describe('an energy use intensity', () => {
  const year = Array.from({ length: 365 }, () => ({ kWh: 10, complete: 1, area: 50 as number | null }))
  it('is the energy of 365 days by the area of each', () => {
    expect(euiOf(year)).toEqual({ Eui: expect.closeTo(73), Complete: 1 })
    expect(euiOf([...year, ...year.map((day) => ({ ...day, area: 100 }))])).toMatchObject({
      Eui: expect.closeTo(36.5),
    })
  })
  it('is unknown without an area, a year and data', () => {
    expect(euiOf(year.map((day, i) => (i === 5 ? { ...day, area: null } : day)))).toEqual({ Lack: 'area' })
    expect(euiOf(year.slice(1))).toEqual({ Lack: 'days' })
    expect(euiOf(year.map((day) => ({ ...day, complete: 0.8 })))).toEqual({ Lack: 'coverage' })
  })
})
