import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  intervalsOf,
  JITTER_KWH,
  JITTER_REACH,
  quarterOf,
  type Sample,
} from '../../../contract/meters/intervals.ts'
import {
  COUNTED_ZEROS_MS,
  validateReadings,
  MAX_GLITCH_READINGS,
  MAX_ZEROS_MS,
  type Reading,
} from '../../../contract/meters/validate-readings.ts'
import { withReplacements } from '../../../contract/meters/replacements.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'

const HOUR = 4 * QUARTER_MS
const DAY = 24 * HOUR
/** 2026-03-02, at midnight. */
const START = Date.UTC(2026, 2, 2)

/** Energy of readings, with their validation results. */
function count(readings: readonly Reading[], maxKw?: number) {
  const { accepted, quarantined } = validateReadings(readings, {}, maxKw)
  const [first, last] = [accepted[0], accepted.at(-1)]
  if (!first || !last) return { kWh: 0, lowest: 0, resets: 0, letters: '', reasons: [], accepted }
  const { kwh, quality, resets } = intervalsOf(
    accepted,
    quarterOf(first.timestamp),
    quarterOf(last.timestamp) + 1,
  )
  return {
    kWh: kwh.reduce((sum, one) => sum + one, 0),
    lowest: Math.min(...kwh),
    resets: resets.length,
    letters: quality.join(''),
    reasons: quarantined.map(({ reason }) => reason),
    accepted,
  }
}

/** Counter that really counted, from some kWh on, at one reporting interval. */
const counter = fc
  .record({
    begin: fc.double({ min: 20, max: 90_000, noNaN: true }),
    minutes: fc.constantFrom(1, 5, 15, 60),
    steps: fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 30, maxLength: 200 }),
  })
  .map(({ begin, minutes, steps }): Sample[] => {
    let kwh = begin
    return steps.map((step, i) => ({ timestamp: START + i * minutes * 60_000, kwh: (kwh += step) }))
  })
const truth = (samples: readonly Sample[]) => (samples.at(-1)?.kwh ?? 0) - (samples[0]?.kwh ?? 0)
/** Disjoint runs of positions in a list, away from its ends and with a maximum length. */
const runsOf = (length: number) =>
  fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: length })), {
    minLength: 1,
    maxLength: 12,
  })
function placesOf(runs: readonly (readonly [number, number])[], end: number): Set<number> {
  const places = new Set<number>()
  let at = 1
  for (const [gap, length] of runs) {
    at += gap
    for (let i = 0; i < length && at < end - 1; i++) places.add(at++)
  }
  return places
}

describe('a counter that reads 0 and returns', () => {
  it('counts its movement in between, however long it read 0', () => {
    fc.assert(
      fc.property(counter, runsOf(60), (real, runs) => {
        const zeros = placesOf(runs, real.length)
        const seen = real.map((one, i) => (zeros.has(i) ? { ...one, kwh: 0 } : one))
        const { kWh, resets, reasons } = count(seen)
        expect(kWh).toBeCloseTo(truth(real), 6)
        expect([resets, reasons.filter((reason) => reason !== 'dip').length]).toEqual([0, 0])
        expect(reasons).toHaveLength(zeros.size)
      }),
    )
  })

  it('is 48 kWh, not 1,330, for an inverter that reads 0 at night', () => {
    let kwh = 640
    const readings = Array.from({ length: 3 * 96 }, (_, i) => {
      const hour = (i % 96) / 4
      const isLight = hour >= 6 && hour < 18
      if (isLight) kwh += 1 / 3
      return { timestamp: START + i * QUARTER_MS, kwh: isLight ? kwh : 0 }
    })
    const day = readings.filter(({ kwh: one }) => one > 0)
    expect(count(readings.slice(24, -24)).kWh).toBeCloseTo((day.at(-1)?.kwh ?? 0) - (day[0]?.kwh ?? 0), 9)
    expect(count(readings.slice(24, -24)).kWh).toBeCloseTo(48 - 1 / 3, 6)
  })

  it('counts no energy for a meter that read 0 since it was added', () => {
    const readings = [0, 0, 0, 640, 640.3, 640.6].map((kwh, i) => ({
      timestamp: START + i * QUARTER_MS,
      kwh,
    }))
    expect(count(readings).kWh).toBeCloseTo(0.6, 6)
    expect(count(readings).letters).toBe('mm-mm-')
  })

  it('counts energy if a new meter continues at the power of its first step', () => {
    const readings = [0, 0, 500, 980, 1500].map((kwh, i) => ({ timestamp: START + i * QUARTER_MS, kwh }))
    expect(count(readings).kWh).toBe(1500)
  })

  it('is not treated as replaced while it reads 0', () => {
    const readings = [10, 11, 0, 0].map((kwh, i) => ({ timestamp: START + i * QUARTER_MS, kwh }))
    expect(count(readings)).toMatchObject({ kWh: 1, resets: 0, letters: 'm-', reasons: ['dip', 'dip'] })
  })

  it('was reset if it has read 0 for 90 days', () => {
    const kwh = [10, 11, ...Array.from({ length: 92 * 24 }, () => 0)]
    const readings = kwh.map((one, i) => ({ timestamp: START + i * HOUR, kwh: one }))
    const { kWh, resets, accepted } = count(readings)
    expect([kWh, resets]).toEqual([1, 1])
    expect(accepted[2]?.timestamp).toBe(START + HOUR + MAX_ZEROS_MS - COUNTED_ZEROS_MS)
    expect(accepted.at(-1)).toEqual(readings.at(-1))
  })

  it('was reset if it counts up from 0, since the zeros of the last 12 hours', () => {
    const zeros = COUNTED_ZEROS_MS / QUARTER_MS + 5
    const kwh = [10, 11, ...Array.from({ length: zeros }, () => 0), 0.5, 1]
    const { kWh, resets, reasons, letters } = count(
      kwh.map((one, i) => ({ timestamp: START + i * QUARTER_MS, kwh: one })),
    )
    expect([kWh, resets, reasons.length]).toEqual([2, 1, 4])
    expect(letters.slice(0, 7)).toBe('m----qm')
  })
})

describe('a counter that is briefly misread low', () => {
  it('counts its movement in between, and each low reading needs a decision', () => {
    const brief = fc.tuple(
      counter,
      runsOf(MAX_GLITCH_READINGS),
      fc.double({ min: 0.1, max: 0.9, noNaN: true }),
    )
    fc.assert(
      fc.property(brief, ([real, runs, share]) => {
        const [first, second] = real as [Sample, Sample]
        const cadence = second.timestamp - first.timestamp
        // The recovery is within three hours of the last valid reading.
        const longest = Math.min(MAX_GLITCH_READINGS, (3 * HOUR) / cadence - 1)
        const low = (first.kwh - 1) * share
        const lows = placesOf(
          runs.map(([gap, length]) => [gap, Math.min(length, longest)] as const),
          real.length,
        )
        const { kWh, resets, reasons } = count(
          real.map((one, i) => (lows.has(i) ? { ...one, kwh: low } : one)),
        )
        expect(kWh).toBeCloseTo(truth(real), 6)
        expect([resets, new Set(reasons)]).toEqual([0, new Set(['glitch'])])
      }),
    )
  })
})

describe('a counter that resets each day', () => {
  it("counts each day's energy, and marks each midnight as unknown", () => {
    const days = fc.record({
      minutes: fc.constantFrom(5, 15, 30, 60),
      totals: fc.array(fc.double({ min: 5, max: 60, noNaN: true }), { minLength: 2, maxLength: 5 }),
      late: fc.integer({ min: 1, max: 59_999 }),
      night: fc.constantFrom(0, 1, 6),
    })
    fc.assert(
      fc.property(days, ({ minutes, totals, late, night }) => {
        const perDay = DAY / (minutes * 60_000)
        const readings = totals.flatMap((total, day) =>
          Array.from({ length: perDay }, (_, i) => {
            const at = i * minutes * 60_000 + late
            const share = Math.max(0, (at - night * HOUR) / (DAY - night * HOUR))
            return { timestamp: START + day * DAY + at, kwh: total * share }
          }),
        )
        const counted = totals.map((_, day) => truth(readings.slice(day * perDay, (day + 1) * perDay)))
        const { kWh, resets, lowest, reasons } = count(readings)
        expect(kWh).toBeCloseTo(
          counted.reduce((sum, one) => sum + one, 0),
          6,
        )
        expect([resets, reasons]).toEqual([totals.length - 1, []])
        expect(lowest).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('a device that restarts', () => {
  it('never counts more than it used if it continues from 0 or its last saved value', () => {
    const restarts = fc.record({
      steps: fc.array(fc.double({ min: 0.02, max: 5, noNaN: true }), { minLength: 20, maxLength: 120 }),
      at: fc.array(fc.nat(119), { maxLength: 6 }),
      saved: fc.constantFrom(0, 1, 4, 24),
    })
    fc.assert(
      fc.property(restarts, ({ steps, at, saved }) => {
        const places = new Set(at)
        const shown: Sample[] = []
        let [kwh, stored] = [1000, saved === 0 ? 0 : 1000]
        for (const [i, step] of steps.entries()) {
          if (i > 0 && places.has(i)) kwh = stored
          shown.push({ timestamp: START + i * QUARTER_MS, kwh: (kwh += step) })
          // The meter saves its counter every n readings, and restarts from the saved value.
          if (saved > 0 && i % saved === 0) stored = kwh
        }
        const { kWh, lowest } = count(shown)
        expect(kWh).toBeLessThanOrEqual(steps.slice(1).reduce((sum, one) => sum + one, 0) + 1e-6)
        expect(lowest).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('a counter with an alternating last digit', () => {
  it('counts its movement, with nothing quarantined and nothing reset', () => {
    const jitter = fc.double({ min: 0.0001, max: JITTER_KWH / 2, noNaN: true })
    fc.assert(
      fc.property(counter, runsOf(JITTER_REACH - 1), jitter, (real, runs, by) => {
        const back = placesOf(runs, real.length)
        const { kWh, resets, reasons, lowest } = count(
          real.map((one, i) => (back.has(i) ? { ...one, kwh: (real[i - 1]?.kwh ?? 0) - by } : one)),
        )
        expect(kWh).toBeCloseTo(truth(real), 6)
        expect([resets, reasons]).toEqual([0, []])
        expect(lowest).toBeGreaterThanOrEqual(-1e-12)
      }),
    )
  })

  it('quarantines nothing for 0.001 kWh four times a day', () => {
    const readings = Array.from({ length: 96 }, (_, i) => ({
      timestamp: START + i * QUARTER_MS,
      kwh: i % 24 === 5 ? 499.999 : 500,
    }))
    expect(count(readings)).toMatchObject({ kWh: 0, resets: 0, reasons: [], letters: `${'m'.repeat(95)}-` })
  })

  it('quarantines nothing for 0.01 kWh, which is inexact in binary', () => {
    const readings = Array.from({ length: 96 }, (_, i) => ({
      timestamp: START + i * QUARTER_MS,
      kwh: i % 2 === 0 ? 100.01 : 100,
    }))
    expect(count(readings)).toMatchObject({ kWh: 0, resets: 0, reasons: [] })
  })

  it('has dropped if it declines step by step', () => {
    const readings = Array.from({ length: 20 }, (_, i) => ({
      timestamp: START + i * QUARTER_MS,
      kwh: 9 - i * 0.006,
    }))
    expect(count(readings).resets).toBeGreaterThan(3)
  })
})

describe('a reading with an unset clock', () => {
  const live = (from: number, kwh: number) =>
    Array.from({ length: 20 }, (_, i) => ({ timestamp: from + i * QUARTER_MS, kwh: kwh + i }))

  it.each([
    ['2000-01-01', Date.UTC(2000, 0, 1), 4711],
    ['the day its firmware was built', START - 100 * DAY, 4799.9],
  ])('is not the first of a meter: %s', (_, at, kwh) => {
    const early = [0, 5_000, 65_000].map((ms) => ({ timestamp: at + ms, kwh }))
    const { reasons, accepted, kWh } = count([...early, ...live(START, 4800)])
    expect([reasons, accepted[0]?.timestamp, kWh]).toEqual([['clock', 'clock', 'clock'], START, 19])
  })

  it('counts if the meter counted in between, or reports as rarely as that', () => {
    const early = { timestamp: START - 100 * DAY, kwh: 4000 }
    const { kWh, reasons } = count([early, ...live(START, 4800)])
    expect([Math.round(kWh * 1e6) / 1e6, reasons]).toEqual([819, []])
    const monthly = Array.from({ length: 6 }, (_, i) => ({ timestamp: START + i * 31 * DAY, kwh: i / 10 }))
    expect(count(monthly).reasons).toEqual([])
  })
})

describe('a replacement entered at the time of the first new reading', () => {
  it('counts the old meter and the new one since the previous reading', () => {
    const readings = [99_990, 99_995, 3, 9].map((kwh, i) => ({ timestamp: START + i * QUARTER_MS, kwh }))
    const rollover = { at: START + 2 * QUARTER_MS, oldKwh: 100_000, newKwh: 0 }
    expect(count(withReplacements(readings, [rollover]), 50)).toMatchObject({
      kWh: 19,
      resets: 0,
      reasons: [],
      letters: 'mmm-',
    })
  })

  it('counts the old meter up to its entered last value, at its last reading', () => {
    const readings = [100, 101, 4, 5].map((kwh, i) => ({ timestamp: START + i * QUARTER_MS, kwh }))
    const replacement = { at: START + QUARTER_MS, oldKwh: 103, newKwh: 3 }
    expect(count(withReplacements(readings, [replacement])).kWh).toBe(5)
  })

  it('leaves a reading that the new meter cannot have shown to validation', () => {
    const readings = [100, 101, 9_000_000, 5].map((kwh, i) => ({ timestamp: START + i * QUARTER_MS, kwh }))
    const replacement = { at: START + 2 * QUARTER_MS, oldKwh: 103, newKwh: 3 }
    expect(count(withReplacements(readings, [replacement]))).toMatchObject({ kWh: 5, reasons: ['jump'] })
  })
})
