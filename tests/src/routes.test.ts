import { describe, expect, it } from 'vitest'
import { endpoints } from '../../contract/index.ts'
import { pathTo, type PathName } from '../../src/navigation/paths.ts'
import { routeOf, routes } from '../../src/routes.ts'

/** Paths of the screens that users often open by their address. */
const PATHS: readonly (readonly PathName[])[] = [
  ['Home', 'Dashboard'],
  ['DeviceList', 'DeviceCategory', 'RoomDevice'],
  ['Electricity'],
  ['Building'],
  ['ConferenceRoomBooking'],
]
const HomeID = '7c0f5a2e-6d0b-4b43-9d2c-0f6a5a2e6d0b'
const params = { HomeID, Category: 'LightSwitch', RoomID: 0 }

describe('routes', () => {
  it.each(PATHS)('of the same screen are one, found by the addresses of %s and no others', (...names) => {
    for (const name of names) {
      expect(routeOf(pathTo(name, params))).toMatchObject({ name, route: routes[names[0] as PathName] })
    }
    const same = Object.entries(routes).filter(([, route]) => route === routes[names[0] as PathName])
    expect(same.map(([name]) => name)).toEqual(names)
  })

  it('are undefined for an address without a page', () => {
    expect(routeOf('/nothing/here')).toBeUndefined()
  })

  it('have the five screens without Ant Design, of which all but the dashboard have first calls of their own', () => {
    const plain = PATHS.flat()
    const found = Object.entries(routes).filter(([name, { plain }]) => plain && name !== 'PermissionDenied')
    expect(found.map(([name]) => name).toSorted()).toEqual(plain.toSorted())
    const calling = found.filter(([, { prefetch }]) => prefetch).map(([name]) => name)
    expect(calling.toSorted()).toEqual(PATHS.slice(1).flat().toSorted())
  })

  it('name first calls of the contract', () => {
    const calls = Object.values(routes).flatMap(({ prefetch }) => prefetch?.firstCalls({ HomeID }) ?? [])
    expect(calls).not.toEqual([])
    for (const [path, input] of calls)
      expect(endpoints.find((one) => one.path === path)?.input.parse(input)).toEqual(input)
  })
})
