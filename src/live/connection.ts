import type { IClientOptions, MqttClient } from 'mqtt'
import type { RealtimeCredentials } from '../../contract/people/session-calls.ts'
import { gatewayNow } from '../lib/gateway-clock.ts'
import { createStore, type Store } from '../lib/store.ts'
import {
  IDLE,
  nextConnectionState,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionEffect,
  type ConnectionMachine,
} from './connection-machine.ts'

export type { ConnectionState } from './connection-machine.ts'

/** §7: topics per SUBSCRIBE packet. */
export const TOPICS_PER_SUBSCRIBE = 6
/** §9: interval at which the expiry of credentials is checked, ms. */
export const CREDENTIAL_CHECK_MS = 1000
type Connect = (url: string, options: IClientOptions) => MqttClient

interface Ports {
  connect: Connect
  credentials(): Promise<RealtimeCredentials>
  /** Handles a message on a subscribed topic, parsed from JSON. */
  receive(topic: string, payload: unknown): void
  /**
   * Called when all topics are subscribed after a connect or reconnect, to fetch what was missed.
   *
   * afterGap  whether there was a time without connection since the start
   */
  ready(afterGap: boolean): void
  /** Reports an error, which is logged, never thrown (§8). */
  failed(error: unknown): void
  now?: () => number
  random?: () => number
}

/** Runtime of the connection: performs the effects of its state machine. */
interface Driver {
  ports: Ports
  machine: ConnectionMachine
  state: Store<ConnectionState>
  nextAttemptAt: Store<number | undefined>
  /** Open clients, by the number of their attempt. */
  clients: Map<number, MqttClient>
  retry: ReturnType<typeof setTimeout> | undefined
  watch: ReturnType<typeof setInterval> | undefined
}

export type Connection = ReturnType<typeof createConnection>

/**
 * The connection to the realtime channel. Reconnects with backoff, renews credentials before they expire, and restores subscriptions.
 * While it is down, publishing fails: a command must not be sent later than it was given.
 */
export function createConnection(ports: Ports) {
  const driver: Driver = {
    ports,
    machine: IDLE,
    state: createStore<ConnectionState>(IDLE.status),
    nextAttemptAt: createStore<number | undefined>(undefined),
    clients: new Map(),
    retry: undefined,
    watch: undefined,
  }
  const { state, nextAttemptAt } = driver
  return {
    state,
    /** Time of the next attempt, epoch ms, while waiting for one. */
    nextAttemptAt,
    start: () => void dispatch(driver, { type: 'start' }),
    /** Ends the connection, at sign-out. */
    stop: () => void dispatch(driver, { type: 'stop' }),
    /** Tries now: the user asked for it, the network is back, or the page is visible again. */
    retryNow: () => void dispatch(driver, { type: 'retry' }),
    /** Ends the connection after the browser lost its network; MQTT keep-alive would notice only after 45 s. */
    networkLost: () => void dispatch(driver, { type: 'networkLost' }),
    /** Replaces the subscribed topics, now and after every reconnect; resolves to false if there is no connection. */
    want: (topics: readonly string[]) => requestTopics(driver, topics),
    publish: (topic: string, payload: object) => publish(driver, topic, payload),
  }
}

/** Passes an event to the state machine and performs the effects; returns the results of its subscriptions. */
function dispatch(driver: Driver, event: ConnectionEvent): Promise<boolean>[] {
  const { now = Date.now, random = Math.random } = driver.ports
  const conditions = { now: now(), gatewayNow: gatewayNow(), online: navigator.onLine, random: random() }
  const { state, effects } = nextConnectionState(driver.machine, event, conditions)
  driver.machine = state
  driver.nextAttemptAt.set(state.nextAttemptAt)
  driver.state.set(state.status)
  return effects.flatMap((effect) => perform(driver, effect) ?? [])
}

function perform(driver: Driver, effect: ConnectionEffect): Promise<boolean> | undefined {
  const { ports, clients } = driver
  switch (effect.type) {
    case 'prepare':
      void prepare(driver, effect)
      break
    case 'connect':
      open(driver, effect)
      break
    case 'subscribeAll':
      void subscribe(driver, effect).then(() => dispatch(driver, { type: 'subscribed', id: effect.id }))
      break
    case 'subscribe':
      return subscribe(driver, effect)
    case 'unsubscribe':
      clients.get(effect.id)?.unsubscribe([...effect.topics])
      break
    case 'end':
      clients.get(effect.id)?.end(true)
      clients.delete(effect.id)
      break
    case 'pause':
      clearTimeout(driver.retry)
      driver.retry = setTimeout(() => dispatch(driver, { type: 'pauseOver' }), effect.ms)
      break
    case 'stopPause':
      clearTimeout(driver.retry)
      break
    case 'watch':
      driver.watch = setInterval(() => dispatch(driver, { type: 'check' }), CREDENTIAL_CHECK_MS)
      break
    case 'stopWatch':
      clearInterval(driver.watch)
      break
    case 'ready':
      ports.ready(effect.afterGap)
      break
    case 'failed':
      ports.failed(effect.error)
  }
  return undefined
}

/** Fetches credentials for an attempt. */
async function prepare(
  driver: Driver,
  { id, credentials }: ConnectionEffect & { type: 'prepare' },
): Promise<void> {
  try {
    const valid = credentials ?? (await driver.ports.credentials())
    dispatch(driver, { type: 'prepared', id, credentials: valid })
  } catch (error) {
    dispatch(driver, { type: 'notOpened', id, error })
  }
}

const optionsFor = (credentials: RealtimeCredentials, timeout: number): IClientOptions => ({
  clientId: credentials.ClientID,
  username: credentials.Username,
  password: credentials.Password,
  protocolVersion: 4,
  clean: true,
  keepalive: 30,
  connectTimeout: timeout,
  // The state machine reconnects, with backoff and valid credentials.
  reconnectPeriod: 0,
  resubscribe: false,
  queueQoSZero: false,
  // Pings at a fixed interval: rescheduling after each packet costs a message to the timer's worker and back.
  reschedulePings: false,
  subscribeBatchSize: TOPICS_PER_SUBSCRIBE,
})

function open(driver: Driver, { id, credentials, timeout }: ConnectionEffect & { type: 'connect' }): void {
  const { ports, clients } = driver
  const client = ports.connect(credentials.Url, optionsFor(credentials, timeout))
  clients.set(id, client)
  client.on('connect', () => dispatch(driver, { type: 'connected', id }))
  client.on('message', (topic, payload) => {
    let parsed: unknown
    try {
      parsed = JSON.parse(payload.toString())
    } catch (error) {
      ports.failed(error)
      return
    }
    ports.receive(topic, parsed)
  })
  client.on('error', (error) => {
    // CONNACK 4 or 5, not authorized: the credentials are no longer valid.
    if ('code' in error && (error.code === 4 || error.code === 5))
      dispatch(driver, { type: 'unauthorized', id })
    ports.failed(error)
  })
  client.on('close', () => dispatch(driver, { type: 'closed', id }))
}

/** Resolves to false if the connection went down meanwhile; a rejected topic is reported and skipped. */
function subscribe(
  driver: Driver,
  { id, topics }: { id: number; topics: readonly string[] },
): Promise<boolean> {
  const client = driver.clients.get(id)
  if (!client || topics.length === 0) return Promise.resolve(client !== undefined)
  return new Promise((resolve) => {
    client.subscribe([...topics], { qos: 1 }, (error, granted) => {
      if (error) driver.ports.failed(error)
      for (const { topic, qos } of granted ?? [])
        if (Number(qos) === 128) driver.ports.failed(new Error(`refused: ${topic}`))
      resolve(id === driver.machine.current)
    })
  })
}

async function requestTopics(driver: Driver, topics: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(dispatch(driver, { type: 'want', topics }))
  return answers.includes(true)
}

/**
 * Publishes with QoS 1.
 *
 * errors  rejects at once if not connected
 */
async function publish({ machine, clients }: Driver, topic: string, payload: object): Promise<void> {
  const client = machine.current === undefined ? undefined : clients.get(machine.current)
  if (!client?.connected || machine.status !== 'connected') throw new Error('not connected')
  await client.publishAsync(topic, JSON.stringify(payload), { qos: 1 })
}
