import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../../contract/devices/thing.ts'
import { roomValues } from '../../../../contract/devices/room-values.ts'
import { placeInLayer } from '../../../../src/domain/room/room-layers.ts'
import { contentsOf, summarizeRoom } from '../../../../src/domain/room/room-summary.ts'
import { aPeripheral } from '../../../support/peripheral.ts'

const NOW = 1_790_000_000_000
const device = (PeripheralUID: string, PeripheralType: string, more: Partial<Peripheral> = {}) =>
  aPeripheral({ PeripheralUID, PeripheralType, RoomID: 1, ...more })
const hub = (Online: boolean, ThingName = 'hub', RoomID = 1): ThingWithState => ({
  ThingName,
  DeviceName: ThingName,
  HomeID: 'h1',
  RoomID,
  Online,
  SeenAt: NOW - 3_600_000,
})

/** Room 1 with these devices; `said` is the report of each, a second old. */
function roomOf(
  devices: readonly Peripheral[],
  said: Readonly<Record<string, object>>,
  { hubs = [hub(true)], connected = true } = {},
) {
  const statusOf = (uid: string): DeviceStatus | undefined => {
    const values = said[uid]
    const found = devices.find(({ PeripheralUID }) => PeripheralUID === uid)
    if (!values || !found) return undefined
    return {
      PeripheralUID: uid,
      PeripheralType: found.PeripheralType,
      Timestamp: NOW - 1000,
      updateAt: NOW - 1000,
      ...values,
    }
  }
  const contents = contentsOf(devices, hubs).get(1)
  if (!contents) throw new RangeError('Nothing stands in the room')
  return summarizeRoom(contents, { statusOf, connected }, NOW)
}

describe('a room', () => {
  it('counts lights, people and climate, and prefers the mean of its sensors over that of appliances', () => {
    const devices = [
      device('wall', '534'),
      device('dark', '534'),
      device('radar', '529'),
      device('ac', '527'),
      device('air', '753'),
    ]
    const room = roomOf(devices, {
      wall: { Switch1: 0, Switch2: 1 },
      dark: { Switch1: 0, Switch2: 0 },
      radar: { MotionState: 1 },
      air: { Temperature: 24, PM25: 12 },
      ac: { TaiSEIAType: 1, Switch: 1, IndoorTemperature: 31 },
    })
    expect(room.lights).toEqual({ count: 1, total: 2, unknown: 0 })
    expect(room.climate).toEqual({ count: 1, total: 1, unknown: 0 })
    expect(room.people).toEqual({ count: 1, total: 1, unknown: 0 })
    expect(room.temperature.value).toBe(24)
    expect(room.pm25.value).toBe(12)
  })

  it('is well only while everything in it is known and the channel is connected', () => {
    const light = [device('wall', '534')]
    const said = { wall: { Switch1: 1, Switch2: 0 } }
    expect(roomOf(light, said).state).toBe('well')
    expect(roomOf(light, {}).state).toBe('unknown')
    expect(roomOf(light, said, { connected: false }).state).toBe('unknown')
    expect(roomOf(light, said, { hubs: [hub(false, 'hub', 2)] })).toMatchObject({
      state: 'unknown',
      knownCount: 0,
      watchedCount: 1,
      lights: { count: 0, total: 1, unknown: 1 },
    })
  })

  it('treats the last fire of a lost hub as critical, and a lost hub in the room as a warning', () => {
    const fire = roomOf(
      [device('smoke', '756')],
      { smoke: { SmokeState: 3 } },
      { hubs: [hub(false, 'hub', 2)] },
    )
    expect(fire.state).toBe('critical')
    expect(roomOf([device('wall', '534')], {}, { hubs: [hub(false)] })).toMatchObject({
      state: 'warning',
      attentionCount: 1,
    })
  })

  it('adds up the power of its own meters once, except one that feeds other rooms', () => {
    const devices = [
      device('main', '514', { RoomID: 1 }),
      device('board', '514', { ParentMeter: 'main' }),
      device('socket', '514', { ParentMeter: 'board' }),
      device('elsewhere', '514', { RoomID: 2, ParentMeter: 'main' }),
      device('sun', '514', { Role: 'generation' }),
    ]
    const power = (Power: number) => ({ Power, AccumulatePower: 1 })
    const said = {
      main: power(9000),
      board: power(500),
      socket: power(200),
      elsewhere: power(4000),
      sun: power(3000),
    }
    expect(roomOf(devices, said).watts).toEqual({ value: 500, total: 1, unknown: 0 })
  })

  it('shows no share for incomplete power', () => {
    const devices = [device('a', '514'), device('b', '514')]
    const room = roomOf(devices, { a: { Power: 100, AccumulatePower: 1 } })
    expect(room.watts).toEqual({ value: 100, total: 2, unknown: 1 })
    expect(placeInLayer('power', room, { highest: 100, bookings: undefined, now: NOW })).toBe('unknown')
  })

  it('is never well with an unknown state, for any reports and hubs', () => {
    const uids = ['a', 'b', 'c', 'd']
    const types = ['534', '514', '755', '527']
    fc.assert(
      fc.property(fc.subarray(uids), fc.boolean(), fc.boolean(), (heard, isOnline, connected) => {
        const devices = uids.map((uid, i) => device(uid, types[i] as string))
        const said = Object.fromEntries(heard.map((uid) => [uid, { Power: 1, AccumulatePower: 1 }]))
        const room = roomOf(devices, said, { hubs: [hub(isOnline)], connected })
        expect(room.state === 'well').toBe(
          connected && isOnline && heard.length === uids.length && room.attentionCount === 0,
        )
        for (const { count, total, unknown } of [room.lights, room.climate, room.people])
          expect(count + unknown).toBeLessThanOrEqual(total)
        expect(room.watts.value === null).toBe(!isOnline || !heard.includes('b'))
      }),
    )
  })
})

describe('a layer', () => {
  const room = roomOf([device('wall', '534')], { wall: { Switch1: 0, Switch2: 0 } })
  const at = (minutes: number) => [
    { StartTimestamp: NOW + minutes * 60_000, EndTimestamp: NOW + (minutes + 60) * 60_000 },
  ]
  const booking = (bookings: ReturnType<typeof at> | [] | null | undefined) =>
    placeInLayer('booking', room, { highest: 0, bookings, now: NOW })

  it('shows how soon a room is occupied, and nothing for a room that cannot be booked', () => {
    expect([booking([]), booking(at(90)), booking(at(45)), booking(at(10)), booking(at(-10))]).toEqual([
      1, 2, 3, 4, 5,
    ])
    expect([booking(undefined), booking(null)]).toEqual(['none', 'unknown'])
  })

  it('rates air as good only if it is fully known, and as bad for any bad quantity', () => {
    const silent = { value: null, total: 1, unknown: 1 }
    const place = (co2: number) =>
      placeInLayer(
        'air',
        { ...roomOf([], {}), co2: { value: co2, total: 1, unknown: 0 }, pm25: silent },
        { highest: 0, bookings: undefined, now: NOW },
      )
    expect([500, 900, 1_200, 1_600].map(place)).toEqual(['unknown', 'unknown', 4, 5])
  })

  it('does not treat silence as darkness', () => {
    const place = (said: Record<string, object>) =>
      placeInLayer('light', roomOf([device('wall', '534'), device('other', '534')], said), {
        highest: 0,
        bookings: undefined,
        now: NOW,
      })
    expect(place({ wall: { Switch1: 0, Switch2: 0 } })).toBe('unknown')
    expect(place({ wall: { Switch1: 0, Switch2: 0 }, other: { Switch1: 0, Switch2: 0 } })).toBe(1)
    expect(place({ wall: { Switch1: 1 }, other: { Switch1: 1 } })).toBe(5)
  })
})

describe('a room command', () => {
  const device = (PeripheralType: string, status: Record<string, unknown> = {}) => ({
    PeripheralType,
    status,
  })

  it('excludes dry contacts, I/O controllers and everything that needs confirmation', () => {
    for (const only of ['lights', 'climate'] as const)
      for (const type of ['517', '526', '518', '519', '515', '514', '904'])
        expect(roomValues(only, { On: 0 }, device(type)), type).toBeUndefined()
  })

  it('gives only dimmers a level and only air conditioners a mode', () => {
    expect(roomValues('lights', { Brightness: 40 }, device('534'))).toBeUndefined()
    expect(roomValues('climate', { ACMode: 4 }, device('527', { TaiSEIAType: 1 }))).toEqual({ ACMode: 4 })
    expect(roomValues('climate', { ACMode: 4 }, device('527', { TaiSEIAType: 4 }))).toBeUndefined()
    const panel = device('525', { ThermostatTable: [{ NodeID: 1 }] })
    expect(roomValues('climate', { ACMode: 4 }, panel)).toBeUndefined()
  })
})
