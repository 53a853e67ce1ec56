import { describe, expect, it } from 'vitest'
import { company, type CompanyProfile } from '../../../contract/people/company-calls.ts'
import { home as homeResource, type HomeWithRooms } from '../../../contract/homes/home.ts'
import {
  peripheral,
  type DeviceSnapshot,
  type AnsweredPeripheral,
} from '../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { user, type User } from '../../../contract/people/user.ts'
import { cachePatches, type AnyChange, type PatchContext } from '../../../src/data/cache-patches.ts'
import { aPeripheral } from '../../support/peripheral.ts'

const device = (PeripheralUID: string, RoomID = 0, HomeID = 'h1', ThingName = 't1'): AnsweredPeripheral =>
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
  Latitude: null,
  Longitude: null,
  RoomList,
})

const homes = [home('h1', [room(0, ['p1'], ['t1']), room(1, ['p2']), room(2)]), home('h2')]
const devices: DeviceSnapshot = {
  Things: [hub('t1')],
  Peripherals: [device('p1'), device('p2', 1)],
  Statuses: [],
}
const nobodys: DeviceSnapshot = { Things: [], Peripherals: [], Statuses: [] }
const at: PatchContext = { homeId: 'h1' }

/** Response of a call after the event is applied. */
const patch = <T>(path: string, answer: T, change: AnyChange, place = at) =>
  cachePatches[path]?.(answer, change, place) as T | 'old'
const onHomes = (change: AnyChange, from = homes, place = at) => {
  const after = patch(homeResource.operations.list.path, from, change, place)
  if (after === 'old') throw new Error('the homes are to be asked for')
  return after
}
const onDevices = (change: AnyChange, from = devices, place = at) =>
  patch(peripheral.operations.list.path, from, change, place)
const devicesAfter = (change: AnyChange, from = devices) => {
  const after = onDevices(change, from)
  if (after === 'old') throw new Error('the devices are to be asked for')
  return after
}
const rooms = (after: HomeWithRooms[]) =>
  Object.fromEntries(after[0]?.RoomList.map((entry) => [entry.RoomID, entry.PeripheralList]) ?? [])
const uids = (after: DeviceSnapshot) => after.Peripherals.map((entry) => entry.PeripheralUID)

describe('homes', () => {
  it('refetches the list when one is added, as the event has only the ID', () => {
    expect(() => onHomes({ name: 'home.add', record: { HomeID: 'h3' } })).toThrow('to be asked for')
  })

  it('renames a home and keeps its rooms', () => {
    const { RoomList: _, ...record } = { ...home('h1'), HomeName: 'HQ' }
    const after = onHomes({ name: 'home.update', record })
    expect(after.find(({ HomeID }) => HomeID === 'h1')).toMatchObject({
      HomeName: 'HQ',
      RoomList: { length: 3 },
    })
  })

  it('removes a deleted home', () => {
    const after = onHomes({ name: 'home.remove', record: { HomeID: 'h1' } })
    expect(after.map(({ HomeID }) => HomeID)).toEqual(['h2'])
  })
})

describe('rooms', () => {
  it('adds a room once despite duplicate events', () => {
    const record = { HomeID: 'h1', RoomID: 9, RoomName: 'Lobby' }
    const added = onHomes({ name: 'room.add', record })
    const twice = onHomes({ name: 'room.add', record }, onHomes({ name: 'home.addRoom', record }, added))
    expect(twice[0]?.RoomList.filter(({ RoomID }) => RoomID === 9)).toHaveLength(1)
  })

  it('renames a room and keeps its devices', () => {
    const after = onHomes({ name: 'room.update', record: { HomeID: 'h1', RoomID: 1, RoomName: 'Lobby' } })
    expect(after[0]?.RoomList[1]).toMatchObject({ RoomName: 'Lobby', PeripheralList: ['p2'] })
  })

  it.each(['room.remove', 'home.removeRoom'] as const)(
    'moves the devices of a deleted room to the default room (%s)',
    (name) => {
      const change: AnyChange = { name, record: { HomeID: 'h1', RoomID: 1 } }
      expect(rooms(onHomes(change))).toEqual({ 0: ['p1', 'p2'], 2: [] })
      expect(devicesAfter(change).Peripherals.map(({ RoomID }) => RoomID)).toEqual([0, 0])
    },
  )
})

describe('devices and hubs', () => {
  it('adds a device of the current home, in its room', () => {
    const change: AnyChange = { name: 'peripheral.add', record: device('p3', 2) }
    expect(uids(devicesAfter(change))).toEqual(['p1', 'p2', 'p3'])
    expect(rooms(onHomes(change))[2]).toEqual(['p3'])
  })

  it('adds no device that is already there', () => {
    expect(uids(devicesAfter({ name: 'peripheral.add', record: device('p1') }))).toEqual(['p1', 'p2'])
  })

  it('adds no device of another home, but refetches that home when it is opened', () => {
    const change: AnyChange = { name: 'peripheral.add', record: device('p9', 0, 'h2') }
    expect(onHomes(change)).toBe(homes)
    expect(onDevices(change, nobodys)).toBe('old')
  })

  it('moves a device from its room to another', () => {
    const change: AnyChange = { name: 'peripheral.update', record: device('p2', 2) }
    expect(rooms(onHomes(change))).toEqual({ 0: ['p1'], 1: [], 2: ['p2'] })
    expect(devicesAfter(change).Peripherals[1]?.RoomID).toBe(2)
  })

  it('renames a device in its place', () => {
    const after = devicesAfter({
      name: 'peripheral.update',
      record: { ...device('p1'), PeripheralName: 'Lamp' },
    })
    expect(after.Peripherals[0]?.PeripheralName).toBe('Lamp')
  })

  it('updates values derived from the record of a changed device', () => {
    const { Category: _, ImageUrl: __, ...record } = device('p1')
    const name = 'peripheral.update' as const
    const after = devicesAfter({ name, record: { ...record, PeripheralImageUrl: '/images/a' } })
    expect(after.Peripherals[0]).toMatchObject({ Category: 'LightSwitch', ImageUrl: '/images/a' })
  })

  it('removes a device from list and room', () => {
    const change: AnyChange = { name: 'peripheral.remove', record: { HomeID: 'h1', PeripheralUID: 'p2' } }
    expect(uids(devicesAfter(change))).toEqual(['p1'])
    expect(rooms(onHomes(change))[1]).toEqual([])
  })

  it('adds a hub of the current home once, and none of another', () => {
    const change: AnyChange = { name: 'thing.add', record: hub('t2') }
    const twice = devicesAfter(change, devicesAfter(change))
    expect(twice.Things.map(({ ThingName }) => ThingName)).toEqual(['t1', 't2'])
    const elsewhere: AnyChange = { name: 'thing.add', record: hub('t3', 0, 'h2') }
    expect(onHomes(elsewhere)).toBe(homes)
    expect(onDevices(elsewhere, nobodys)).toBe('old')
  })

  it('moves a hub between rooms and keeps that it is online', () => {
    const { Online: _, SeenAt: __, ...record } = hub('t1', 2)
    const change: AnyChange = { name: 'thing.update', record }
    expect(devicesAfter(change).Things[0]).toMatchObject({ RoomID: 2, Online: true })
    expect(onHomes(change)[0]?.RoomList.map(({ ThingNameList }) => ThingNameList)).toEqual([[], [], ['t1']])
  })

  it('removes a hub with its devices, and refetches the rooms that lose them', () => {
    const change: AnyChange = { name: 'thing.remove', record: { HomeID: 'h1', ThingName: 't1' } }
    expect(onDevices(change)).toMatchObject({ Things: [], Peripherals: [] })
    expect(patch(homeResource.operations.list.path, homes, change)).toBe('old')
  })

  it('keeps devices that a change does not concern', () => {
    const record = { HomeID: 'h1', RoomID: 9, RoomName: 'Lobby' }
    expect(onDevices({ name: 'room.add', record })).toBe(devices)
  })
})

describe('people and the company', () => {
  const ann: User = {
    CognitoId: 'c1',
    Email: 'ann@company.example',
    FirstName: 'Ann',
    LastName: '',
    nickname: '',
    DepartmentID: null,
    enabled: true,
    rank: 1,
    InvitedUntil: null,
    Permissions: [],
    HomeGrants: [],
    Version: 1,
  }
  const onUsers = (change: AnyChange, from: User[]) => patch(user.operations.list.path, from, change)

  it('adds a person, and changes one in place', () => {
    expect(onUsers({ name: 'user.add', record: ann }, [])).toEqual([ann])
    const record = { ...ann, FirstName: 'Anna' }
    expect(onUsers({ name: 'user.update', record }, [ann])).toEqual([record])
  })

  it('removes a person', () => {
    expect(onUsers({ name: 'user.remove', record: { Email: ann.Email } }, [ann])).toEqual([])
  })

  it("adopts the company's new name", () => {
    const record = { CompanyName: 'New', LogoName: 'N', LogoUrl: null }
    const before: CompanyProfile = { ...record, CompanyName: 'Old' }
    expect(patch(company.getCompanyProfile.path, before, { name: 'company.update', record })).toEqual(record)
  })
})
