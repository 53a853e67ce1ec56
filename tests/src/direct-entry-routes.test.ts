import { describe, expect, it } from 'vitest'
import { directEntryRoutes } from '../../src/direct-entry-routes.ts'
import { pathTo, type PathName } from '../../src/navigation/paths.ts'

const PATHS: Record<keyof typeof directEntryRoutes, readonly PathName[]> = {
  dashboard: ['Home', 'Dashboard'],
  deviceList: ['DeviceList', 'DeviceCategory', 'RoomDevice'],
  electricity: ['Electricity'],
  building: ['Building'],
  bookings: ['ConferenceRoomBooking'],
}
const params = { HomeID: 'home-1', Category: 'LightSwitch', RoomID: 0 }

describe('direct entry routes', () => {
  it.each(Object.entries(PATHS))('match the addresses of %s and no others', (name, paths) => {
    for (const path of paths) {
      const found = Object.entries(directEntryRoutes).filter(([, { address }]) =>
        address.test(pathTo(path, params)),
      )
      expect(found.map(([one]) => one)).toEqual([name])
    }
  })
})
