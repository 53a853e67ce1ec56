import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync } from 'mqtt'
import { session } from '../../contract/people/session-calls.ts'
import { home } from '../../contract/homes/home.ts'
import { MAX_ADDED_AT_ONCE, peripheral, peripheralCalls } from '../../contract/devices/peripheral.ts'
import { room } from '../../contract/homes/room.ts'
import { thing } from '../../contract/devices/thing.ts'
import { type Call, connectApi } from '../../scripts/api.ts'
import type { FleetHub, HubDevice } from '../../simulator/building/building.ts'
import { hubMessages } from '../../device-link/hub-messages.ts'
import type { GatewayUnderTest } from './gateway.ts'

export const OWNER = { Email: 'owner@bench.example', Password: 'measured1' }

/** Maximum number of concurrent calls while a company is created. */
const AT_ONCE = 16

/** Maximum time in ms from the announcement of devices until all are found. */
const DISCOVERED_WITHIN = 10_000

export interface Owner {
  call: Call
  /** Id token for requests that are made without `call`. */
  token: string
  rootId: string
}

export async function signUpOwner(url: string, Email = OWNER.Email): Promise<Owner> {
  const api = await connectApi(url)
  await api.signUp({ Email, Password: OWNER.Password, FirstName: 'Owner', LastName: 'Bench' })
  const call = await api.signIn(Email, OWNER.Password)
  const { RootCognitoId: rootId } = await call(session.initializeUser, {})
  return { call, token: await idToken(url, Email), rootId }
}

async function idToken(url: string, Email: string): Promise<string> {
  const config = (await (await fetch(`${url}/config.json`)).json()) as Record<string, string>
  const answer = await fetch(new URL(config['UserPoolEndpoint'] as string, url), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
    body: JSON.stringify({
      ClientId: config['UserPoolClientId'],
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: Email, PASSWORD: OWNER.Password },
    }),
  })
  const { AuthenticationResult } = (await answer.json()) as { AuthenticationResult: { IdToken: string } }
  return AuthenticationResult.IdToken
}

/** Devices of alternating types; `prefix` keeps their ids unique. */
export const makeDevices = (prefix: string, count: number, types: readonly string[]): HubDevice[] =>
  Array.from({ length: count }, (_, i) => {
    const PeripheralUID = `${prefix}-${String(i).padStart(5, '0')}`
    return {
      PeripheralUID,
      PeripheralType: types[i % types.length] as string,
      PeripheralName: PeripheralUID,
      scenario: { profile: 'untouched', key: PeripheralUID },
    }
  })

/**
 * Creates a home with hubs whose devices are announced and added, through the gateway's own calls and messages.
 *
 * hubs      the devices of each
 * rooms     number of rooms in addition to the default one, among which devices are distributed; if absent, all are in the default one
 * returns   the hubs with their secrets, for the simulator; the rooms, by RoomID
 */
export async function makeHome(
  gateway: Pick<GatewayUnderTest, 'mqttUrl'>,
  { call, rootId }: Owner,
  HomeName: string,
  hubs: readonly (readonly HubDevice[])[],
  { rooms = 0 }: { rooms?: number } = {},
): Promise<{ HomeID: string; hubs: FleetHub[]; rooms: number[] }> {
  const { HomeID } = await call(home.operations.create, { HomeName, TimeZone: 'Asia/Taipei' })
  const made: FleetHub[] = []
  for (const [index, devices] of hubs.entries()) {
    const { ThingName, Secret } = await call(thing.operations.create, {
      HomeID,
      DeviceName: `hub ${index}`,
      RoomID: 0,
    })
    made.push({ rootId, HomeID, ThingName, Secret, devices })
  }
  await inTurns(made, (hub) => announce(gateway.mqttUrl, hub))
  const announced = made.reduce((sum, { devices }) => sum + devices.length, 0)
  const end = performance.now() + DISCOVERED_WITHIN
  let found = await call(peripheralCalls.listDiscovered, { HomeID })
  for (; found.length < announced && performance.now() < end; await sleep(100))
    found = await call(peripheralCalls.listDiscovered, { HomeID })
  if (found.length !== announced) throw new Error(`${found.length} of ${announced} devices were discovered`)
  const ids: number[] = []
  await inTurns(
    Array.from({ length: rooms }, (_, i) => `room ${i}`),
    async (RoomName) => ids.push((await call(room.operations.create, { HomeID, RoomName })).RoomID),
  )
  const inRooms = portions(found, Math.ceil(found.length / Math.max(1, rooms))).flatMap((devices, i) =>
    portions(devices, MAX_ADDED_AT_ONCE).map((batch) => ({ RoomID: ids[i] ?? 0, Peripherals: batch })),
  )
  await inTurns(inRooms, ({ RoomID, Peripherals }) =>
    call(peripheral.operations.create, {
      HomeID,
      RoomID,
      Peripherals: Peripherals.map(({ PeripheralUID, PeripheralName }) => ({
        PeripheralUID,
        PeripheralName,
      })),
    }),
  )
  return { HomeID, hubs: made, rooms: ids.toSorted((a, b) => a - b) }
}

async function announce(url: string, hub: FleetHub): Promise<void> {
  const client = await connectAsync(url, {
    protocolVersion: 4,
    clientId: hub.ThingName,
    username: hub.ThingName,
    password: hub.Secret,
    reconnectPeriod: 0,
  })
  for (const { topic, payload } of hubMessages(hub).announce(hub.devices))
    await client.publishAsync(topic, payload, { qos: 1 })
  await client.endAsync()
}

/** Processes the items, a few at a time. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const remaining = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of remaining) await work(item)
    }),
  )
}

export const portions = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Credentials of a screen connection, requested as the dashboard does. */
export async function screenLogin(
  gateway: GatewayUnderTest,
  { call }: Owner,
): Promise<{ url: string; clientId: string; username: string; password: string }> {
  const { Url, ClientID, Username, Password } = await call(session.connectRealtime, {})
  const url = new URL(Url, gateway.url.replace('http', 'ws'))
  return { url: url.href, clientId: ClientID, username: Username, password: Password }
}
