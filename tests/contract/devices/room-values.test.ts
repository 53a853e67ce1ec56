import { describe, expect, it } from 'vitest'
import { deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import { isSetByRooms, parseRoomValues, roomValues } from '../../../contract/devices/room-values.ts'

describe('a device that a room action can set', () => {
  it('is every type that gets values from one', () => {
    const settings = [
      ['lights', parseRoomValues('lights', { On: 1, Brightness: 50 }).data],
      ['climate', parseRoomValues('climate', { On: 1, TargetTemperature: 24 }).data],
    ] as const
    const statuses = [null, { ThermostatTable: [{ NodeID: 1 }] }, { DeviceType: 1 }]
    const isSet = (PeripheralType: string) =>
      settings.some(([only, values]) =>
        statuses.some((status) => values && roomValues(only, values, { PeripheralType, status })),
      )
    const set = deviceTypes.map(({ type }) => type).filter(isSet)
    expect(set.length).toBeGreaterThan(0)
    expect(set.filter((type) => !isSetByRooms(type))).toEqual([])
  })

  // Meters also move by the date from which they count in a room, which requires no right to control.
  it('is never a meter', () => {
    const meters = deviceTypes.filter(({ capabilities }) => capabilities.some(({ name }) => name === 'meter'))
    expect(meters.length).toBeGreaterThan(0)
    expect(meters.filter(({ type }) => isSetByRooms(type)).map(({ type }) => type)).toEqual([])
  })
})
