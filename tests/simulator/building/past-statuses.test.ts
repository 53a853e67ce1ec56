import { describe, expect, it } from 'vitest'
import { parseStatusFields } from '../../../contract/devices/kinds/status.ts'
import { createBuilding, catchUpSince, settledStates } from '../../../simulator/building/building.ts'
import { readingsSince } from '../../../simulator/building/past.ts'
import { type LateStatus, pastStatusesOf, statusesSince } from '../../../simulator/building/past-statuses.ts'
import { demoCompany } from '../../../simulator/demo/demo.ts'
import { presence } from '../../../simulator/scenarios/office.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Wednesday, 10:05 in Taipei, and its midnight. */
const UNTIL = Date.parse('2026-07-15T10:05:00+08:00')
const MIDNIGHT = Date.parse('2026-07-15T00:00:00+08:00')

const hubs = demoCompany.homes.flatMap((home) => home.hubs)
const devicesOf = (name: string) => hubs.find(({ DeviceName }) => DeviceName === name)?.devices ?? []
const uidIn = (devices: ReturnType<typeof devicesOf>, name: string) =>
  devices.find(({ PeripheralName }) => PeripheralName === name)?.PeripheralUID as string

/** First portions of a past. */
function newest(devices: ReturnType<typeof devicesOf>, count: number): LateStatus[][] {
  const portions: LateStatus[][] = []
  for (const portion of pastStatusesOf(devices, UNTIL, 1)) if (portions.push(portion) === count) break
  return portions
}

const branch = devicesOf('前場閘道器')
const past = [...pastStatusesOf(branch, UNTIL, 1)]
const told = past.flat().toSorted((a, b) => a.Timestamp - b.Timestamp)
const of = (uid: string, statuses: readonly LateStatus[] = told) =>
  statuses.filter(({ PeripheralUID }) => PeripheralUID === uid)

describe('the past of the states of a hub', () => {
  it('comes newest first: 14 days one by one, then up to 62 days some at a time, then one by one', () => {
    expect(past).toHaveLength(14 + 6 + 348)
    for (const [day, portion] of past.slice(0, 14).entries())
      for (const { Timestamp } of portion) {
        expect(Timestamp).toBeGreaterThanOrEqual(MIDNIGHT - day * DAY)
        expect(Timestamp).toBeLessThan(MIDNIGHT + (1 - day) * DAY + MINUTE)
      }
    for (const portion of past)
      expect(portion.every(({ Timestamp }, i) => Timestamp <= (portion[i - 1]?.Timestamp ?? UNTIL))).toBe(
        true,
      )
    expect(told[0]?.Timestamp).toBe(Date.parse('2025-06-01T00:00:00+08:00'))
    expect(told.at(-1)?.Timestamp).toBeLessThan(UNTIL)
  })

  it('is what the contract says that these devices report', () => {
    const typeOf = new Map(branch.map(({ PeripheralUID, PeripheralType }) => [PeripheralUID, PeripheralType]))
    for (const { PeripheralUID, Timestamp: _, ...fields } of past[1] ?? []) {
      const parsed = parseStatusFields(typeOf.get(PeripheralUID) as string, fields)
      expect(parsed?.success && parsed.data).toEqual(fields)
    }
  })

  it('tells a light when it changes, and never in a room without people', () => {
    // Earlier days repeat others, on which people came at other times.
    const light = of(uidIn(branch, '展示間軌道燈')).filter(
      ({ Timestamp }) => Timestamp >= MIDNIGHT - 61 * DAY,
    )
    const wasted = light.filter(
      ({ Switch1, Timestamp }) =>
        Switch1 === 1 && ![0, 1].some((minutes) => presence(1, '展示間', Timestamp - minutes * MINUTE) > 0),
    )
    expect(wasted).toEqual([])
    const days = past.slice(0, 14).map((portion) => of(uidIn(branch, '展示間軌道燈'), portion).length)
    expect(Math.max(...days)).toBeLessThan(12)
    // On most Sundays the building is empty, so there are no reports.
    expect(days.filter((count) => count === 0).length).toBeGreaterThan(0)
  })

  it('goes on in each portion with what the one before it ended with', () => {
    const known = new Map<string, unknown>()
    const broken: string[] = []
    let seen = 0
    for (const portion of past.toReversed())
      for (const { PeripheralUID, Timestamp, ...fields } of portion.toReversed())
        for (const [field, value] of Object.entries(fields)) {
          const key = `${PeripheralUID} ${field}`
          if (Timestamp === portion.at(-1)?.Timestamp && known.has(key)) {
            seen += 1
            if (known.get(key) !== value) broken.push(`${key} ${new Date(Timestamp).toISOString()}`)
          }
          known.set(key, value)
        }
    expect(broken).toEqual([])
    expect(seen).toBeGreaterThan(500)
  })

  it('shuts doors behind who passes', () => {
    const door = of(uidIn(branch, '展示間大門')).filter(({ DoorState }) => DoorState !== undefined)
    const opened = door.filter(({ DoorState }) => DoorState === 2)
    expect(opened.length).toBeGreaterThan(200)
    for (const one of opened) {
      const next = door.find(({ Timestamp }) => Timestamp > one.Timestamp)
      expect(next).toMatchObject({ DoorState: 1, Timestamp: one.Timestamp + 15_000 })
    }
  })

  it('has nothing that went wrong', () => {
    const states = of(uidIn(branch, '展示間偵煙感測')).map(({ SmokeState }) => SmokeState)
    expect(new Set(states)).toEqual(new Set([1]))
  })
})

describe('what was measured in the past', () => {
  const office = devicesOf('五樓閘道器')
  const air = uidIn(office, '研發部空氣品質')
  const portions = newest(office, 21)

  it('is told every five minutes of 14 days, every half hour up to 62 days, and every hour before', () => {
    expect(of(air, portions[1])).toHaveLength(288)
    expect(of(air, portions[14])).toHaveLength(8 * 48)
    expect(of(air, portions[20])).toHaveLength(24)
    const temperatures = of(air, portions[1]).map(({ Temperature }) => Temperature as number)
    expect(temperatures.every((value) => value > 10 && value < 40)).toBe(true)
  })

  it('changes as the air of a room does, from one portion to the next too', () => {
    const all = of(air, portions.slice(0, 10).flat()).toSorted((a, b) => a.Timestamp - b.Timestamp)
    for (const [i, { Temperature }] of all.entries()) {
      const before = all[i - 1]?.['Temperature'] ?? Temperature
      expect(Math.abs((Temperature as number) - (before as number))).toBeLessThan(1)
    }
  })
})

describe('devices that were remembered', () => {
  const at = Date.parse('2026-07-14T19:00:00+08:00')
  const contact = uidIn(branch, '電動鐵捲門')
  const before = createBuilding(branch, 1, settledStates(branch, 1, at))
  before.step(1, at)
  before.command(contact, { Switch: 1 })
  const memory = { at, states: before.states() }

  it('tell what changed since, and leave alone what only people set', () => {
    const missed = statusesSince(branch, memory, 1, UNTIL)
    expect(missed.every(({ Timestamp }) => Timestamp > at && Timestamp < UNTIL)).toBe(true)
    expect(of(uidIn(branch, '業務辦公區燈'), missed)[0]).toMatchObject({ Switch2: 1 })
    expect(of(contact, missed)).toEqual([])
    expect(statusesSince(branch, memory, 1, at + 4 * MINUTE)).toEqual([])
  })

  it('counted on: their readings lie between what was remembered and what they show now', () => {
    const board = uidIn(branch, '前場總電表')
    const kwh = (report: Record<string, unknown> | undefined) => report?.['AccumulatePower'] as number
    const counters = readingsSince(branch, memory, 1, UNTIL)
      .filter(({ PeripheralUID }) => PeripheralUID === board)
      .map(({ AccumulatePower }) => AccumulatePower)
    expect(counters).toHaveLength(15 * 4)
    const end = [...catchUpSince(branch, memory, 1, UNTIL)].at(-1)
    const all = [kwh(before.report(board)), ...counters, kwh(end?.building.report(board))]
    expect(all.every((value, i) => value >= (all[i - 1] ?? 0))).toBe(true)
    expect(end).toMatchObject({ at: UNTIL, isLast: true })
  })

  it('begin in rooms as warm as their people made them, with counters that were not moved', () => {
    const office = devicesOf('五樓閘道器')
    const states = settledStates(office, 1, UNTIL)
    const building = createBuilding(office, 1, states)
    const fresh = createBuilding(office, 1)
    for (const { PeripheralUID } of office)
      expect(building.report(PeripheralUID)?.['AccumulatePower']).toBe(
        fresh.report(PeripheralUID)?.['AccumulatePower'],
      )
    expect(building.report(uidIn(office, '小會議室冷氣'))?.['Switch']).toBe(0)
    expect(building.report(uidIn(office, '研發部天花板燈（北）'))?.['Switch1']).toBe(1)
  })
})
