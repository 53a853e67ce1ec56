import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyBattery, work, clampMeter } from '../../../simulator/models/meters.ts'
import { CALM } from '../../../simulator/models/model.ts'

const KWH = 3_600_000
const spans = fc.array(
  fc.record({
    seconds: fc.integer({ min: 0, max: 7_200 }),
    demandWatts: fc.double({ min: -200_000, max: 200_000, noNaN: true }),
    isDischarging: fc.boolean(),
  }),
  { maxLength: 60 },
)

describe('a battery', () => {
  it('never holds more than it can nor gives what it has not, and gives back nine tenths at most', () => {
    fc.assert(
      fc.property(spans, (past) => {
        let battery = emptyBattery({ kWh: 120, watts: 50_000 })
        const least = battery.stored
        let [taken, given] = [0, 0]
        for (const { seconds, demandWatts, isDischarging } of past) {
          const { battery: after, watts } = work(battery, seconds, { demandWatts, isDischarging })
          battery = after
          expect(battery.stored).toBeGreaterThanOrEqual(least - 1e-9)
          expect(battery.stored).toBeLessThanOrEqual(120 + 1e-9)
          expect(Math.abs(watts)).toBeLessThanOrEqual(50_000)
          // It charges from a surplus and discharges into a deficit, never the reverse.
          expect(watts * demandWatts).toBeGreaterThanOrEqual(0)
          expect(watts > 0 && !isDischarging).toBe(false)
          taken += (Math.max(0, -watts) * seconds) / KWH
          given += (Math.max(0, watts) * seconds) / KWH
        }
        expect(given).toBeLessThanOrEqual(taken * 0.9025 + 1e-6)
      }),
    )
  })

  it('gives back what it took, less its losses, until it is where it was', () => {
    let battery = emptyBattery({ kWh: 100, watts: 20_000 })
    const hour = (demandWatts: number, isDischarging: boolean) => {
      const after = work(battery, 3_600, { demandWatts, isDischarging })
      battery = after.battery
      return after.watts / 1000
    }
    expect(hour(-10_000, true)).toBe(-10)
    expect(hour(5_000, false)).toBe(0)
    expect(hour(5_000, true)).toBe(5)
    expect(hour(30_000, true)).toBeCloseTo(10 * 0.9025 - 5, 9)
    expect(hour(30_000, true)).toBeCloseTo(0, 9)
  })
})

describe('a meter of two directions', () => {
  it('counts each direction in a register of its own, and neither ever falls', () => {
    let meter = clampMeter.make('528', { kwh: 7, kwhReturned: 3 })
    for (const [watts, power, returned] of [
      [4_000, 8, 3],
      [-2_000, 8, 3.5],
      [0, 8, 3.5],
      [-4_000, 8, 4.5],
    ] as const) {
      meter = clampMeter.step(meter, 900, { ...CALM, watts })
      expect(clampMeter.report(meter)).toMatchObject({
        AccumulatePower: power,
        AccumulateReturn: returned,
        Power: watts,
      })
    }
  })

  it('has no second register unless it was made with one', () => {
    expect(clampMeter.report(clampMeter.make('528', {}))).not.toHaveProperty('AccumulateReturn')
  })
})
