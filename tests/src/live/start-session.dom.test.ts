import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { company } from '../../../contract/people/company-calls.ts'
import { attention } from '../../../contract/attention/calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/people/personal-calls.ts'
import { session } from '../../../contract/people/session-calls.ts'
import { home as homeResource, type HomeWithRooms } from '../../../contract/homes/home.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { setSignedIn, authState, initAuthState, signInReason } from '../../../src/data/auth-state.ts'
import { signOut } from '../../../src/live/sign-out.ts'
import { queryClient } from '../../../src/data/api.ts'
import { CURRENT_HOME_KEY } from '../../../src/data/home-to-show.ts'
import { setCurrentHome, currentHomeId } from '../../../src/data/current-home.ts'
import { statuses } from '../../../src/data/status-store.ts'
import { me } from '../../../src/data/session.ts'
import { startSession, start } from '../../../src/live/start-session.ts'
import { anAttention } from '../../support/an-attention.ts'
import {
  answers,
  requests,
  owner,
  rejectCall,
  server,
  signInAs,
  subUser,
  unreachable,
} from '../../support/msw.ts'

const home: HomeWithRooms = {
  HomeID: 'h1',
  HomeName: 'HQ',
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [],
}
const status = { PeripheralUID: 'p1', PeripheralType: '516', Timestamp: 1, updateAt: 1, Switch: 1 }

const usual = () => [
  answers(session.initializeUser, owner),
  answers(session.getPersonalPermissions, owner),
  answers(homeResource.operations.list, [home]),
  answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [status] }),
  answers(attention.listAttention, anAttention()),
  answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
  answers(company.getCompanyProfile, { CompanyName: 'C', LogoName: 'L', LogoUrl: null }),
  http.post('*/cognito', () => HttpResponse.json({})),
]
const asked = () => requests.map(({ path }) => path)

beforeEach(() => {
  requests.length = 0
  queryClient.clear()
  setCurrentHome(undefined)
  signInReason.set(undefined)
  me.set(undefined)
  signInAs(owner)
  initAuthState()
  server.use(...usual())
})
afterEach(() => queryClient.clear())

describe('from sign-in to the first screen', () => {
  it('requests permissions, then homes, then the devices of the current home', async () => {
    await startSession()
    expect(start.get()).toBe('ready')
    expect(me.get()?.Email).toBe(owner.Email)
    const order = asked().filter((path) => /Permissions|ListHome|AllDevice|Initialize/.test(path))
    expect(order).toEqual(['/GetPersonalPermissions', '/ListHome', '/GetAllDeviceWithPeripheral'])
    expect(currentHomeId()).toBe('h1')
    expect(statuses.get('p1')).toMatchObject({ Switch: 1 })
  })

  it('initializes a new person first', async () => {
    signInAs(owner, { initialized: false })
    await startSession()
    expect(asked().slice(0, 2)).toEqual(['/InitializeUser', '/GetPersonalPermissions'])
  })

  it('reports that there is no home yet', async () => {
    server.use(answers(homeResource.operations.list, []))
    await startSession()
    expect(start.get()).toBe('noHome')
    expect(asked()).not.toContain('/GetAllDeviceWithPeripheral')
  })

  it('does not request devices without the right', async () => {
    server.use(answers(session.getPersonalPermissions, subUser()))
    await startSession()
    expect(start.get()).toBe('ready')
    expect(asked()).not.toContain('/GetAllDeviceWithPeripheral')
  })

  it('remembers the home selected within the last hour', async () => {
    const other = { ...home, HomeID: 'h2', HomeName: 'Factory' }
    server.use(answers(homeResource.operations.list, [home, other]))
    localStorage.setItem(CURRENT_HOME_KEY, JSON.stringify({ value: 'h2', until: Date.now() + 1000 }))
    await startSession()
    expect(currentHomeId()).toBe('h2')
  })

  it('signs out with "access denied" if the permissions are rejected with code 4', async () => {
    setSignedIn()
    server.use(rejectCall(session.getPersonalPermissions, 'UNAUTHENTICATED'))
    await startSession()
    expect(authState.get()).toBe('signIn')
    expect(signInReason.get()).toBe('denied')
  })

  it('reports an expired session if stored tokens are rejected', async () => {
    server.use(rejectCall(session.getPersonalPermissions, 'UNAUTHENTICATED'))
    await startSession()
    expect(authState.get()).toBe('signIn')
    expect(signInReason.get()).toBe('expired')
  })

  it('can be retried if the permissions fail otherwise', async () => {
    server.use(rejectCall(session.getPersonalPermissions, 'UNAVAILABLE'))
    await startSession()
    expect(authState.get()).toBe('app')
    expect(start.get()).toMatchObject({ error: { failure: 'UNAVAILABLE' } })
    server.use(answers(session.getPersonalPermissions, owner))
    await startSession()
    expect(start.get()).toBe('ready')
  })

  it('signs out on a network error of the all-devices call, with the reason', async () => {
    server.use(unreachable(peripheral.operations.list))
    await startSession()
    expect(authState.get()).toBe('signIn')
    expect(signInReason.get()).toBe('network')
  })

  it('stays signed in if that call fails otherwise', async () => {
    server.use(rejectCall(peripheral.operations.list, 'INTERNAL'))
    await startSession()
    expect(start.get()).toBe('ready')
    expect(authState.get()).toBe('app')
  })
})

describe('signing out', () => {
  it('clears all local data except language and appearance, and opens Home', async () => {
    await startSession()
    localStorage.setItem('language', 'en-US')
    localStorage.setItem('theme', 'dark')
    sessionStorage.setItem('draft', 'x')
    history.replaceState(null, '', '/Rooms/h1')
    await signOut()
    expect({ ...localStorage }).toEqual({ language: 'en-US', theme: 'dark' })
    expect(sessionStorage).toHaveLength(0)
    expect(location.pathname).toBe('/')
    expect(authState.get()).toBe('signIn')
    expect(me.get()).toBeUndefined()
    expect(queryClient.getQueryCache().getAll()).toEqual([])
    expect(statuses.get('p1')).toBeUndefined()
  })

  it('works while the pool is unavailable', async () => {
    server.use(http.post('*/cognito', () => HttpResponse.error()))
    await signOut('userDeleted')
    expect(authState.get()).toBe('signIn')
    expect(signInReason.get()).toBe('userDeleted')
  })
})
