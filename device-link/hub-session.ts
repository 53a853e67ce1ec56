import { connect as connectMqtt } from 'mqtt'
import type { Clock } from './clock.ts'
import { createOutbox, type Message } from './outbox.ts'

/** Minimum and maximum reconnect delay, in ms; each failure doubles it. */
const MIN_BACKOFF_MS = 1_000
const MAX_PAUSE_MS = 60_000
/** Default number of buffered messages, and the maximum in flight that docs/hub-protocol.md §4.1 allows. */
const DEFAULT_CAPACITY = 10_000
const IN_FLIGHT = 20

/** The subset of an MQTT client that a session uses. */
interface MqttClient {
  on(event: 'connect' | 'close', listener: () => void): unknown
  on(event: 'message', listener: (topic: string, payload: { toString(): string }) => void): unknown
  on(event: 'error', listener: (error: Error & { code?: unknown }) => void): unknown
  subscribe(topics: string[], options: { qos: 1 }, callback: (error: Error | null) => void): unknown
  publish(topic: string, payload: string, options: { qos: 1 }, callback: (error?: Error) => void): unknown
  end(force: boolean): unknown
  endAsync(force: boolean): Promise<void>
  stream: { destroy(): unknown }
}

/** Connection options, with the names of mqtt.js. */
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
  /** Opens a connection; defaults to mqtt.js, tests replace it. */
  connect?: Connect
  /** mqtt:// or mqtts:// of the gateway. */
  url: string
  ThingName: string
  Secret: string
  /** Certificate authority (PEM) of the gateway, if it is not a public one. */
  ca?: string | undefined
  /** Last will: sent by the gateway's broker if the connection ends without a DISCONNECT. */
  will: Message
  subscriptions: readonly string[]
  clock: Pick<Clock, 'after'>
  /** 0 to 1; jitter that spreads the reconnects of many hubs. */
  random: () => number
  /** Maximum number of messages buffered while offline; the oldest are dropped first. */
  capacity?: number
  /** Maximum number of unacknowledged messages in flight. */
  window?: number
  /** Called when connected and subscribed; messages sent in the callback go out first. */
  onOnline(): void
  onOffline(): void
  /** Called after a failed attempt to connect, with the reason and the delay of the next one in ms. */
  onFailure?(reason: string, nextIn: number): void
  onMessage(topic: string, payload: string): void
  onAcknowledged?(message: M): void
}

/** A hub's MQTT session (docs/hub-protocol.md): QoS 1; a message is kept until it is acknowledged. */
export interface HubSession<M extends Message = Message> {
  /** Sends the message as soon as there is a connection and the window has room. */
  send(message: M): void
  /** Simulates a power failure: no DISCONNECT, and no connection for `ms`. */
  die(ms: number): void
  /** Sends buffered messages for at most `ms`, then disconnects. */
  stop(ms: number): Promise<void>
  readonly online: boolean
  readonly waiting: number
  readonly inFlight: number
  /** Number of messages dropped because the buffer was full, and of acknowledged ones. */
  readonly dropped: number
  readonly acknowledged: number
}

interface SessionState<M extends Message> {
  options: HubSessionOptions<M>
  outbox: ReturnType<typeof createOutbox<M>>
  client: MqttClient | undefined
  online: boolean
  stopped: boolean
  /** Number of failed attempts since the session was last online. */
  failures: number
  acknowledged: number
  /** Reason to report for the next failed attempt. */
  reason: string
  /** Duration in ms for which a hub that died stays offline. */
  away: number
  cancelRetry: () => void
  /** Called when the buffer is empty or cannot be sent. */
  drained: (() => void) | undefined
}

const CONNECTION_CLOSED = 'the connection was closed'

/** Connects a hub, or a scanner, to its gateway and keeps it connected until it is stopped. */
export function openHubSession<M extends Message = Message>(options: HubSessionOptions<M>): HubSession<M> {
  const outbox = createOutbox<M>(options.capacity ?? DEFAULT_CAPACITY, options.window ?? IN_FLIGHT)
  const state: SessionState<M> = {
    options,
    outbox,
    client: undefined,
    online: false,
    stopped: false,
    failures: 0,
    acknowledged: 0,
    reason: CONNECTION_CLOSED,
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
  client.on('close', () => onClose(state, client))
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
    // The session reconnects itself: with a jittered back-off, and unacknowledged messages return to the outbox.
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

/** Sends buffered messages as far as the window allows. */
function pump<M extends Message>(state: SessionState<M>): void {
  const { client, outbox } = state
  if (!state.online || !client) return
  for (let message = outbox.next(); message; message = outbox.next()) {
    const sent = message
    client.publish(sent.topic, sent.payload, { qos: 1 }, (error) => {
      // A late acknowledgement of a broken connection: the message is back in the outbox.
      if (error || client !== state.client || !state.online) return
      outbox.acknowledge(sent)
      state.acknowledged++
      state.options.onAcknowledged?.(sent)
      pump(state)
    })
  }
  if (outbox.waiting === 0 && outbox.inFlight === 0) state.drained?.()
}

/** Handles the end of a connection: messages in flight return to the outbox, and the next attempt is scheduled. */
function onClose<M extends Message>(state: SessionState<M>, client: MqttClient): void {
  if (state.client !== client) return
  const { options, outbox } = state
  state.client = undefined
  outbox.rewind()
  const was = state.online
  state.online = false
  state.drained?.()
  if (was) options.onOffline()
  if (state.stopped) return
  const backOff = Math.min(MAX_PAUSE_MS, MIN_BACKOFF_MS * 2 ** state.failures++) * (0.5 + options.random())
  const pause = state.away || backOff
  state.away = 0
  if (!was) options.onFailure?.(state.reason, Math.round(pause))
  state.reason = CONNECTION_CLOSED
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
  // A clean DISCONNECT waits for messages in flight; if some are left, the connection is cut so that the broker sends the will.
  await state.client?.endAsync(!state.online || outbox.inFlight > 0)
}
