import { expect, it } from 'vitest'
import { createBuilding } from '../../../simulator/building/building.ts'
import { demoCompany } from '../../../simulator/demo/demo.ts'
import { isVisiting, RUSH_INTERVAL_MS, rushFrom } from '../../../simulator/scenarios/visitors.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const DAY = Date.parse('2026-07-15T00:00:00+08:00')
/** Contract capacity of the demo's branch, kW. */
const CONTRACT = 60

const branch = demoCompany.homes.find(({ HomeName }) => HomeName === '高雄分公司')
const chargers = branch?.hubs.at(-1)?.devices ?? []
const mains = (branch?.hubs ?? []).map(({ devices }) => {
  const below = new Set(devices.flatMap(({ parentOf = [] }) => parentOf))
  return devices.filter(({ PeripheralUID, parentOf }) => parentOf && !below.has(PeripheralUID))
})

/** kW of the branch at each step over some minutes, without load shedding. */
function drawnFrom(start: number, minutes: number, rush = rushFrom(start)): { at: number; kw: number }[] {
  const buildings = (branch?.hubs ?? []).map(({ devices }) => createBuilding(devices, 1, {}, rush))
  const drawn: { at: number; kw: number }[] = []
  for (let at = start; at < start + minutes * MINUTE; at += 5_000) {
    for (const building of buildings) building.step(5, at)
    const watts = mains.flatMap((meters, i) =>
      meters.map(({ PeripheralUID }) => buildings[i]?.report(PeripheralUID)?.['Power'] as number),
    )
    drawn.push({ at, kw: watts.reduce((sum, one) => sum + one, 0) / 1000 })
  }
  return drawn
}

it.each([0, 2, 5, 8, 9, 11, 13, 14])(
  'begins within a minute in minute %i of a quarter of an hour, and ends with one in which demand can still be too much',
  (minute) => {
    const now = DAY + minute * MINUTE
    const { from, until } = rushFrom(now)
    expect(from - now).toBeLessThanOrEqual(MINUTE)
    expect(until % QUARTER).toBe(0)
    expect(until - from).toBeGreaterThan(6 * MINUTE)
    expect(until - from).toBeLessThan(23 * MINUTE)
  },
)

it('comes again at the same minutes of each hour, and nothing of it happens before the demo begins', () => {
  const rush = rushFrom(DAY)
  const visit = { late: 60, stay: 120 }
  const hours = (at: number) => [0, 1, 2, 30].map((n) => isVisiting(rush, visit, at + n * RUSH_INTERVAL_MS))
  expect(hours(rush.until + 119_000)).toEqual([true, true, true, true])
  expect(hours(rush.until + 121_000)).toEqual([false, false, false, false])
  expect(hours(rush.until - 5 * MINUTE)).toEqual([true, true, true, true])
  expect(isVisiting(rush, visit, rush.from + 59_000)).toBe(false)
  expect(isVisiting(rush, visit, DAY - RUSH_INTERVAL_MS)).toBe(false)
  expect(isVisiting(rush, { late: 0, stay: -60 }, rush.until - 59_000)).toBe(false)
  expect(isVisiting(undefined, visit, DAY)).toBe(false)
})

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])(
  'makes the branch exceed its contract in the quarter in which the first one ends, begun in minute %i',
  (minute) => {
    const rush = rushFrom(DAY + minute * MINUTE)
    const drawn = drawnFrom(rush.until - QUARTER, 15, rush)
    expect(drawn.reduce((sum, { kw }) => sum + kw, 0) / drawn.length).toBeGreaterThan(1.05 * CONTRACT)
  },
)

it.each([3, 14])(
  'makes the branch exceed its contract at %i o’clock, and leaves it well below it between',
  (hour) => {
    const start = DAY + hour * 60 * MINUTE
    const drawn = drawnFrom(start, 40)
    const { from, until } = rushFrom(start)
    const during = drawn.filter(({ at }) => at > from + 2 * MINUTE && at < until - MINUTE)
    expect(Math.min(...during.map(({ kw }) => kw))).toBeGreaterThan(1.5 * CONTRACT)
    const after = drawn.filter(({ at }) => at > until + 10 * MINUTE)
    expect(Math.max(...after.map(({ kw }) => kw))).toBeLessThan(0.85 * CONTRACT)
  },
)

it('charges no car at a charger that is switched off', () => {
  const start = DAY
  const building = createBuilding(chargers, 1, {}, rushFrom(start))
  const uid = chargers.find(({ PeripheralName }) => PeripheralName === '一號充電樁')?.PeripheralUID ?? ''
  const power = () => building.report(uid)?.['Power'] as number
  building.step(1, start + 3 * MINUTE)
  expect(power()).toBeGreaterThan(20_000)
  building.command(uid, { Switch: 0 })
  building.step(1, start + 3 * MINUTE)
  expect(power()).toBe(0)
  building.command(uid, { Switch: 1 })
  building.step(1, start + 3 * MINUTE)
  expect(power()).toBeGreaterThan(20_000)
})
