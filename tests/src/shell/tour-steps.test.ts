import { describe, expect, it } from 'vitest'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { pathOf } from '../../../src/navigation/paths.ts'
import { tourTargetOf, TOUR_STEPS } from '../../../src/shell/tour/tour.tsx'

const site = (HomeID: string, HomeName: string, rooms: readonly number[] = [0]): HomeWithRooms => ({
  ...{ HomeID, HomeName, TimeZone: 'Asia/Taipei', ThreadNetworkKey: null, Latitude: null, Longitude: null },
  RoomList: rooms.map((RoomID) => ({
    ...{ HomeID, RoomID, RoomName: `${RoomID}`, PeripheralList: [], ThingNameList: [] },
  })) as unknown as HomeWithRooms['RoomList'],
})

describe('the steps of the tour', () => {
  it('lead to existing pages, at the demo sites', () => {
    const homes = [site('h1', '高雄分公司'), site('h2', '台南物流中心'), site('h3', '內湖總部', [0, 7])]
    const places = TOUR_STEPS.map((step) => tourTargetOf(step, homes))
    expect(places.map((place) => place && pathOf(place.path)?.name)).toEqual([
      'Home',
      'DeviceList',
      'Tariff',
      'Building',
      'Electricity',
      'Home',
    ])
    expect(places[1]?.path).toBe('/DeviceList/h2')
    // A named room, not the default one.
    expect(places[3]).toMatchObject({ path: '/Building/h3', search: '?room=7' })
  })

  it('lead to the first site of another company, and nowhere without a site', () => {
    expect(tourTargetOf('lost', [site('h9', '總部')])?.path).toBe('/DeviceList/h9')
    expect(tourTargetOf('room', [site('h9', '總部')])?.search).toBe('?room=0')
    expect(tourTargetOf('lost', [])).toBeUndefined()
  })
})
