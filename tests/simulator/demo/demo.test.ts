import { expect, it } from 'vitest'
import { deviceType, deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import { Name, PeripheralUID } from '../../../contract/kernel/scalars.ts'
import { createBuilding } from '../../../simulator/building/building.ts'
import { demoCompany } from '../../../simulator/demo/demo.ts'

const hubs = demoCompany.homes.flatMap((home) => home.hubs)
const devices = hubs.flatMap((hub) => hub.devices)
const rooms = demoCompany.homes.flatMap((home) => home.rooms)

it('shows at least 3 homes, 20 rooms, 8 hubs and 150 devices', () => {
  expect(demoCompany.homes.length).toBeGreaterThanOrEqual(3)
  expect(rooms.length).toBeGreaterThanOrEqual(20)
  expect(hubs.length).toBeGreaterThanOrEqual(8)
  expect(devices.length).toBeGreaterThanOrEqual(150)
})

/** Not simulated: a camera streams images. */
const ELSEWHERE = ['ipCamera']

it('has every kind of device that lists show', () => {
  const kinds = new Set(devices.map(({ PeripheralType }) => deviceType(PeripheralType)?.kind))
  const listed = deviceTypes.filter(({ hidden, kind }) => !hidden && !ELSEWHERE.includes(kind))
  expect([...new Set(listed.map(({ kind }) => kind))].filter((kind) => !kinds.has(kind))).toEqual([])
})

it('gives every device an id of its own, a name and a room of its home', () => {
  expect(new Set(devices.map((device) => device.PeripheralUID)).size).toBe(devices.length)
  for (const home of demoCompany.homes)
    for (const hub of home.hubs) {
      expect(home.rooms).toContain(hub.RoomName)
      for (const device of hub.devices) {
        expect(home.rooms).toContain(device.RoomName)
        expect(PeripheralUID.safeParse(device.PeripheralUID).success).toBe(true)
        expect(Name.safeParse(device.PeripheralName).success).toBe(true)
      }
    }
})

it('feeds every board from devices that stand before it on the same hub', () => {
  for (const hub of hubs)
    for (const [i, device] of hub.devices.entries())
      for (const fed of device.scenario.feeds ?? [])
        expect(hub.devices.slice(0, i).map((one) => one.PeripheralUID)).toContain(fed)
})

it('conserves energy: a board counts at least what its parts count, and no more than its own share on top', () => {
  let found = 0
  for (const hub of hubs) {
    const building = createBuilding(hub.devices, 1)
    const count = (uid: string) => (building.report(uid) as { AccumulatePower: number }).AccumulatePower
    const boards = hub.devices.filter(
      ({ scenario }) =>
        scenario.feeds && scenario.wiring?.phases === 3 && scenario.wiring.kwhReturned === undefined,
    )
    found += boards.length
    const before = new Map(
      hub.devices.map(({ PeripheralUID: uid }) => [uid, building.report(uid) && count(uid)]),
    )
    const from = Date.parse('2026-07-14T09:00:00+08:00')
    for (let minute = 0; minute < 120; minute++) building.step(60, from + minute * 60_000)
    for (const { PeripheralUID: board, scenario } of boards) {
      const moved = (uid: string) => count(uid) - (before.get(uid) as number)
      const parts = (scenario.feeds as string[]).reduce((sum, uid) => sum + moved(uid), 0)
      expect(moved(board)).toBeGreaterThanOrEqual(parts - 0.001)
      expect(moved(board)).toBeLessThanOrEqual(parts + ((scenario.watts as number) * 2) / 1000 + 0.001)
    }
  }
  expect(found).toBeGreaterThan(10)
})

it('raises the lighting meter when a light is switched on', () => {
  const hub = hubs.find(({ devices }) => devices.some(({ scenario }) => scenario.feeds))
  const meter = hub?.devices.find(({ scenario }) => scenario.feeds)
  const light = hub?.devices.find(({ PeripheralType }) => PeripheralType === '535')
  const night = Date.parse('2026-07-14T03:00:00+08:00')
  const building = createBuilding(hub?.devices ?? [], 1)
  const power = () => (building.report(meter?.PeripheralUID as string) as { Power: number }).Power
  building.step(1, night)
  const dark = power()
  building.command(light?.PeripheralUID as string, { Switch1: 1 })
  building.step(1, night)
  expect(power()).toBeCloseTo(dark + (light?.scenario.wiring?.lampWatts as number), 0)
})
