import { describe, expect, it } from 'vitest'
import type { MeterReading } from '../../../contract/meters/channels.ts'
import { createBuilding } from '../../../simulator/building/building.ts'
import { type Incident, pastOf, replacedAt } from '../../../simulator/building/past.ts'
import { demoCompany } from '../../../simulator/demo/demo.ts'

const QUARTER = 15 * 60_000
const DAY = 86_400_000
/** Wednesday, 10:05 in Taipei. */
const UNTIL = Date.parse('2026-07-15T10:05:00+08:00')
const MIDNIGHT = Date.parse('2026-07-15T00:00:00+08:00')

const branch = demoCompany.homes
  .flatMap(({ hubs }) => hubs)
  .find(({ DeviceName }) => DeviceName === '前場閘道器')
const devices = branch?.devices ?? []
const uidOf = (name: string) =>
  devices.find(({ PeripheralName }) => PeripheralName === name)?.PeripheralUID as string
const [LIGHTS, SOCKETS, COOLING, BOARD, SUPPLY] = [
  '前場照明',
  '前場插座迴路',
  '前場空調',
  '前場總電表',
  '前場智慧電表',
].map(uidOf)

const past = [...pastOf(devices, UNTIL, 1)]
const readingsOf = (uid: string | undefined, portions: readonly MeterReading[][]) =>
  portions
    .flat()
    .filter(({ PeripheralUID }) => PeripheralUID === uid)
    .toSorted((a, b) => a.Timestamp - b.Timestamp)
const counterAt = (uid: string | undefined, at: number) =>
  readingsOf(uid, past).find(({ Timestamp }) => Timestamp === at)?.AccumulatePower as number
const used = (uid: string | undefined, from: number) => counterAt(uid, from + DAY) - counterAt(uid, from)

describe('the past of a hub', () => {
  it('comes newest day first, from the first day of the month 13 months before', () => {
    const own = readingsOf(BOARD, past)
    expect(past.every((day, i) => day[0]?.Timestamp === MIDNIGHT - i * DAY)).toBe(true)
    expect(past[1]?.filter(({ PeripheralUID }) => PeripheralUID === BOARD)).toHaveLength(96)
    expect(own[0]?.Timestamp).toBe(Date.parse('2025-06-01T00:00:00+08:00'))
    expect(own.at(-1)?.Timestamp).toBe(UNTIL - (UNTIL % QUARTER))
  })

  it('reads the supply every quarter of an hour, and what it counts every hour before the last 62 days', () => {
    const steps = (uid: string | undefined, day: number) => {
      const [first, second] = readingsOf(uid, past.slice(day, day + 1))
      return (second?.Timestamp ?? 0) - (first?.Timestamp ?? 0)
    }
    expect(steps(SUPPLY, 300)).toBe(QUARTER)
    expect(steps(SOCKETS, 300)).toBe(4 * QUARTER)
    expect(steps(SOCKETS, 61)).toBe(QUARTER)
    expect(steps(SOCKETS, 62)).toBe(4 * QUARTER)
  })

  it('repeats days of the same month and kind, each a little higher or lower', () => {
    const days = past.map((portion) => portion[0]?.Timestamp ?? 0)
    const workdaysOf = (month: string) =>
      days.filter(
        (from) =>
          new Date(from + DAY / 2).toISOString().startsWith(month) &&
          ![0, 6].includes(new Date(from + DAY / 2).getUTCDay()),
      )
    const energies = workdaysOf('2026-03').map((from) => used(BOARD, from))
    expect(new Set(energies.map((kWh) => kWh.toFixed(2))).size).toBeGreaterThan(15)
    const halves = [energies.slice(0, 8), energies.slice(-8)]
    for (const half of halves) expect(Math.max(...half)).toBeLessThan(1.09 * Math.min(...half))
    const sunday = used(BOARD, Date.parse('2026-03-15T00:00:00+08:00'))
    expect(sunday).toBeLessThan(Math.min(...energies))
  })

  it('joins the counters with which a building begins, and never falls', () => {
    const fresh = createBuilding(devices, 1)
    for (const uid of [LIGHTS, SOCKETS, COOLING, BOARD]) {
      const counters = readingsOf(uid, past).map(({ AccumulatePower }) => AccumulatePower)
      const begins = (fresh.report(uid as string) as { AccumulatePower: number }).AccumulatePower
      expect(counters.every((counter, i) => counter > 0 && counter >= (counters[i - 1] ?? 0))).toBe(true)
      expect(counters.at(-1)).toBeLessThanOrEqual(begins)
      expect(begins - (counters.at(-1) as number)).toBeLessThan(5)
    }
  })

  it('has boards count what flows through them, and little beside it', () => {
    for (const from of [MIDNIGHT - DAY, MIDNIGHT - 200 * DAY]) {
      const parts = used(LIGHTS, from) + used(SOCKETS, from) + used(COOLING, from)
      expect(used(BOARD, from)).toBeGreaterThanOrEqual(parts - 0.01)
      expect(used(BOARD, from)).toBeLessThan(parts + 24 * 0.2)
    }
  })

  it('uses more on a workday than on a Sunday, and cools more in July than in January', () => {
    expect(used(BOARD, MIDNIGHT - DAY)).toBeGreaterThan(2 * used(BOARD, MIDNIGHT - 3 * DAY))
    const winter = Date.parse('2026-01-14T00:00:00+08:00')
    expect(used(COOLING, MIDNIGHT - DAY)).toBeGreaterThan(2 * used(COOLING, winter))
  })

  it('tells power and voltage of the last 31 days only', () => {
    expect(past[30]?.every(({ Power }) => Power !== undefined)).toBe(true)
    expect(past[31]?.some(({ Power }) => Power !== undefined)).toBe(false)
  })
})

describe('what happens to a meter', () => {
  const incidents: Record<string, Incident> = {
    [SOCKETS as string]: { kind: 'silent', fromDay: 4, throughDay: 2 },
    [COOLING as string]: { kind: 'replaced', day: 3, excess: 500 },
  }
  const portions: MeterReading[][] = []
  for (const portion of pastOf(devices, UNTIL, 1, incidents)) if (portions.push(portion) === 7) break

  it('leaves the days out on which it was silent', () => {
    const own = readingsOf(SOCKETS, portions)
    const gap = own.findIndex(
      ({ Timestamp }, i) => Timestamp - (own[i - 1]?.Timestamp ?? Timestamp) > QUARTER,
    )
    expect(own[gap]?.Timestamp).toBe(MIDNIGHT - DAY)
    expect(own[gap - 1]?.Timestamp).toBe(MIDNIGHT - 4 * DAY - QUARTER)
  })

  it('lets the counter fall by what the old one had more, where it was replaced', () => {
    const own = readingsOf(COOLING, portions)
    const fell = own.findIndex(
      ({ AccumulatePower }, i) => AccumulatePower < (own[i - 1]?.AccumulatePower ?? 0),
    )
    const [before, after] = [own[fell - 1] as MeterReading, own[fell] as MeterReading]
    expect(before.Timestamp).toBeLessThan(replacedAt(UNTIL, 3))
    expect(after.Timestamp).toBeGreaterThan(replacedAt(UNTIL, 3))
    expect(before.AccumulatePower - after.AccumulatePower).toBeGreaterThan(490)
    expect(before.AccumulatePower - after.AccumulatePower).toBeLessThanOrEqual(500)
  })
})
