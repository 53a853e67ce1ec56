import { connect as connectMqtt } from 'mqtt'
import type { Clock } from './clock.ts'
import { createOutbox, type Message } from './outbox.ts'

/** First and longest pause before the next attempt to connect, in ms; each failure doubles it. */
const MIN_BACKOFF_MS = 1_000
const LONGEST_PAUSE = 60_000
/** Messages kept where a hub does not say otherwise, and those on the wire at once that docs/hub-protocol.md §4.1 allows. */
const KEPT = 10_000
const IN_FLIGHT = 20

/** What of an MQTT client a session uses. */
interface MqttClient {
  on(event: 'connect' | 'close', listener: () => void): unknown
  on(event: 'message', listener: (topic: string, payload: { toString(): string }) => void): unknown
  on(event: 'error', listener: (error: Error & { code?: unknown }) => void): unknown
  subscribe(topics: string[], options: { qos: 1 }, done: (error: Error | null) => void): unknown
  publish(topic: string, payload: string, options: { qos: 1 }, done: (error?: Error) => void): unknown
  end(force: boolean): unknown
  endAsync(force: boolean): Promise<void>
  stream: { destroy(): unknown }
}

/** How a session connects, in the words of mqtt.js. */
interface MqttOptions {
  protocolVersion: 4
  clientId: string
  username: string
  password: string
  clean: boolean
  keepalive: number
  connectTimeout: number
  reconnectPeriod: number
  queueQoSZero: boolean
  will: { topic: string; payload: string; qos: 1; retain: boolean }
  ca?: string
}

type Connect = (url: string, options: MqttOptions) => MqttClient

export interface HubSessionOptions<M extends Message> {
  /** Opens a connection; mqtt.js does unless a test brings another. */
  connect?: Connect
  /** mqtt:// or mqtts:// of the gateway. */
  url: string
  ThingName: string
  Secret: string
  /** Certificate authority (PEM) of the gateway, where it is not a public one. */
  ca?: string | undefined
  /** Sent by the gateway's broker when the connection ends without a goodbye. */
  will: Message
  subscriptions: readonly string[]
  clock: Pick<Clock, 'after'>
  /** 0 to 1, spreads the attempts of many hubs. */
  random: () => number
  /** Messages kept while there is no connection; beyond that the oldest give way. */
  capacity?: number
  /** Unacknowledged messages on the wire at once. */
  window?: number
  /** Connected and subscribed. What it sends first goes out first. */
  onOnline(): void
  onOffline(): void
  /** An attempt to connect failed: why, and after how many ms the next one comes. */
  onFailure?(reason: string, nextIn: number): void
  onMessage(topic: string, payload: string): void
  onAcknowledged?(message: M): void
}

/** A hub's MQTT session as docs/hub-protocol.md describes it: QoS 1, nothing forgotten before it is acknowledged. */
export interface HubSession<M extends Message = Message> {
  /** Sends as soon as there is a connection and room in the window. */
  send(message: M): void
  /** The hub's power fails: no goodbye, and nothing for `ms`. */
  die(ms: number): void
  /** Sends what waits, for at most `ms`, then says goodbye. */
  stop(ms: number): Promise<void>
  readonly online: boolean
  readonly waiting: number
  readonly inFlight: number
  /** Messages given up because too many waited, and acknowledged ones. */
  readonly dropped: number
  readonly acknowledged: number
}

interface SessionState<M extends Message> {
  options: HubSessionOptions<M>
  outbox: ReturnType<typeof createOutbox<M>>
  client: MqttClient | undefined
  online: boolean
  stopped: boolean
  /** Attempts that failed since the session was last online. */
  failures: number
  acknowledged: number
  /** Why the next attempt that fails does. */
  reason: string
  /** For how long a hub that died stays away, in ms. */
  away: number
  cancelRetry: () => void
  /** Called when nothing waits any more, or cannot be sent. */
  drained: (() => void) | undefined
}

const CLOSED = 'the connection was closed'

/** Connects a hub, or a scanner, to its gateway and keeps it connected until it is stopped. */
export function openHubSession<M extends Message = Message>(options: HubSessionOptions<M>): HubSession<M> {
  const outbox = createOutbox<M>(options.capacity ?? KEPT, options.window ?? IN_FLIGHT)
  const state: SessionState<M> = {
    options,
    outbox,
    client: undefined,
    online: false,
    stopped: false,
    failures: 0,
    acknowledged: 0,
    reason: CLOSED,
    away: 0,
    cancelRetry: () => {},
    drained: undefined,
  }
  open(state)
  return {
    send(message) {
      outbox.put(message)
      pump(state)
    },
    die: (ms) => die(state, ms),
    stop: (ms) => stop(state, ms),
    get online() {
      return state.online
    },
    get waiting() {
      return outbox.waiting
    },
    get inFlight() {
      return outbox.inFlight
    },
    get dropped() {
      return outbox.dropped
    },
    get acknowledged() {
      return state.acknowledged
    },
  }
}

function open<M extends Message>(state: SessionState<M>): void {
  const { options } = state
  const connect: Connect = options.connect ?? connectMqtt
  const client = connect(options.url, optionsFor(options))
  state.client = client
  client.on('connect', () => {
    if (options.subscriptions.length === 0) return ready(state, client)
    client.subscribe([...options.subscriptions], { qos: 1 }, (error) => {
      if (!error) return ready(state, client)
      state.reason = error.message
      client.end(true)
    })
  })
  client.on('message', (topic, payload) => options.onMessage(topic, payload.toString()))
  client.on('error', (error) => {
    state.reason = error.message || String(error.code ?? 'the gateway cannot be reached')
    client.end(true)
  })
  client.on('close', () => closed(state, client))
}

function optionsFor<M extends Message>({ ThingName, Secret, will, ca }: HubSessionOptions<M>): MqttOptions {
  return {
    protocolVersion: 4,
    clientId: ThingName,
    username: ThingName,
    password: Secret,
    clean: true,
    keepalive: 30,
    connectTimeout: 10_000,
    // The next attempt is ours: a jittered back-off, and unacknowledged messages wait in the outbox.
    reconnectPeriod: 0,
    queueQoSZero: false,
    will: { topic: will.topic, payload: will.payload, qos: 1, retain: false },
    ...(ca && { ca }),
  }
}

function ready<M extends Message>(state: SessionState<M>, client: MqttClient): void {
  if (state.client !== client) return
  state.failures = 0
  state.online = true
  state.options.onOnline()
  pump(state)
}

/** Sends what waits, as far as the window lets it. */
function pump<M extends Message>(state: SessionState<M>): void {
  const { client, outbox } = state
  if (!state.online || !client) return
  for (let message = outbox.next(); message; message = outbox.next()) {
    const sent = message
    client.publish(sent.topic, sent.payload, { qos: 1 }, (error) => {
      // A late answer of a broken connection: the message has gone back to the outbox.
      if (error || client !== state.client || !state.online) return
      outbox.acknowledge(sent)
      state.acknowledged++
      state.options.onAcknowledged?.(sent)
      pump(state)
    })
  }
  if (outbox.waiting === 0 && outbox.inFlight === 0) state.drained?.()
}

/** The connection has ended: what was on the wire goes back to the outbox, and the next attempt is waited for. */
function closed<M extends Message>(state: SessionState<M>, client: MqttClient): void {
  if (state.client !== client) return
  const { options, outbox } = state
  state.client = undefined
  outbox.rewind()
  const was = state.online
  state.online = false
  state.drained?.()
  if (was) options.onOffline()
  if (state.stopped) return
  const backOff = Math.min(LONGEST_PAUSE, MIN_BACKOFF_MS * 2 ** state.failures++) * (0.5 + options.random())
  const pause = state.away || backOff
  state.away = 0
  if (!was) options.onFailure?.(state.reason, Math.round(pause))
  state.reason = CLOSED
  state.cancelRetry = options.clock.after(pause, () => open(state))
}

function die<M extends Message>(state: SessionState<M>, ms: number): void {
  if (!state.client || !state.online) return
  state.away = ms
  state.client.stream.destroy()
}

async function stop<M extends Message>(state: SessionState<M>, ms: number): Promise<void> {
  const { outbox, options } = state
  if (state.online && outbox.waiting + outbox.inFlight > 0) {
    await new Promise<void>((resolve) => {
      const cancel = options.clock.after(ms, resolve)
      state.drained = () => {
        cancel()
        resolve()
      }
    })
  }
  state.stopped = true
  state.cancelRetry()
  // A goodbye waits for what is on the wire, so with something left there is none and the will is sent.
  await state.client?.endAsync(!state.online || outbox.inFlight > 0)
}
