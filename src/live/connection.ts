import type { IClientOptions, MqttClient } from 'mqtt'
import type { RealtimeCredentials } from '../../contract/procedures/session.ts'
import { gatewayNow } from '../lib/gateway-clock.ts'
import { createStore, type Store } from '../lib/store.ts'

/** §4: connect, reconnect, error, offline, end; idle before the first start. */
export type ConnectionState =
  'idle' | 'connecting' | 'connected' | 'reconnecting' | 'offline' | 'error' | 'ended'

/** §9: the longest pause between two attempts, and how long the first attempt may take. */
export const MAX_PAUSE_MS = 1_800_000
export const CONNECT_TIMEOUT_MS = 1000
/** On a slow line a second is not enough: later attempts may take longer, up to this. */
const PATIENT_TIMEOUT_MS = 16_000
const FIRST_PAUSE_MS = 1000
/** §7: topics per SUBSCRIBE packet. */
const BATCH = 6
/** §9: credentials are renewed when this much or less remains, looked at each second. */
export const RENEW_BEFORE_MS = 300_000
const LOOK_EVERY_MS = 1000
/** A look that comes so late means that the machine slept. In a page out of sight they come once a minute. */
const SLEPT_MS = 90_000
/** Whoever gives a command while the page still connects for the first time waits at most this long for it. */
export const FIRST_CONNECT_PATIENCE_MS = 5_000

interface Ports {
  /** mqtt.js, fetched when it is first needed. */
  connect(): Promise<(url: string, options: IClientOptions) => MqttClient>
  credentials(): Promise<RealtimeCredentials>
  /** A message on a subscribed topic, already parsed from JSON. */
  receive(topic: string, payload: unknown): void
  /**
   * Connected (again) with every topic subscribed: the moment to ask for what was missed.
   *
   * afterGap  an earlier connection had ended before this one stood
   */
  ready(afterGap: boolean): void
  /** Logged and shown in the connection strip, never thrown (§8). */
  failed(error: unknown): void
  now?: () => number
  random?: () => number
}

export type Connection = ReturnType<typeof createConnection>

/**
 * How long to wait before an attempt: doubles from one second up to half an hour (§9), half of it by chance so that a
 * thousand screens do not return at the same moment.
 *
 * attempt  0 for the first repetition
 */
export function pauseBefore(attempt: number, random: number): number {
  const full = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
  return Math.round(full * (0.5 + random / 2))
}

/** How long attempt n (0 first) may take to connect, in ms. */
export const timeoutOf = (attempt: number): number =>
  Math.min(PATIENT_TIMEOUT_MS, CONNECT_TIMEOUT_MS * 2 ** attempt)

/**
 * The one connection to the realtime channel. Keeps itself up: new attempts with pauses, fresh credentials for each
 * attempt that needs them and before they end, subscriptions restored. While it is down, publishing is refused: a
 * command must not be sent later than it was given.
 */
export function createConnection(ports: Ports) {
  const now = ports.now ?? Date.now
  const random = ports.random ?? Math.random
  const state: Store<ConnectionState> = createStore<ConnectionState>('idle')
  /** When the next attempt comes, epoch ms, while waiting for one. */
  const nextAttemptAt = createStore<number | undefined>(undefined)
  const wanted = new Set<string>()
  let client: MqttClient | undefined
  let held: RealtimeCredentials | undefined
  let attempt = 0
  let generation = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let watch: ReturnType<typeof setInterval> | undefined
  let renewing = false
  let lookedAt = 0
  /** Whether a connection has been there since the start. */
  let stood = false

  const running = () => state.get() !== 'idle' && state.get() !== 'ended'
  /** Credentials end by the gateway's clock; by one of this device that is ahead they would be renewed for ever. */
  const remaining = ({ ExpiresAt }: RealtimeCredentials) => ExpiresAt - gatewayNow()

  async function open(): Promise<void> {
    const mine = ++generation
    clearTimeout(retry)
    nextAttemptAt.set(undefined)
    try {
      if (!held || remaining(held) <= RENEW_BEFORE_MS) held = await ports.credentials()
      const connect = await ports.connect()
      if (mine !== generation || !running()) return
      attach(connect(held.Url, optionsFor(held)), mine)
    } catch (error) {
      if (mine !== generation || !running()) return
      held = undefined
      ports.failed(error)
      wait('error')
    }
  }

  const optionsFor = (credentials: RealtimeCredentials): IClientOptions => ({
    clientId: credentials.ClientID,
    username: credentials.Username,
    password: credentials.Password,
    protocolVersion: 4,
    clean: true,
    keepalive: 30,
    connectTimeout: timeoutOf(attempt),
    // We repeat ourselves, with pauses and credentials that still hold.
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    // Pings come by the clock: moving the next one with each packet costs a message to the timer's worker and back.
    reschedulePings: false,
    subscribeBatchSize: BATCH,
  })

  /** Uses a new connection; the previous one stays until this one has its topics, so that nothing is missed between. */
  function attach(next: MqttClient, mine: number) {
    const previous = client
    next.on('connect', () => {
      if (mine !== generation || !running()) {
        next.end(true)
        return
      }
      clearTimeout(retry)
      nextAttemptAt.set(undefined)
      client = next
      void subscribe([...wanted]).then((done) => {
        if (previous && previous !== next) previous.end(true)
        if (!done || mine !== generation) return
        attempt = 0
        const afterGap = stood && state.get() !== 'connected'
        stood = true
        state.set('connected')
        ports.ready(afterGap)
      })
    })
    next.on('message', (topic, payload) => {
      let parsed: unknown
      try {
        parsed = JSON.parse(payload.toString())
      } catch (error) {
        ports.failed(error)
        return
      }
      ports.receive(topic, parsed)
    })
    next.on('error', (error) => {
      // Not authorised (4, 5): the credentials no longer hold.
      if ('code' in error && (error.code === 4 || error.code === 5)) held = undefined
      ports.failed(error)
    })
    next.on('close', () => {
      const wasCurrent = client === next
      if (wasCurrent) client = undefined
      next.end(true)
      // An attempt to renew that failed leaves the standing connection alone: the next look tries again.
      if (running() && (wasCurrent || (mine === generation && !client))) wait('reconnecting')
    })
  }

  function wait(because: ConnectionState) {
    state.set(navigator.onLine ? because : 'offline')
    const pause = pauseBefore(attempt++, random())
    nextAttemptAt.set(now() + pause)
    clearTimeout(retry)
    retry = setTimeout(() => {
      state.set('reconnecting')
      void open()
    }, pause)
  }

  /** Resolves false when the connection went down meanwhile; a refused topic is reported and left out. */
  function subscribe(topics: string[]): Promise<boolean> {
    const at = client
    if (!at || topics.length === 0) return Promise.resolve(at !== undefined)
    return new Promise((resolve) => {
      at.subscribe(topics, { qos: 1 }, (error, granted) => {
        if (error) ports.failed(error)
        for (const { topic, qos } of granted ?? [])
          if (Number(qos) === 128) ports.failed(new Error(`refused: ${topic}`))
        resolve(at === client)
      })
    })
  }

  function look() {
    const slept = now() - lookedAt > SLEPT_MS
    lookedAt = now()
    if (slept && state.get() === 'connected') beginAnew()
    else void renew()
  }

  /** After a sleep nobody is at the other end any more, though this one has not noticed yet. */
  function beginAnew() {
    client?.end(true)
    client = undefined
    attempt = 0
    state.set('reconnecting')
    void open()
  }

  async function renew() {
    if (renewing || state.get() !== 'connected' || !held || remaining(held) > RENEW_BEFORE_MS) return
    renewing = true
    try {
      await open()
    } finally {
      renewing = false
    }
  }

  return {
    state,
    nextAttemptAt,
    start() {
      if (running()) return
      state.set('connecting')
      attempt = 0
      lookedAt = now()
      stood = false
      watch = setInterval(look, LOOK_EVERY_MS)
      void open()
    },
    /** Ends for good: sign-out. */
    stop() {
      generation++
      clearTimeout(retry)
      clearInterval(watch)
      nextAttemptAt.set(undefined)
      wanted.clear()
      held = undefined
      client?.end(true)
      client = undefined
      state.set('ended')
    },
    /** Tries now: the person asked, the network is back, or the page is looked at again. */
    retryNow() {
      if (!running() || state.get() === 'connected' || state.get() === 'connecting') return
      attempt = 0
      state.set('reconnecting')
      void open()
    },
    /** Makes exactly these topics subscribed, now and after every reconnect. */
    want(topics: readonly string[]) {
      const next = new Set(topics)
      const gone = [...wanted].filter((topic) => !next.has(topic))
      const fresh = topics.filter((topic) => !wanted.has(topic))
      wanted.clear()
      for (const topic of next) wanted.add(topic)
      if (!client) return Promise.resolve(false)
      if (gone.length > 0) client.unsubscribe(gone)
      return subscribe(fresh)
    },
    /**
     * Resolves once the first attempt of a page has ended, however it ended, and at once after that. The page connects after
     * its first picture: what is asked in that moment need not be refused.
     */
    begun(): Promise<void> {
      const begins = () => state.get() === 'idle' || state.get() === 'connecting'
      if (!begins()) return Promise.resolve()
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          unsubscribe()
          resolve()
        }
        const unsubscribe = state.subscribe(() => begins() || end())
        const timer = setTimeout(end, FIRST_CONNECT_PATIENCE_MS)
      })
    },
    /**
     * Sends with QoS 1.
     *
     * errors  rejects at once when not connected
     */
    async publish(topic: string, payload: object): Promise<void> {
      if (!client?.connected || state.get() !== 'connected') throw new Error('not connected')
      await client.publishAsync(topic, JSON.stringify(payload), { qos: 1 })
    },
    /** Where the broker does not say who sends: what a message must carry for the gateway to know. Else nothing. */
    proof: (): { Proof?: string } => (held?.Proof === undefined ? {} : { Proof: held.Proof }),
  }
}
