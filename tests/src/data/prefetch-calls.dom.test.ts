import { beforeEach, describe, expect, it, vi } from 'vitest'
import { attention } from '../../../contract/attention/calls.ts'
import { company, type CompanyProfile } from '../../../contract/people/company-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/people/personal-calls.ts'
import { session } from '../../../contract/people/session-calls.ts'
import { home, type HomeWithRooms } from '../../../contract/homes/home.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import { floor } from '../../../contract/homes/floor.ts'
import { prefetchFirstCalls, type FirstCall, discardPrefetch } from '../../../src/data/prefetch-calls.ts'
import { call } from '../../../src/data/api.ts'
import { CURRENT_HOME_KEY } from '../../../src/data/home-to-show.ts'
import { me } from '../../../src/data/session.ts'
import { anAttention } from '../../support/an-attention.ts'
import { answers, requests, owner, rejectCall, server, signInAs, subUser } from '../../support/msw.ts'
import { PATIENT } from '../../support/patient.ts'

const homes: HomeWithRooms[] = ['h1', 'h2'].map((HomeID) => ({
  HomeID,
  HomeName: HomeID,
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [],
}))
const ROOMS: FirstCall = ['/ListConferenceRoom', {}]
const devices = { Things: [], Peripherals: [], Statuses: [] }
const profile: CompanyProfile = { CompanyName: '台光', LogoName: '台光', LogoUrl: null }
/** Number of prefetched calls. */
const CALLS = 6
const asked = () => requests.map(({ path }) => path)
const allAsked = () => vi.waitFor(() => expect(requests).toHaveLength(CALLS), PATIENT)

beforeEach(() => {
  requests.length = 0
  discardPrefetch()
  me.set(undefined)
  signInAs(owner)
  server.use(
    answers(session.getPersonalPermissions, owner),
    answers(home.operations.list, homes),
    answers(peripheral.operations.list, devices),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(company.getCompanyProfile, profile),
    answers(attention.listAttention, anAttention()),
  )
})

describe('prefetched calls', () => {
  it('answer the calls of the start flow without another request', async () => {
    prefetchFirstCalls()
    await allAsked()
    expect(await call(session.getPersonalPermissions, {})).toEqual(owner)
    expect(await call(home.operations.list, {})).toEqual(homes)
    expect(await call(peripheral.operations.list, { HomeID: 'h1' })).toEqual(devices)
    expect(await call(personal.getPersonalConfig, {})).toEqual(DEFAULT_PERSONAL_CONFIG)
    expect(await call(company.getCompanyProfile, {})).toEqual(profile)
    expect(await call(attention.listAttention, {})).toEqual(anAttention())
    expect(requests).toHaveLength(CALLS)
  })

  it('are used only once', async () => {
    prefetchFirstCalls()
    await allAsked()
    await call(home.operations.list, {})
    await call(home.operations.list, {})
    expect(asked().filter((path) => path === '/ListHome')).toHaveLength(2)
  })

  it('are for the last selected home', async () => {
    localStorage.setItem(CURRENT_HOME_KEY, JSON.stringify({ value: 'h2', until: Date.now() + 1000 }))
    prefetchFirstCalls()
    await allAsked()
    expect(requests.find(({ path }) => path === peripheral.operations.list.path)?.body).toEqual({
      HomeID: 'h2',
    })
  })

  it('leave a failure to the start flow, which retries', async () => {
    server.use(rejectCall(session.getPersonalPermissions, 'UNAVAILABLE'))
    prefetchFirstCalls()
    await allAsked()
    server.use(answers(session.getPersonalPermissions, owner))
    expect(await call(session.getPersonalPermissions, {})).toEqual(owner)
  })

  it('are never given to another user', async () => {
    prefetchFirstCalls()
    await allAsked()
    signInAs(subUser())
    server.use(answers(session.getPersonalPermissions, subUser()))
    expect(await call(session.getPersonalPermissions, {})).toEqual(subUser())
  })

  it('are discarded when the start flow has ended', async () => {
    prefetchFirstCalls()
    await allAsked()
    discardPrefetch()
    await call(home.operations.list, {})
    expect(requests).toHaveLength(CALLS + 1)
  })

  it('are stale after half a minute, such as after time on a sign-in page', async () => {
    prefetchFirstCalls()
    await allAsked()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
    await call(home.operations.list, {})
    vi.useRealTimers()
    expect(requests).toHaveLength(CALLS + 1)
  })

  it('of the initial screen are kept slightly longer, then discarded too', async () => {
    server.use(answers(conferenceRoom.operations.list, []), answers(floor.operations.list, []))
    prefetchFirstCalls([ROOMS, ['/ListFloor', { HomeID: 'h1' }]])
    await vi.waitFor(() => expect(requests).toHaveLength(CALLS + 2), PATIENT)
    discardPrefetch()
    expect(await call(conferenceRoom.operations.list, {})).toEqual([])
    expect(requests).toHaveLength(CALLS + 2)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
    await call(floor.operations.list, { HomeID: 'h1' })
    vi.useRealTimers()
    expect(requests).toHaveLength(CALLS + 3)
  })

  it('of the initial screen answer its first call once, unless they failed', async () => {
    server.use(answers(conferenceRoom.operations.list, []), rejectCall(floor.operations.list, 'UNAVAILABLE'))
    prefetchFirstCalls([ROOMS, ['/ListFloor', { HomeID: 'h1' }]])
    await vi.waitFor(() => expect(requests).toHaveLength(CALLS + 2), PATIENT)
    expect(await call(conferenceRoom.operations.list, {})).toEqual([])
    expect(requests).toHaveLength(CALLS + 2)
    // The prefetched response is used up: it must not serve a call after a change.
    await call(conferenceRoom.operations.list, {})
    expect(requests).toHaveLength(CALLS + 3)
    server.use(answers(floor.operations.list, []))
    expect(await call(floor.operations.list, { HomeID: 'h1' })).toEqual([])
    expect(requests).toHaveLength(CALLS + 4)
  })

  it('of the initial screen are never given to another user', async () => {
    server.use(answers(conferenceRoom.operations.list, []))
    prefetchFirstCalls([ROOMS])
    await vi.waitFor(() => expect(requests).toHaveLength(CALLS + 1), PATIENT)
    signInAs(subUser())
    await call(conferenceRoom.operations.list, {})
    expect(requests).toHaveLength(CALLS + 2)
  })

  it('are empty for a person who was never initialized', () => {
    signInAs(owner, { initialized: false })
    const fetching = vi.spyOn(globalThis, 'fetch')
    prefetchFirstCalls()
    expect(fetching).not.toHaveBeenCalled()
    fetching.mockRestore()
  })
})
