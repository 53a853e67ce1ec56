import { describe, expect, it } from 'vitest'
import { afterHomeChoice } from '../../../src/shell/home-navigation.ts'

describe('selecting another home', () => {
  it.each([
    ['from a room goes to the default room', '/RoomDevice/h1/7', '/RoomDevice/h2/0'],
    ['from the default room goes to the default room', '/RoomDevice/h1/0', '/RoomDevice/h2/0'],
    ['from a group being edited goes to the group list', '/updateGroup/h1/g1', '/GroupListing/h2'],
    ['from a group being added goes to the group list', '/updateGroup/h1', '/GroupListing/h2'],
    ['from the home list goes to the devices', '/HomeList', '/DeviceList/h2'],
    ['from the dashboard goes to the devices', '/Dashboard', '/DeviceList/h2'],
    ['from / goes to the devices', '/', '/DeviceList/h2'],
    ['from /home goes to the devices', '/home', '/DeviceList/h2'],
    ['stays on the devices', '/DeviceList/h1', '/DeviceList/h2'],
    ['stays on the room settings', '/Rooms/h1', '/Rooms/h2'],
    ['stays on the same category', '/DeviceCategory/h1/Door', '/DeviceCategory/h2/Door'],
    ['stays on adding devices', '/addDevice/h1', '/addDevice/h2'],
    ['leaves a scene of the old home behind', '/updateScene/h1/s1', '/updateScene/h2'],
    ['cannot stay on a device of the old home', '/DeviceInfo/h1/p1', '/DeviceList/h2'],
    ['cannot stay on a Modbus device of the old home', '/ModBusInfo/h1/p1', '/DeviceList/h2'],
    ['stays on a page of the company', '/user/list', '/user/list'],
    ['leads to the devices from an address that is no page', '/nowhere', '/DeviceList/h2'],
  ])('%s', (_, from, to) => {
    expect(afterHomeChoice(from, 'h2')).toBe(to)
  })
})
