import { describe, expect, it } from 'vitest'
import {
  CADENCE_NEIGHBORS,
  applyCorrection,
  intervalsOf,
  MAX_GAP_MS,
  quarterOf,
  type Sample,
} from '../../../contract/meters/intervals.ts'
import { validateReadings, MAX_GLITCH_MS } from '../../../contract/meters/validate-readings.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import { stream } from '../../../simulator/scenarios/random.ts'

/** Sample a number of quarters, possibly fractional, after 1970. */
const at = (quarters: number, kwh: number): Sample => ({ timestamp: quarters * QUARTER_MS, kwh })
const sum = (kwh: Float64Array) => kwh.reduce((all, one) => all + one, 0)

describe('energy in intervals', () => {
  it('is shared in proportion to time, and estimated without a sample', () => {
    const { kwh, quality } = intervalsOf([at(0.5, 10), at(3.5, 13)], 0, 5)
    expect([...kwh]).toEqual([0.5, 1, 1, 0.5, 0])
    expect(quality.join('')).toBe('meem-')
  })

  it('belongs to the interval that ends with a sample at a full quarter', () => {
    const { kwh, quality } = intervalsOf([at(1, 5), at(2, 6), at(3, 8)], 0, 4)
    expect([...kwh]).toEqual([0, 1, 2, 0])
    expect(quality.join('')).toBe('-mm-')
  })

  it('is empty before the first sample, and after one sample alone', () => {
    expect(intervalsOf([at(1.5, 5)], 0, 3).quality.join('')).toBe('---')
  })

  it('is 0 while the counter fell, flags it, and is unknown for the intervals between', () => {
    const { kwh, quality, resets } = intervalsOf([at(0, 5), at(1, 6), at(4, 2), at(5, 3)], 0, 5)
    expect([...kwh]).toEqual([1, 0, 0, 0, 1])
    expect(quality.join('')).toBe('m--qm')
    expect(resets).toEqual([3])
  })

  it('counts a replaced meter to its end and from the start of its successor', () => {
    const samples = [at(0, 100), at(1.5, 103), { ...at(1.5, 7), restarts: true }, at(2, 8)]
    const { kwh, resets } = intervalsOf(samples, 0, 2)
    expect([...kwh]).toEqual([2, 2])
    expect(resets).toEqual([])
  })

  it('is complete over a week of silence, and excluded from a silence it cannot be placed in', () => {
    const week = intervalsOf([at(0, 0), at(96 * 7, 70)], 0, 96 * 7)
    expect(sum(week.kwh)).toBeCloseTo(70, 9)
    expect(week.quality.join('')).toBe(`${'e'.repeat(96 * 7 - 1)}m`)
    const years = quarterOf(MAX_GAP_MS) + 1
    const { kwh, quality } = intervalsOf([at(0, 0), at(years, 70), at(years + 1, 71)], 0, years + 1)
    expect(sum(kwh)).toBeCloseTo(1, 9)
    expect(quality.filter((one) => one !== '-')).toEqual(['m'])
  })

  it.each(Array.from({ length: 100 }, (_, seed) => seed))(
    "adds up to the counter's movement (%i)",
    (seed) => {
      const random = stream(seed)
      const samples: Sample[] = []
      let [time, counter, moved, falls] = [random() * 1e9, random() * 1e5, 0, 0]
      for (let i = 0; i < 200; i++) {
        const gained = random() < 0.2 ? 0 : random() * 10
        time += 1 + Math.floor(random() * (random() < 0.1 ? 3e8 : 3e6))
        if (i > 0 && random() < 0.03) {
          counter *= 0.9 * random()
          falls += 1
        } else if (i > 0) {
          counter += gained
          moved += gained
        }
        samples.push({ timestamp: Math.floor(time), kwh: counter })
      }
      const [from, to] = [
        quarterOf(samples[0]?.timestamp ?? 0),
        quarterOf(samples.at(-1)?.timestamp ?? 0) + 1,
      ]
      const all = intervalsOf(samples, from, to)
      expect(sum(all.kwh)).toBeCloseTo(moved, 6)
      expect(all.resets).toHaveLength(falls)
      expect(Math.min(...all.kwh)).toBeGreaterThanOrEqual(0)
      // A part computed alone equals that part of the whole.
      const middle = from + Math.floor(random() * (to - from))
      expect([...intervalsOf(samples, from, middle).kwh, ...intervalsOf(samples, middle, to).kwh]).toEqual([
        ...all.kwh,
      ])
    },
  )
})

describe('a meter that reports less often than every 15 minutes', () => {
  /** Samples at these distances, in minutes. */
  const after = (...minutes: number[]): Sample[] => {
    let now = 0
    return [0, ...minutes].map((each, i) => ({ timestamp: (now += each * 60_000), kwh: i }))
  }
  const letters = (samples: readonly Sample[]) =>
    intervalsOf(samples, 0, quarterOf((samples.at(-1)?.timestamp ?? 0) - 1) + 1).quality.join('')
  const times = (count: number, minutes: number): number[] => Array.from({ length: count }, () => minutes)

  it('is never estimated while on time: an hourly one is measured in a quarter of the intervals', () => {
    expect(letters(after(...times(24, 60)))).toBe('bbbm'.repeat(24))
    expect(letters(after(...times(5, 1440)))).toBe(`${'b'.repeat(95)}m`.repeat(5))
  })
  it('is estimated over a silence longer than 1.5 times the usual interval', () => {
    expect(letters(after(...times(5, 60), 90, ...times(5, 60)))).not.toContain('e')
    const late = letters(after(...times(5, 60), 91, ...times(5, 60)))
    expect(late.slice(20, 28)).toBe('eeeeeemb')
    expect(late.replaceAll('e', '')).toHaveLength(late.length - 6)
  })
  it('can be slightly late without being estimated if it reports every quarter', () => {
    expect(letters(after(15, 15, 14.9, 22, 8.1, 15))).not.toContain('e')
  })
  it('is estimated if its interval is unknown, or longer than a day', () => {
    expect(letters(after(60, 60))).toBe('eeemeeem')
    expect(letters(after(60, 60, 60))).toBe('bbbm'.repeat(3))
    expect(letters(after(...times(6, 2 * 1440)))).not.toContain('b')
  })
  it('is read by its interval at the time', () => {
    const changed = letters(after(...times(9, 60), ...times(9, 30)))
    expect(changed).toBe(`${'bbbm'.repeat(9)}${'bm'.repeat(9)}`)
  })

  it.each(Array.from({ length: 100 }, (_, seed) => seed))(
    'is read by the few readings around, whatever comes before and after (%i)',
    (seed) => {
      const random = stream(seed)
      const minutes = Array.from({ length: 120 }, () => {
        const chance = random()
        return (chance < 0.7 ? 60 : chance < 0.9 ? 30 + random() * 90 : 600) + random()
      })
      const samples = after(...minutes)
      const all = intervalsOf(samples, 0, quarterOf(samples.at(-1)?.timestamp ?? 0) + 1)
      const begin = CADENCE_NEIGHBORS + 1 + Math.floor(random() * 90)
      const end = begin + 1 + Math.floor(random() * (samples.length - CADENCE_NEIGHBORS - begin - 2))
      const [first, last] = [samples[begin], samples[end]]
      const [from, to] = [Math.ceil((first?.timestamp ?? 0) / QUARTER_MS), quarterOf(last?.timestamp ?? 0)]
      const some = intervalsOf(
        samples.slice(begin - CADENCE_NEIGHBORS, end + CADENCE_NEIGHBORS + 1),
        from,
        to,
      )
      expect(some.quality).toEqual(all.quality.slice(from, to))
    },
  )
})

describe('a correction', () => {
  const raw = intervalsOf([at(0, 0), at(1, 1), at(2, 4), at(3, 4)], 0, 4)
  it('is shared by the shape of the readings, or evenly', () => {
    const shaped = applyCorrection(raw, [{ from: 0, to: 2, kwh: 8, sharing: 'shape' }])
    expect([...shaped.kwh]).toEqual([2, 6, 0, 0])
    expect(shaped.quality.join('')).toBe('ccm-')
    expect([...applyCorrection(raw, [{ from: 0, to: 2, kwh: 8, sharing: 'even' }]).kwh]).toEqual([4, 4, 0, 0])
    expect([...applyCorrection(raw, [{ from: 2, to: 4, kwh: 8, sharing: 'shape' }]).kwh]).toEqual([
      1, 3, 4, 4,
    ])
  })
  it('keeps the original unchanged', () => expect([...raw.kwh]).toEqual([1, 3, 0, 0]))
})

describe('validating readings', () => {
  const judge = (...kwh: number[]) => {
    const { accepted, quarantined } = validateReadings(kwh.map((one, i) => at(i, one)))
    return {
      counted: accepted.map((one) => one.kwh),
      quarantined: quarantined.map((one) => `${one.reason} ${one.kwh}`),
    }
  }

  it('withholds a jump from kWh to Wh with all that follow, until the counter returns', () => {
    expect(judge(10, 11, 12_000_000, 12_001_000, 13)).toEqual({
      counted: [10, 11, 13],
      quarantined: ['jump 12000000', 'jump 12001000'],
    })
  })

  it('withholds the jumped level however long it lasts', () => {
    const readings = Array.from({ length: 20_000 }, (_, i) => at(i, i === 0 ? 1 : 1e6 + i))
    expect(validateReadings(readings).accepted).toHaveLength(1)
  })

  it('counts them once a person accepts one', () => {
    const readings = [at(0, 1), { ...at(1, 1e6), accepted: true }, at(2, 1e6 + 1)]
    expect(validateReadings(readings).quarantined).toEqual([])
  })

  it('distinguishes a misread counter from a reset one', () => {
    expect(judge(10, 2, 11)).toEqual({ counted: [10, 11], quarantined: ['glitch 2'] })
    expect(judge(10, 2, 3)).toEqual({ counted: [10, 2, 3], quarantined: [] })
    expect(judge(10, 2)).toEqual({ counted: [10, 2], quarantined: [] })
    expect(judge(10, 0, 1)).toEqual({ counted: [10, 0, 1], quarantined: [] })
    const slow = [at(0, 10), at(1, 2), { timestamp: MAX_GLITCH_MS + 1, kwh: 11 }]
    expect(validateReadings(slow).quarantined).toEqual([])
  })

  it('allows the steps of a coarse counter', () => {
    const readings = [at(0, 10), { timestamp: 5_000, kwh: 110 }, { timestamp: 5_001, kwh: 111 }]
    expect(validateReadings(readings).quarantined).toEqual([])
  })

  it('starts over at a meter replacement', () => {
    const readings = [at(0, 10), { ...at(1, 1e6), restarts: true, accepted: true }, at(2, 1e6 + 1)]
    expect(validateReadings(readings).accepted).toHaveLength(3)
  })
})
