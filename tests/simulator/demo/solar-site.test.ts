import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MeterReading } from '../../../contract/meters/channels.ts'
import { type MeterRole, termOf } from '../../../contract/devices/meter-roles.ts'
import { returnIdOf } from '../../../contract/devices/kinds/meter-id.ts'
import { createBuilding } from '../../../simulator/building/building.ts'
import { pastOf } from '../../../simulator/building/past.ts'
import { demoCompany } from '../../../simulator/demo/demo.ts'
import { sunshine } from '../../../simulator/scenarios/taiwan.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const site = demoCompany.homes.find(({ HomeName }) => HomeName === '台南物流中心')
const devices = site?.hubs[0]?.devices ?? []
const byRole = (role: MeterRole) =>
  devices.flatMap((device) => [
    ...(device.role === role ? [device.PeripheralUID] : []),
    ...(device.returnRole === role ? [returnIdOf(device.PeripheralUID)] : []),
  ])[0] as string
const [grid] = devices.filter(({ role }) => role === 'gridImport')

/** Counters of each term, and of the loads together, kWh; and W of the grid meter's own small consumers. */
function counters(report: (uid: string) => Record<string, unknown> | undefined) {
  const kwh = (id: string, field: string) => (report(id)?.[field] as number | undefined) ?? 0
  const second = (uid: string) => kwh(uid, 'AccumulateReturn')
  const [sun, battery] = [byRole('generation'), byRole('storageDischarge')]
  const line = grid?.PeripheralUID as string
  return {
    import: kwh(line, 'AccumulatePower'),
    export: second(line),
    generation: kwh(sun, 'AccumulatePower'),
    discharge: kwh(battery, 'AccumulatePower'),
    charge: second(battery),
    loads: (grid?.parentOf ?? []).reduce((sum, uid) => sum + kwh(uid, 'AccumulatePower'), 0),
  }
}

it('has a meter for each term of a balance', () => {
  const roles = devices
    .flatMap(({ role, returnRole }) => [role, returnRole])
    .filter((role) => role !== undefined)
  expect(new Set(roles.map((role) => termOf(role)))).toEqual(
    new Set(['import', 'export', 'generation', 'discharge', 'charge']),
  )
  expect(grid?.parentOf).not.toContain(byRole('generation'))
  expect(grid?.parentOf).not.toContain(byRole('storageDischarge'))
})

it('conserves energy at every moment: what comes in is what is used, sold and stored, and no counter falls', () => {
  const from = Date.parse('2026-01-01T00:00:00+08:00')
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 365 * 24 }),
      fc.array(fc.integer({ min: 1, max: 1_800 }), { minLength: 20, maxLength: 40 }),
      (hour, steps) => {
        const building = createBuilding(devices, 1)
        let before = counters(building.report)
        let at = from + hour * HOUR
        for (const seconds of steps) {
          building.step(seconds, at)
          at += seconds * 1000
          const after = counters(building.report)
          const moved = Object.fromEntries(
            Object.entries(after).map(([name, kwh]) => [name, kwh - before[name as keyof typeof before]]),
          ) as typeof after
          for (const kwh of Object.values(moved)) expect(kwh).toBeGreaterThanOrEqual(0)
          const used = moved.import + moved.generation + moved.discharge - moved.export - moved.charge
          const own = used - moved.loads
          // The switchboard's own consumers, and rounding of the counters.
          expect(own).toBeGreaterThanOrEqual(-0.002)
          expect(own).toBeLessThanOrEqual(((grid?.scenario.watts ?? 0) * seconds) / HOUR + 0.002)
          before = after
        }
      },
    ),
    { numRuns: 25 },
  )
})

it('has no sun at night, most of it around noon, and as much in a year as roofs in Tainan have', () => {
  const from = Date.parse('2025-01-01T00:00:00+08:00')
  let [year, noon, night] = [0, 0, 0]
  for (let at = from; at < from + 365 * DAY; at += HOUR) {
    const share = sunshine(1, at)
    if (share < 0 || share > 1) throw new RangeError(`${share} at ${at}`)
    year += share
    const hour = ((at - from) / HOUR) % 24
    if (hour >= 10 && hour < 14) noon += share
    if (hour < 5 || hour >= 19.5) night += share
  }
  expect(night).toBe(0)
  expect(noon / year).toBeGreaterThan(0.5)
  expect(year).toBeGreaterThan(1_100)
  expect(year).toBeLessThan(1_450)
})

it('has a past in which both registers count, join what the building begins with, and the battery loses a tenth', () => {
  const until = Date.parse('2026-07-15T10:05:00+08:00')
  const portions: MeterReading[][] = []
  // The last of them covers days before the two months of full detail.
  for (const portion of pastOf(devices, until, 1)) if (portions.push(portion) === 63) break
  const past = portions.flat().toSorted((a, b) => a.Timestamp - b.Timestamp)
  const battery = past.filter(({ PeripheralUID }) => PeripheralUID === byRole('storageDischarge'))
  const line = past.filter(({ PeripheralUID }) => PeripheralUID === grid?.PeripheralUID)
  const moved = (of: readonly MeterReading[], field: 'AccumulatePower' | 'AccumulateReturn') =>
    (of.at(-1)?.[field] as number) - (of[0]?.[field] as number)
  const back = moved(battery, 'AccumulatePower') / moved(battery, 'AccumulateReturn')
  expect(back).toBeGreaterThan(0.88)
  expect(back).toBeLessThan(0.91)
  expect(moved(line, 'AccumulateReturn')).toBeGreaterThan(1_000)
  expect(moved(line, 'AccumulatePower')).toBeGreaterThan(10_000)
  for (const of of [battery, line])
    for (const field of ['AccumulatePower', 'AccumulateReturn'] as const) {
      expect(
        of.every((one, i) => (one[field] as number) >= ((of[i - 1]?.[field] as number | undefined) ?? 0)),
      ).toBe(true)
      const fresh = createBuilding(devices, 1).report(of[0]?.PeripheralUID as string)
      expect((fresh?.[field] as number) - (of.at(-1)?.[field] as number)).toBeLessThan(8)
    }
})
