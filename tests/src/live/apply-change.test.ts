import { describe, expect, it } from 'vitest'
import type { HomeWithRooms } from '../../../contract/resources/home.ts'
import type { Peripheral } from '../../../contract/resources/peripheral.ts'
import type { ThingWithState } from '../../../contract/resources/thing.ts'
import { applyChange, type AnyChange, type Cached, type Place } from '../../../src/data/apply-change.ts'
import { aPeripheral } from '../../support/peripheral.ts'

const device = (PeripheralUID: string, RoomID = 0, HomeID = 'h1', ThingName = 't1'): Peripheral =>
  aPeripheral({ PeripheralUID, PeripheralType: '516', HomeID, RoomID, ThingName })
const hub = (ThingName: string, RoomID = 0, HomeID = 'h1'): ThingWithState => ({
  ThingName,
  DeviceName: ThingName,
  HomeID,
  RoomID,
  Online: true,
  SeenAt: 1,
})
const room = (RoomID: number, PeripheralList: string[] = [], ThingNameList: string[] = []) => ({
  HomeID: 'h1',
  RoomID,
  RoomName: `room ${RoomID}`,
  PeripheralList,
  ThingNameList,
})
const home = (HomeID: string, RoomList: HomeWithRooms['RoomList'] = []): HomeWithRooms => ({
  HomeID,
  HomeName: `home ${HomeID}`,
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  RoomList,
})

const cached: Cached = {
  homes: [home('h1', [room(0, ['p1'], ['t1']), room(1, ['p2']), room(2)]), home('h2')],
  devices: {
    h1: { Things: [hub('t1')], Peripherals: [device('p1'), device('p2', 1)], Statuses: [] },
    h2: { Things: [], Peripherals: [], Statuses: [] },
  },
  users: [],
}
const at: Place = { homeId: 'h1', roomId: undefined }
const apply = (change: AnyChange, place: Place = at, from = cached) => applyChange(from, change, place)
const rooms = (after: Cached) =>
  Object.fromEntries(after.homes?.[0]?.RoomList.map((entry) => [entry.RoomID, entry.PeripheralList]) ?? [])
const uids = (after: Cached, homeId = 'h1') =>
  after.devices[homeId]?.Peripherals.map((entry) => entry.PeripheralUID)

describe('homes', () => {
  it('adds a home among the others by name', () => {
    const added = { ...home('h3'), HomeName: 'a first one' }
    expect(apply({ name: 'home.add', record: added }).cached.homes?.map(({ HomeID }) => HomeID)).toEqual([
      'h3',
      'h1',
      'h2',
    ])
  })

  it('renames a home and keeps its rooms', () => {
    const { RoomList: _, ...record } = { ...home('h1'), HomeName: 'HQ' }
    const after = apply({ name: 'home.update', record }).cached.homes
    expect(after?.find(({ HomeID }) => HomeID === 'h1')).toMatchObject({
      HomeName: 'HQ',
      RoomList: { length: 3 },
    })
  })

  it('leads to the home list when the current home is deleted, and forgets its devices', () => {
    const outcome = apply({ name: 'home.remove', record: { HomeID: 'h1' } })
    expect(outcome.goTo).toEqual({ page: 'HomeList' })
    expect(outcome.forget).toEqual(['p1', 'p2'])
    expect(outcome.cached.homes?.map(({ HomeID }) => HomeID)).toEqual(['h2'])
    expect(outcome.cached.devices).not.toHaveProperty('h1')
  })

  it('leads nowhere when another home is deleted', () => {
    expect(apply({ name: 'home.remove', record: { HomeID: 'h2' } }).goTo).toBeUndefined()
  })
})

describe('rooms', () => {
  it.each(['room.add', 'home.addRoom'] as const)('adds a room once, by %s and its twin alike', (name) => {
    const record = { HomeID: 'h1', RoomID: 9, RoomName: 'Lobby' }
    const once = apply({ name, record }).cached
    const twice = apply({ name: 'room.add', record }, at, once).cached
    expect(twice.homes?.[0]?.RoomList.filter(({ RoomID }) => RoomID === 9)).toHaveLength(1)
  })

  it.each(['room.update', 'home.updateRoom'] as const)(
    'renames a room by %s and keeps what stands in it',
    (name) => {
      const after = apply({ name, record: { HomeID: 'h1', RoomID: 1, RoomName: 'Lobby' } }).cached
      expect(after.homes?.[0]?.RoomList[1]).toMatchObject({ RoomName: 'Lobby', PeripheralList: ['p2'] })
    },
  )

  it.each(['room.remove', 'home.removeRoom'] as const)(
    'moves the devices of a deleted room to the default room (%s)',
    (name) => {
      const { cached: after } = apply({ name, record: { HomeID: 'h1', RoomID: 1 } })
      expect(rooms(after)).toEqual({ 0: ['p1', 'p2'], 2: [] })
      expect(after.devices['h1']?.Peripherals.map(({ RoomID }) => RoomID)).toEqual([0, 0])
    },
  )

  it('leads to the device list when the current room is deleted', () => {
    const change: AnyChange = { name: 'room.remove', record: { HomeID: 'h1', RoomID: 1 } }
    expect(apply(change, { homeId: 'h1', roomId: 1 }).goTo).toEqual({ page: 'DeviceList', homeId: 'h1' })
    expect(apply(change, { homeId: 'h1', roomId: 2 }).goTo).toBeUndefined()
    expect(apply(change, { homeId: 'h2', roomId: 1 }).goTo).toBeUndefined()
  })
})

describe('devices and hubs', () => {
  it('adds a device of the current home, in its room', () => {
    const { cached: after } = apply({ name: 'peripheral.add', record: device('p3', 2) })
    expect(uids(after)).toEqual(['p1', 'p2', 'p3'])
    expect(rooms(after)[2]).toEqual(['p3'])
  })

  it('adds no device that is already there', () => {
    expect(uids(apply({ name: 'peripheral.add', record: device('p1') }).cached)).toEqual(['p1', 'p2'])
  })

  it('adds no device of another home, but asks for that home again when it is looked at', () => {
    const outcome = apply({ name: 'peripheral.add', record: device('p9', 0, 'h2') })
    expect(outcome.cached).toBe(cached)
    expect(outcome.stale).toEqual(['h2'])
  })

  it('moves a device from its room to another', () => {
    const { cached: after } = apply({ name: 'peripheral.update', record: device('p2', 2) })
    expect(rooms(after)).toEqual({ 0: ['p1'], 1: [], 2: ['p2'] })
    expect(after.devices['h1']?.Peripherals[1]?.RoomID).toBe(2)
  })

  it('renames a device in its place', () => {
    const { cached: after } = apply({
      name: 'peripheral.update',
      record: { ...device('p1'), PeripheralName: 'Lamp' },
    })
    expect(after.devices['h1']?.Peripherals[0]?.PeripheralName).toBe('Lamp')
  })

  it('removes a device from list and room and forgets its status', () => {
    const outcome = apply({ name: 'peripheral.remove', record: { HomeID: 'h1', PeripheralUID: 'p2' } })
    expect(uids(outcome.cached)).toEqual(['p1'])
    expect(rooms(outcome.cached)[1]).toEqual([])
    expect(outcome.forget).toEqual(['p2'])
  })

  it('adds a hub of the current home once, and none of another', () => {
    const once = apply({ name: 'thing.add', record: hub('t2') }).cached
    const twice = apply({ name: 'thing.add', record: hub('t2') }, at, once).cached
    expect(twice.devices['h1']?.Things.map(({ ThingName }) => ThingName)).toEqual(['t1', 't2'])
    expect(apply({ name: 'thing.add', record: hub('t3', 0, 'h2') }).cached).toBe(cached)
  })

  it('moves a hub between rooms and keeps that it is online', () => {
    const { Online: _, SeenAt: __, ...record } = hub('t1', 2)
    const { cached: after } = apply({ name: 'thing.update', record })
    expect(after.devices['h1']?.Things[0]).toMatchObject({ RoomID: 2, Online: true })
    expect(after.homes?.[0]?.RoomList.map(({ ThingNameList }) => ThingNameList)).toEqual([[], [], ['t1']])
  })

  it('removes a hub with its devices', () => {
    const outcome = apply({ name: 'thing.remove', record: { HomeID: 'h1', ThingName: 't1' } })
    expect(outcome.cached.devices['h1']).toMatchObject({ Things: [], Peripherals: [] })
    expect(rooms(outcome.cached)).toEqual({ 0: [], 1: [], 2: [] })
    expect(outcome.forget).toEqual(['p1', 'p2'])
  })
})

describe('people and the company', () => {
  it('makes no list out of an event: what was never loaded stays unknown', () => {
    const { users: _, ...unknown } = cached
    expect(
      apply({ name: 'user.remove', record: { Email: 'a@b.example' } }, at, unknown).cached.users,
    ).toBeUndefined()
  })

  it('takes over the company’s new name', () => {
    const record = { CompanyName: 'New', LogoName: 'N', LogoUrl: null }
    expect(apply({ name: 'company.update', record }).cached.company).toEqual(record)
  })
})
