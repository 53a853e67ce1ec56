import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { attention } from '../../../contract/attention/calls.ts'
import { bookings } from '../../../contract/bookings/calls.ts'
import { company } from '../../../contract/people/company-calls.ts'
import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/people/personal-calls.ts'
import { session } from '../../../contract/people/session-calls.ts'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import { floor } from '../../../contract/homes/floor.ts'
import { home } from '../../../contract/homes/home.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { prefetchFirstCalls, prefetched, type FirstCall } from '../../../src/data/prefetch-calls.ts'
import { queryClient } from '../../../src/data/api.ts'
import { setCurrentHome } from '../../../src/data/current-home.ts'
import { devicesQuery } from '../../../src/data/homes.ts'
import { me } from '../../../src/data/session.ts'
import { statuses } from '../../../src/data/status-store.ts'
import { energyQueryOf } from '../../../src/custom-views/electricity/energy-query.ts'
import { bookingsQuery, conferenceRoomsQuery } from '../../../src/domain/booking/use-bookings.ts'
import { metersQuery } from '../../../src/domain/energy/use-meters.ts'
import { floorsQuery } from '../../../src/domain/floor/use-floors.ts'
import { startSession, start } from '../../../src/live/start-session.ts'
import { routeOf } from '../../../src/routes.ts'
import type { PathName } from '../../../src/navigation/paths.ts'
import { aConferenceRoom } from '../../support/a-conference-room.ts'
import { anAttention } from '../../support/an-attention.ts'
import { answers, requests, owner, server, signInAs } from '../../support/msw.ts'
import { aPeripheral } from '../../support/peripheral.ts'
import { aHome } from '../support/page.tsx'
import { PATIENT } from '../../support/patient.ts'

const NOW = Date.parse('2026-01-05T09:00:00+08:00')
const room = aConferenceRoom()
const devices = {
  Things: [],
  Peripherals: [aPeripheral({ PeripheralUID: 'p1', PeripheralType: '516' })],
  Statuses: [{ PeripheralUID: 'p1', PeripheralType: '516', Timestamp: NOW, updateAt: NOW, Switch: 1 }],
}

const DEVICES = peripheral.operations.list.path

/** Addresses of every screen whose first calls are prefetched, and the paths of these calls. */
const SCREENS: Record<
  string,
  { names: readonly PathName[]; addresses: readonly string[]; paths: readonly string[] }
> = {
  dashboard: { names: ['Home'], addresses: ['/'], paths: [DEVICES] },
  deviceList: {
    names: ['DeviceList', 'DeviceCategory', 'RoomDevice'],
    addresses: ['/DeviceList/h1', '/DeviceCategory/h1/LightSwitch', '/RoomDevice/h1/0'],
    paths: [DEVICES],
  },
  electricity: {
    names: ['Electricity'],
    addresses: ['/electricity/h1'],
    paths: [DEVICES, meterData.getAllMeterData.path, meterData.getEnergySeries.path],
  },
  building: {
    names: ['Building'],
    addresses: ['/Building/h1'],
    paths: [DEVICES, floor.operations.list.path],
  },
  bookings: {
    names: ['ConferenceRoomBooking'],
    addresses: ['/ConferenceRoomBooking'],
    paths: [DEVICES, conferenceRoom.operations.list.path, bookings.getByStartTimestamp.path],
  },
}

/** Fetches with the query that a screen uses, for each kind of prefetched call. */
const FETCHES: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
  [peripheral.operations.list.path]: ({ HomeID }: { HomeID: string }) =>
    queryClient.fetchQuery(devicesQuery(HomeID)),
  [meterData.getAllMeterData.path]: ({ HomeID }: { HomeID: string }) =>
    queryClient.fetchQuery(metersQuery(HomeID)),
  [meterData.getEnergySeries.path]: (input: Parameters<typeof energyQueryOf>[0]) =>
    queryClient.fetchQuery(energyQueryOf(input)),
  [floor.operations.list.path]: ({ HomeID }: { HomeID: string }) =>
    queryClient.fetchQuery(floorsQuery(HomeID)),
  [conferenceRoom.operations.list.path]: () => queryClient.fetchQuery(conferenceRoomsQuery),
  [bookings.getByStartTimestamp.path]: (input: Parameters<typeof bookingsQuery>[0]) =>
    queryClient.fetchQuery(bookingsQuery(input)),
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  server.use(
    answers(session.getPersonalPermissions, owner),
    answers(home.operations.list, [aHome()]),
    answers(attention.listAttention, anAttention()),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(company.getCompanyProfile, { CompanyName: 'C', LogoName: 'L', LogoUrl: null }),
    answers(peripheral.operations.list, devices),
    answers(meterData.getAllMeterData, []),
    answers(meterData.getEnergySeries, { Series: [], Meters: { Reporting: 0, Total: 0 }, Carbon: [] }),
    answers(floor.operations.list, []),
    answers(conferenceRoom.operations.list, [room]),
    answers(bookings.getByStartTimestamp, []),
  )
})
afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
  statuses.clear()
  history.replaceState(null, '', '/')
})

/** Loads the page at an address as if reloaded. */
async function load(address: string, prefetch?: () => Promise<void>): Promise<void> {
  queryClient.clear()
  statuses.clear()
  setCurrentHome(undefined)
  me.set(undefined)
  requests.length = 0
  localStorage.clear()
  signInAs(owner)
  history.replaceState(null, '', address)
  await prefetch?.()
  const queries = routeOf(location.pathname)?.route.prefetch?.queries
  await startSession((home) => {
    if (prefetch && queries) void queries().then(({ prefetchQueries }) => prefetchQueries(home))
  })
  expect(start.get()).toBe('ready')
}

/** All data that responses may leave in the browser. */
const left = () => ({
  answers: new Map(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryHash, state }) => [queryHash, state.data]),
  ),
  statuses: [...statuses.all().values()],
  stored: Object.keys(localStorage)
    .filter((key) => !key.startsWith('Cognito'))
    .toSorted(),
})

const firstCalls = (): FirstCall[] =>
  requests.filter(({ path }) => path in FETCHES).map(({ path, body }) => [path, body as object])

describe.each(Object.entries(SCREENS))('the prefetched answers of %s', (_, { names, addresses, paths }) => {
  const cases = addresses.flatMap((address, i) => [
    { address, name: names[i], arrive: 'before' },
    { address, name: names[i], arrive: 'during' },
  ])
  it.each(cases)(
    'have the effects of fetched ones if they arrive $arrive the start: $address',
    async (one) => {
      const { address, name, arrive } = one
      const opened = routeOf(address)
      expect(opened?.name).toBe(name)
      await load(address, async () => {
        prefetchFirstCalls(opened?.route.prefetch?.firstCalls(opened.params))
        if (arrive === 'before') await Promise.all(prefetched()?.answers.values() ?? [])
      })
      await vi.waitFor(() => {
        const cached = firstCalls().filter((one) => queryClient.getQueryData(one) !== undefined)
        expect(new Set(cached.map(([path]) => path))).toEqual(new Set(paths))
        expect(cached).toEqual(firstCalls())
        expect(queryClient.isFetching()).toBe(0)
      }, PATIENT)
      const before = left()
      const asked = firstCalls()
      expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(asked.length)

      await load(address)
      for (const [path, input] of asked) await FETCHES[path]?.(input as never)
      await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0), PATIENT)
      expect(before).toEqual(left())
      expect(statuses.get('p1')).toMatchObject({ Switch: 1 })
    },
  )
})
