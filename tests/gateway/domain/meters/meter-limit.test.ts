import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CEILING_KW, validateReadings, MAX_POWER_KW } from '../../../../contract/meters/validate-readings.ts'
import {
  learnLimit,
  MIN_TRAINING_DATA,
  limitOf,
  ratedLimit,
} from '../../../../gateway/domain/meters/meter-limit.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const always = <Value>(value: Value) => [{ from: 0, value }]

describe('the power limit of a meter', () => {
  const role = always('gridImport' as const)
  const contractOn = (day: number) => (day < 50 ? null : 400)

  it('is configured, else rated, else the larger of learnt and contract, else 10,000 kW', () => {
    const all = { limit: always(60_000), rated: always(30), learnt: always(80), role, contractOn }
    expect(limitOf(all, 100)).toBe(60_000)
    expect(limitOf({ ...all, limit: always(null) }, 100)).toBe(30)
    const unsaid = { ...all, limit: always(null), rated: always(null) }
    expect(limitOf(unsaid, 100)).toBe(1200)
    expect(limitOf({ ...unsaid, learnt: always(2000) }, 100)).toBe(2000)
    expect(limitOf(unsaid, 49)).toBe(80)
    expect(limitOf({ role, contractOn }, 100)).toBe(1200)
    expect(limitOf({ role, contractOn }, 49)).toBe(MAX_POWER_KW)
    expect(limitOf({ role: always('load' as const), contractOn }, 100)).toBe(MAX_POWER_KW)
    expect(limitOf({}, 100)).toBe(MAX_POWER_KW)
  })

  it("allows a new charger that was idle for a week up to the site's contract", () => {
    const idle = { learnt: always(50), contractOn }
    expect(limitOf(idle, 100)).toBe(400)
    expect(limitOf({ ...idle, role: always('load' as const) }, 100)).toBe(400)
    let kwh = 0
    const readings = Array.from({ length: 25 }, (_, i) => ({
      timestamp: i * 900_000,
      kwh: (kwh += i > 0 && i <= 24 ? 37.5 : 0),
    }))
    expect(validateReadings(readings, {}, limitOf(idle, 100)).quarantined).toEqual([])
  })

  it('detects a counter above 5 kWh multiplied by 1000 under a contract of 500 kW', () => {
    const large = { learnt: always(60), contractOn: () => 500 }
    const readings = [5, 5.2, 5_400].map((kwh, i) => ({ timestamp: i * 900_000, kwh }))
    expect(validateReadings(readings, {}, limitOf(large, 100)).quarantined).toMatchObject([{ kwh: 5_400 }])
  })

  it('is 120 % of the rated current on its line, or on the largest if unknown', () => {
    const line = { RatedCurrent: 100, Voltage: 220, PhaseElectricPower: 1 as const }
    expect(ratedLimit(line)).toBeCloseTo(26.4, 6)
    expect(ratedLimit({ ...line, Voltage: 380, PhaseElectricPower: 3 })).toBeCloseTo(78.98, 2)
    expect(ratedLimit({ RatedCurrent: 100, Voltage: null, PhaseElectricPower: null })).toBeCloseTo(83.14, 2)
    expect(ratedLimit({ ...line, RatedCurrent: null })).toBeNull()
  })

  it('applies from its day on', () => {
    const limit = [{ from: 20, value: 5 }]
    expect([19, 20].map((day) => limitOf({ limit }, day))).toEqual([MAX_POWER_KW, 5])
  })

  it('never exceeds 2 GW', () => {
    expect(limitOf({ learnt: always(1e9) }, 0)).toBe(CEILING_KW)
  })

  it('is learnt from the highest interval, from 50 kW on, and again if it grows by a quarter', () => {
    expect(learnLimit(0.1, undefined)).toBe(50)
    expect(learnLimit(10, undefined)).toBe(800)
    expect(learnLimit(12.4, 800)).toBeUndefined()
    expect(learnLimit(12.5, 800)).toBe(1000)
    expect(learnLimit(1, 800)).toBeUndefined()
  })
})

describe('a reading that rises beyond the limit', () => {
  const readings = [
    { timestamp: 0, kwh: 100 },
    { timestamp: HOUR, kwh: 30_100, power: 29_000_000 },
    { timestamp: 2 * HOUR, kwh: 60_100, power: 31_000_000 },
  ]

  it('counts if the power that the meter reports confirms it', () => {
    expect(validateReadings(readings).quarantined).toEqual([])
    const strange = readings.map(({ power = null, ...one }) => ({ ...one, power: power && power / 2 }))
    expect(validateReadings(strange).quarantined.map(({ reason }) => reason)).toEqual(['jump', 'jump'])
  })

  it('counts if a daily limit allows it', () => {
    const plain = readings.map(({ timestamp, kwh }) => ({ timestamp, kwh }))
    const from = (day: number) => (at: number) => (at >= day ? 40_000 : 10_000)
    expect(validateReadings(plain, {}, from(HOUR)).quarantined).toEqual([])
    expect(validateReadings(plain, {}, from(2 * HOUR)).quarantined).toHaveLength(2)
    expect(validateReadings(plain, {}, 40_000).quarantined).toEqual([])
  })
})

/** Limit learnt day by day from hourly energy. */
function learnt(hours: readonly number[]): (timestamp: number) => number {
  const rows: { from: number; value: number }[] = []
  for (let day = MIN_TRAINING_DATA.days; day * 24 < hours.length; day++) {
    const counted = hours.slice(Math.max(0, day - 90) * 24, day * 24)
    const kw = learnLimit(Math.max(...counted) / 4, rows.at(-1)?.value)
    if (kw !== undefined) rows.push({ from: day + 1, value: kw })
  }
  return (timestamp) => limitOf({ learnt: rows }, Math.floor(timestamp / DAY))
}
const counterOf = (hours: readonly number[]) => {
  let kwh = 0
  return hours.map((one, i) => ({ timestamp: (i + 1) * HOUR, kwh: (kwh += one) }))
}

describe('a learnt limit', () => {
  it('rejects every counter above 1 kWh multiplied by 1000', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 5000, noNaN: true }), { minLength: 240, maxLength: 400 }),
        fc.nat(),
        (hours, place) => {
          const counter = counterOf(hours)
          const at = 9 * 24 + (place % (counter.length - 9 * 24))
          const readings = counter.map((one, i) => (i < at ? one : { ...one, kwh: one.kwh * 1000 }))
          const { quarantined } = validateReadings(readings, {}, learnt(hours.slice(0, at)))
          expect(quarantined[0]).toMatchObject({ timestamp: (at + 1) * HOUR, reason: 'jump' })
        },
      ),
      { numRuns: 30 },
    )
  })

  const REAL = join(import.meta.dirname, '../../../../../shared/data')
  const homes = join(REAL, 'citylearn2022_17homes_hourly_kwh.csv')
  it.skipIf(!existsSync(homes))('quarantines nothing of 17 real homes over a year', () => {
    const rows = readFileSync(homes, 'utf8').trim().split('\n').slice(1)
    for (let column = 1; column <= 17; column++) {
      const hours = rows.map((row) => Number(row.split(',')[column]))
      expect(validateReadings(counterOf(hours), {}, learnt(hours)).quarantined, `home ${column}`).toEqual([])
    }
  })

  const room = join(REAL, 'robod_room1_5min.csv')
  it.skipIf(!existsSync(room))('quarantines nothing of the meters of a real room, by 5 minutes', () => {
    const [head = '', ...rows] = readFileSync(room, 'utf8').trim().split('\n')
    const columns = head.split(',').flatMap((name, i) => (name.includes('[kWh]') ? [i] : []))
    expect(columns.length).toBeGreaterThan(3)
    for (const column of columns) {
      const steps = rows.map((row) => Number(row.split(',')[column]) || 0)
      let kwh = 0
      const readings = steps.map((one, i) => ({ timestamp: (i + 1) * 300_000, kwh: (kwh += one) }))
      const hours = Array.from({ length: Math.ceil(steps.length / 12) }, (_, i) =>
        steps.slice(i * 12, i * 12 + 12).reduce((sum, one) => sum + one, 0),
      )
      expect(validateReadings(readings, {}, learnt(hours)).quarantined, head.split(',')[column]).toEqual([])
    }
  })
})
