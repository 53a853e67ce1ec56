import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEATURES, OPERATIONS, type Right } from '../../contract/kernel/permissions.ts'
import { endpoints } from '../../contract/index.ts'
import { accessesOf, type AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { ERRORS } from '../../contract/kernel/errors.ts'
import { type Caller, EVERYTHING, rights, startWorld, type World } from '../support/world.ts'

/** Every call for every role: the policy of §6 on the wire. */
let world: World
let root: Caller
let full: Caller
let empty: Caller
let stranger: Caller

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  full = await world.createUser(root, EVERYTHING)
  empty = await world.createUser(root, [])
  stranger = await world.signUp()
})
afterAll(() => world.close())

/** Whether the call passed authorization, whatever the handler's response to an empty or unknown input. */
const passed = (code: number) =>
  code !== ERRORS.UNAUTHENTICATED.code && code !== ERRORS.PERMISSION_DENIED.code

/** Calls that end sessions would end the caller's own; their own tests cover their effects. */
const send = async (caller: Caller, { path, method }: { path: string; method: string }, input = {}) => {
  if (method === 'POST') return caller.post(path, { Unknown: true, ...input })
  const answer = await world.gateway.http.inject({
    method: 'GET',
    url: path,
    headers: { authorization: `Bearer ${caller.token}` },
  })
  return answer.json()
}

const nameOf = ({ path }: AnyEndpoint, input: Record<string, number>) =>
  [path, ...Object.entries(input).map((pair) => pair.join(' '))].join(' of ')
const named = (list: readonly AnyEndpoint[]) => list.map((endpoint) => [endpoint.path, endpoint] as const)
/** Each call that requires a right, once for each input that decides which. */
const guarded = endpoints.flatMap((endpoint) =>
  accessesOf(endpoint).flatMap(({ access, input }) =>
    typeof access === 'object' ? [{ endpoint, access, input, name: nameOf(endpoint, input) }] : [],
  ),
)
const personal = endpoints.filter(({ access }) => access !== 'public')

it.each(named(endpoints))('%s rejects anonymous callers', async (path, { method }) => {
  const answer =
    method === 'POST'
      ? await world.gateway.post(path, {})
      : (await world.gateway.http.inject({ method: 'GET', url: path })).json()
  expect(answer.status.code).toBe(ERRORS.UNAUTHENTICATED.code)
})

it.each(named(personal))(
  '%s allows the owner and any person who has every right',
  async (_path, endpoint) => {
    for (const caller of [root, full]) expect(passed((await send(caller, endpoint)).status.code)).toBe(true)
  },
)

it.each(guarded)(
  '$name names the missing right to a person without it',
  async ({ endpoint, access, input }) => {
    const { status } = await send(empty, endpoint, input)
    expect(status).toMatchObject({ code: ERRORS.PERMISSION_DENIED.code, missing: access })
  },
)

it.each(guarded)('$name allows a person with every right', async ({ endpoint, input }) => {
  expect(passed((await send(full, endpoint, input)).status.code)).toBe(true)
})

it.each(named(personal.filter(({ access }) => access === 'signed-in')))(
  '%s requires only a sign-in',
  async (_path, endpoint) => {
    expect(passed((await send(empty, endpoint)).status.code)).toBe(true)
  },
)

const distinct = [...new Set(guarded.map(({ access }) => JSON.stringify(access)))].map(
  (text) => JSON.parse(text) as Right,
)

const allBut = ({ feature, operation }: Right) =>
  EVERYTHING.map(({ FeatureKey, OperationList }) => ({
    FeatureKey,
    OperationList: OperationList.filter((one) => FeatureKey !== feature || one !== operation),
  }))

describe.each(distinct.map((held) => [`${held.feature} ${held.operation}`, held] as const))(
  'The right %s',
  (_name, held) => {
    it('is sufficient for its calls, and no other right is', async () => {
      const only = await world.createUser(root, [rights(held.feature, held.operation)])
      const others = await world.createUser(root, allBut(held))
      const asking = guarded.filter(({ access }) => JSON.stringify(access) === JSON.stringify(held))
      for (const { endpoint, input, name } of asking) {
        expect(passed((await send(only, endpoint, input)).status.code), name).toBe(true)
        expect(passed((await send(others, endpoint, input)).status.code), name).toBe(false)
      }
    })
  },
)

it('covers every feature and operation that any call requires', () => {
  for (const { feature, operation } of distinct) {
    expect(FEATURES).toContain(feature)
    expect(OPERATIONS).toContain(operation)
  }
})

describe('Across companies', () => {
  it('hides everything of one company from another', async () => {
    const home = (await root.post('/CreateHome', { HomeName: '內湖總部', TimeZone: 'Asia/Taipei' })).results
    const room = (await root.post('/CreateRoom', { HomeID: home.HomeID, RoomName: 'A' })).results
    const hub = (await root.post('/AddThing', { HomeID: home.HomeID, DeviceName: 'hub' })).results
    await root.post('/CreateDepartment', { Department: 'A' })
    const foreign: [string, object][] = [
      ['/UpdateHomeInfo', { HomeID: home.HomeID, HomeName: 'x' }],
      ['/DeleteHome', { HomeID: home.HomeID }],
      ['/GetRoombyHomeId', { HomeID: home.HomeID }],
      ['/CreateRoom', { HomeID: home.HomeID, RoomName: 'x' }],
      ['/UpdateRoomInfo', { ...room, RoomName: 'x' }],
      ['/DeleteRoom', { HomeID: home.HomeID, RoomID: room.RoomID }],
      ['/AddThing', { HomeID: home.HomeID, DeviceName: 'x' }],
      ['/UpdateThingInfo', { HomeID: home.HomeID, ThingName: hub.ThingName, DeviceName: 'x' }],
      ['/RemoveThing', { HomeID: home.HomeID, ThingName: hub.ThingName }],
      ['/RotateThingSecret', { HomeID: home.HomeID, ThingName: hub.ThingName }],
      ['/GetAllDeviceWithPeripheral', { HomeID: home.HomeID }],
      ['/GetDeviceWithPeripheralbyRoomId', { HomeID: home.HomeID, RoomID: 0 }],
      ['/ListDiscoveredPeripheral', { HomeID: home.HomeID }],
      [
        '/AddPeripherals',
        { HomeID: home.HomeID, Peripherals: [{ PeripheralUID: 'p', PeripheralName: 'x' }] },
      ],
      ['/UpdateUserInfo', { Email: full.email, nickname: 'x' }],
      ['/DeleteUser', { Email: full.email }],
    ]
    for (const [path, input] of foreign)
      expect((await stranger.post(path, input)).status.code, path).toBe(ERRORS.NOT_FOUND.code)
    for (const path of ['/ListHome', '/ListRoom', '/ListDepartment'])
      expect((await stranger.post(path)).results, path).toEqual([])
    expect((await stranger.post('/ListUser')).results).toHaveLength(1)
    expect((await stranger.post('/GetAllDeviceWithPeripheral')).results).toEqual({
      Things: [],
      Peripherals: [],
      Statuses: [],
    })
  })
})
