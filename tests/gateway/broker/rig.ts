import { EventEmitter, once } from 'node:events'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import type { Permission } from '../../../contract/kernel/permissions.ts'
import { FEATURES, OPERATIONS } from '../../../contract/kernel/permissions.ts'
import type {
  Broker,
  BrokerHooks,
  CloseReason,
  HubClient,
  ReceivedMessage,
  ScannerClient,
  ScreenClient,
} from '../../../gateway/kernel/broker.ts'
import type { BrokerMetrics, BrokerRefusal } from '../../../gateway/broker/rejections.ts'

export const TENANT = '11111111-1111-4111-8111-111111111111'
export const OTHER = '22222222-2222-4222-8222-222222222222'
export const ALL: Permission[] = FEATURES.map((FeatureKey) => ({
  FeatureKey,
  OperationList: [...OPERATIONS],
}))

export const hub = (thingName = 'hub-1', homeId = 'home-1', tenant = TENANT): HubClient => ({
  party: 'hub',
  tenant,
  homeId,
  thingName,
})
export const scanner = (thingName = 'scanner-1', homeId = 'home-1', tenant = TENANT): ScannerClient => ({
  party: 'scanner',
  tenant,
  homeId,
  thingName,
})
export const screen = (
  permissions: Permission[] = [],
  cognitoId = '33333333-3333-4333-8333-333333333333',
  tenant = TENANT,
): ScreenClient => known({ party: 'screen', tenant, cognitoId, subject: { isRoot: false, permissions } })
export const root = (tenant = TENANT): ScreenClient =>
  known({ party: 'screen', tenant, cognitoId: tenant, subject: { isRoot: true, permissions: [] } })

/** People who may connect, with their latest rights. */
const PEOPLE = new Map<string, ScreenClient>()
function known(client: ScreenClient): ScreenClient {
  PEOPLE.set(client.cognitoId, client)
  return client
}

/** Test hubs: hub-1 and hub-2 of two homes, hub-9 of another company. The secret is `secret-of-<name>`. */
export const HUBS: Record<string, HubClient> = {
  'hub-1': hub('hub-1', 'home-1'),
  'hub-2': hub('hub-2', 'home-2'),
  'hub-9': hub('hub-9', 'home-9', OTHER),
}
export const secretOf = (thingName: string) => `secret-of-${thingName}`

export interface Figures extends BrokerMetrics {
  counts: Partial<Record<BrokerRefusal, number>>
  held(): number
  connections(): number
  /** Resolves when a refusal for this reason has been counted. */
  until(reason: BrokerRefusal, times?: number): Promise<void>
}

export function createFigures(): Figures {
  const told = new EventEmitter()
  let figures = () => ({ connections: 0, held: 0 })
  const counts: Figures['counts'] = {}
  return {
    counts,
    recordRejection(reason) {
      counts[reason] = (counts[reason] ?? 0) + 1
      told.emit('refused')
    },
    setSource: (next) => void (figures = next),
    held: () => figures().held,
    connections: () => figures().connections,
    async until(reason, times = 1) {
      while ((counts[reason] ?? 0) < times) await once(told, 'refused')
    },
  }
}

export interface Ears extends BrokerHooks {
  received: ReceivedMessage[]
  log: string[]
  /** Close reasons of hub connections. */
  endings: CloseReason[]
  /** People and sessions that may no longer connect. */
  signedOut: Set<string>
  /** Stores a message; by default it is stored immediately. */
  store: (message: ReceivedMessage) => Promise<void | 'malformed'>
  /** Resolves when this number of messages has arrived, or the log has this line. */
  until(condition: number | string): Promise<void>
}

/** Gateway side of a broker that records what it receives. */
export function createEars(): Ears {
  const told = new EventEmitter()
  told.setMaxListeners(0)
  const say = (line: string) => {
    ears.log.push(line)
    told.emit('told')
  }
  const left = new Set<unknown>()
  const ears: Ears = {
    received: [],
    log: [],
    endings: [],
    signedOut: new Set(),
    store: async () => {},
    async authenticate({ username, password }) {
      return password === secretOf(username) ? HUBS[username] : undefined
    },
    findTenant: async (thingName) => HUBS[thingName]?.tenant,
    async receive(message) {
      ears.received.push(message)
      told.emit('told')
      const outcome = await ears.store(message)
      return outcome
    },
    onSubscribed: () => say('subscribed'),
    authenticateScreen: async (grant) => {
      const person = PEOPLE.get(grant.cognitoId)
      const isSignedOut = ears.signedOut.has(grant.cognitoId) || ears.signedOut.has(grant.sessionId)
      return person && !isSignedOut
        ? { ...person, sessionId: grant.sessionId, expiresAt: grant.expiresAt }
        : undefined
    },
    onConnected(client) {
      say(`+${client.thingName}`)
      return undefined
    },
    async onDisconnected(client, connection, ending) {
      if (!left.has(connection)) {
        ears.endings.push({ ...ending })
        say(`-${client.thingName}`)
      }
      left.add(connection)
      return { isLast: true }
    },
    async until(condition) {
      const met = () =>
        typeof condition === 'number' ? ears.received.length >= condition : ears.log.includes(condition)
      while (!met()) await once(told, 'told')
    },
  }
  return ears
}

/** Connected mqtt.js client that records its messages. */
export interface Ear extends MqttClient {
  heard: { topic: string; text: string }[]
  sessionPresent: boolean
  /** Resolves with the first message on this topic, whether it has arrived already or arrives later. */
  hear(topic: string): Promise<string>
}

export const next = (client: MqttClient, event: 'message' | 'close') =>
  new Promise<void>((resolve) => client.once(event, () => resolve()))

const open = new Set<MqttClient>()

export async function connect(url: string, options: IClientOptions): Promise<Ear> {
  const client = mqtt.connect(url, { reconnectPeriod: 0, connectTimeout: 5_000, ...options }) as Ear
  open.add(client)
  client.heard = []
  client.on('message', (topic, payload) => client.heard.push({ topic, text: payload.toString() }))
  client.hear = async (topic) => {
    for (;;) {
      const message = client.heard.find((heard) => heard.topic === topic)
      if (message) return message.text
      await next(client, 'message')
    }
  }
  await new Promise<void>((resolve, reject) => {
    client.once('connect', ({ sessionPresent }) => {
      client.sessionPresent = sessionPresent
      resolve()
    })
    client.once('error', reject)
    client.once('close', () => reject(new Error('closed')))
  })
  client.on('error', () => {})
  return client
}

/** Closes every client that a test left open: without DISCONNECT, unless `goodbye`. */
export async function hangUp({ goodbye = false } = {}) {
  await Promise.all([...open].map((client) => client.endAsync(!goodbye || !client.connected)))
  open.clear()
}

export const connectHub = (url: string, thingName: string, options: IClientOptions = {}) =>
  connect(url, { clientId: thingName, username: thingName, password: secretOf(thingName), ...options })

let screens = 0
export async function connectScreen(
  url: string,
  broker: Broker,
  client: ScreenClient,
  options: IClientOptions = {},
) {
  const clientId = `${client.cognitoId}-${++screens}`
  const { username, password } = await broker.credentials(client, clientId)
  return connect(url, { clientId, username, password, ...options })
}

/** Whether the broker granted a subscription. */
export async function subscribes(client: MqttClient, filter: string): Promise<boolean> {
  return new Promise((resolve) => {
    client.subscribe(filter, { qos: 1 }, (error, granted) => resolve(!error && granted?.[0]?.qos !== 128))
  })
}
