import { describe, expect, it } from 'vitest'
import { TAISEIA_TYPES } from '../../../contract/devices/capabilities/taiseia.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { createBuilding, type Building } from '../../../simulator/building/building.ts'
import { demoCompany, type DemoDevice, type DemoHub } from '../../../simulator/demo/demo.ts'
import { shift } from '../../../simulator/scenarios/factory.ts'
import {
  isMeetingRoom,
  type Meeting,
  meetingAt,
  MEETINGS,
  presence,
} from '../../../simulator/scenarios/office.ts'
import { localTime } from '../../../simulator/scenarios/taiwan.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const STEP = 5 * MINUTE
const SEED = 1
/** A Thursday and the four days that follow it, with their weekend. */
const FROM = Date.parse('2026-07-09T00:00:00+08:00')
const DAYS = 5

const hubs = demoCompany.homes.flatMap(({ hubs: ofHome }) => ofHome)
const headquarters = demoCompany.homes[0]?.hubs ?? []
type Report = Readonly<Record<string, number>>
/** Room whose occupants a device detects. */
const roomOf = ({ scenario }: DemoDevice): string => scenario.rooms?.[0] ?? scenario.key
const isLit = (report: Report): boolean =>
  ['Switch', 'Switch1', 'Switch2', 'Switch3'].some((field) => report[field] === 1)

const isConditioning = (report: Report): boolean =>
  report['Switch'] === 1 && report['TaiSEIAType'] === TAISEIA_TYPES.airConditioner

interface Moment {
  device: DemoDevice
  at: number
}

/** Simulates all buildings over the days, and records when each device showed occupancy. */
function live(): Record<'lit' | 'moving' | 'conditioned', Moment[]> {
  const seen: ReturnType<typeof live> = { lit: [], moving: [], conditioned: [] }
  for (const { devices } of hubs) {
    const building = createBuilding(devices, SEED)
    for (let at = FROM; at < FROM + DAYS * DAY; at += STEP) {
      building.step(STEP / 1000, at)
      for (const device of devices) {
        const report = building.report(device.PeripheralUID) as Report
        if (device.scenario.profile === 'officeLight' && isLit(report)) seen.lit.push({ device, at })
        if (report['MotionState'] === 1) seen.moving.push({ device, at })
        if (isConditioning(report)) seen.conditioned.push({ device, at })
      }
    }
  }
  return seen
}

/** Times at which the room of a device was empty, including the minutes before. */
const withoutPeople = (moments: readonly Moment[], minutes: number): string[] =>
  moments
    .filter(({ device, at }) => {
      const room = roomOf(device)
      const isThere = (before: number) =>
        device.scenario.profile === 'hallMotion'
          ? shift(at - before) > 0
          : presence(SEED, room, at - before) > 0
      for (let before = 0; before <= minutes * MINUTE; before += STEP) if (isThere(before)) return false
      return true
    })
    .map(({ device, at }) => `${device.PeripheralName} ${new Date(at).toISOString()}`)

describe('days of the simulated buildings', () => {
  const { lit, moving, conditioned } = live()

  it('have no light of an office on a quarter of an hour after the last person left its room', () => {
    expect(lit.length).toBeGreaterThan(1_000)
    expect(withoutPeople(lit, 15)).toEqual([])
  })

  it('have motion only where people are, in offices and in halls', () => {
    expect(moving.length).toBeGreaterThan(1_000)
    expect(withoutPeople(moving, 0)).toEqual([])
  })

  it('have rooms conditioned for the people in them', () => {
    expect(conditioned.length).toBeGreaterThan(10)
    expect(withoutPeople(conditioned, 0)).toEqual([])
  })

  it('see people in a meeting room while a meeting is held there, and cleaners in the morning', () => {
    const rooms = [...new Set(MEETINGS.map(({ RoomName }) => RoomName))]
    const wrong: string[] = []
    for (let at = FROM; at < FROM + DAYS * DAY; at += STEP) {
      const { hour } = localTime(at)
      if (hour > 7 && hour < 7.6) continue
      for (const room of rooms)
        if (presence(SEED, room, at) > 0 !== (meetingAt(SEED, room, at) !== undefined))
          wrong.push(`${room} ${new Date(at).toISOString()}`)
    }
    expect(wrong).toEqual([])
  })

  it('hold each meeting within its booking, but for who comes a few minutes early', () => {
    expect(MEETINGS.length).toBeGreaterThan(10)
    for (const { RoomName, weekday, hour, minutes } of MEETINGS) {
      const day = FROM + ((weekday - 4 + 7) % 7) * DAY
      const from = day + hour * 60 * MINUTE
      expect(meetingAt(SEED, RoomName, from + (minutes / 2) * MINUTE)).toMatchObject({ weekday, hour })
      expect(meetingAt(SEED, RoomName, from - 6 * MINUTE)?.hour).not.toBe(hour)
      expect(meetingAt(SEED, RoomName, from + minutes * MINUTE)?.hour).not.toBe(hour)
    }
  })

  it('hold no two meetings in one room at a time', () => {
    const end = ({ hour, minutes }: Meeting) => hour + minutes / 60
    const clashes = MEETINGS.filter((one) =>
      MEETINGS.some(
        (other) =>
          one !== other &&
          one.RoomName === other.RoomName &&
          one.weekday === other.weekday &&
          one.hour < end(other) &&
          other.hour < end(one),
      ),
    )
    expect(clashes).toEqual([])
  })
})

/** W measured by the head office's hubs at a time, each load counted once. */
function powerOf(buildings: readonly { hub: DemoHub; building: Building }[]): number {
  let watts = 0
  for (const { hub, building } of buildings) {
    const main = new Set(hub.devices.map(({ PeripheralUID }) => PeripheralUID))
    for (const { parentOf = [] } of hub.devices) for (const uid of parentOf) main.delete(uid)
    for (const uid of main) watts += (building.report(uid)?.['Power'] as number | undefined) ?? 0
  }
  return watts
}

it.each(['2026-01-14', '2026-04-15', '2026-07-15', '2026-10-14'])(
  'the head office takes at three at night at most 40 %% of what it takes at eleven, on %s',
  (day) => {
    const midnight = Date.parse(`${day}T00:00:00+08:00`)
    const buildings = headquarters.map((hub) => ({ hub, building: createBuilding(hub.devices, SEED) }))
    const mean = (hour: number) => {
      let sum = 0
      for (let minute = 0; minute < 60; minute += 5) {
        const at = midnight + (hour * 60 + minute) * MINUTE
        for (const { building } of buildings) building.step(300, at)
        sum += powerOf(buildings) / 12
      }
      return sum
    }
    const night = mean(3)
    expect(night).toBeGreaterThan(5_000)
    expect(night).toBeLessThanOrEqual(0.4 * mean(11))
  },
)

/** W of a device, from its report. */
function drawOf({ scenario, PeripheralType }: DemoDevice, report: Report): number {
  if (report['Power'] !== undefined) return report['Power']
  const lamps = scenario.wiring?.lampWatts ?? 0
  if (deviceType(PeripheralType)?.category === 'Dimmer')
    return ((report['Switch'] as number) * lamps * (report['Brightness'] as number)) / 100
  return lamps * ['Switch', 'Switch1', 'Switch2', 'Switch3'].filter((field) => report[field] === 1).length
}

it('a board takes what it feeds and its own, at every moment of a day', () => {
  let boards = 0
  for (const { devices } of hubs) {
    const building = createBuilding(devices, SEED)
    const byUid = new Map(devices.map((device) => [device.PeripheralUID, device]))
    for (let at = FROM; at < FROM + DAY; at += 15 * MINUTE) {
      building.step(900, at)
      for (const { PeripheralUID, scenario } of devices) {
        // Another test covers the generation of a plant.
        if (!scenario.feeds || scenario.wiring?.kwhReturned !== undefined) continue
        boards += 1
        const fed = scenario.feeds.reduce(
          (sum, uid) => sum + drawOf(byUid.get(uid) as DemoDevice, building.report(uid) as Report),
          0,
        )
        const own = (building.report(PeripheralUID)?.['Power'] as number) - fed
        expect(own).toBeGreaterThanOrEqual(-1)
        expect(own).toBeLessThanOrEqual((scenario.watts ?? 0) + 1)
      }
    }
  }
  expect(boards).toBeGreaterThan(96 * 15)
})

it('serves only rooms that there are', () => {
  for (const { rooms, hubs: ofHome } of demoCompany.homes)
    for (const { scenario } of ofHome.flatMap(({ devices }) => devices))
      expect(rooms).toEqual(expect.arrayContaining([...(scenario.rooms ?? [])]))
  const rooms = demoCompany.homes.flatMap((home) => home.rooms)
  expect(rooms.filter(isMeetingRoom)).toHaveLength(5)
})
