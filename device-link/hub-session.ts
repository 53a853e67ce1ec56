import { connect as connectMqtt } from 'mqtt'
import type { Clock } from './clock.ts'
import { createOutbox, type Message } from './outbox.ts'

/** First and longest pause before the next attempt to connect, in ms; each failure doubles it. */
const FIRST_PAUSE = 1_000
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

/** Connects a hub, or a scanner, to its gateway and keeps it connected until it is stopped. */
export function openHubSession<M extends Message = Message>(options: HubSessionOptions<M>): HubSession<M> {
  const { ThingName, will, clock } = options
  const connect: Connect = options.connect ?? connectMqtt
  const outbox = createOutbox<M>(options.capacity ?? KEPT, options.window ?? IN_FLIGHT)
  let client: MqttClient | undefined
  let online = false
  let stopped = false
  let failures = 0
  let acknowledged = 0
  let reason = 'the connection was closed'
  /** For how long a hub that died stays away. */
  let away = 0
  let cancelRetry = () => {}
  let drained: (() => void) | undefined

  function pump(): void {
    const current = client
    if (!online || !current) return
    for (let message = outbox.next(); message; message = outbox.next()) {
      const sent = message
      current.publish(sent.topic, sent.payload, { qos: 1 }, (error) => {
        // A late answer of a broken connection: the message has gone back to the outbox.
        if (error || current !== client || !online) return
        outbox.acknowledge(sent)
        acknowledged++
        options.onAcknowledged?.(sent)
        pump()
      })
    }
    if (outbox.waiting === 0 && outbox.inFlight === 0) drained?.()
  }

  function open(): void {
    const opened = connect(options.url, {
      protocolVersion: 4,
      clientId: ThingName,
      username: ThingName,
      password: options.Secret,
      clean: true,
      keepalive: 30,
      connectTimeout: 10_000,
      // The next attempt is ours: a jittered back-off, and unacknowledged messages wait in the outbox.
      reconnectPeriod: 0,
      queueQoSZero: false,
      will: { topic: will.topic, payload: will.payload, qos: 1, retain: false },
      ...(options.ca && { ca: options.ca }),
    })
    client = opened
    opened.on('connect', () => {
      if (options.subscriptions.length === 0) return ready(opened)
      opened.subscribe([...options.subscriptions], { qos: 1 }, (error) => {
        if (!error) return ready(opened)
        reason = error.message
        opened.end(true)
      })
    })
    opened.on('message', (topic, payload) => options.onMessage(topic, payload.toString()))
    opened.on('error', (error) => {
      reason = error.message || String(error.code ?? 'the gateway cannot be reached')
      opened.end(true)
    })
    opened.on('close', () => closed(opened))
  }

  function ready(of: MqttClient): void {
    if (client !== of) return
    failures = 0
    online = true
    options.onOnline()
    pump()
  }

  function closed(of: MqttClient): void {
    if (client !== of) return
    client = undefined
    outbox.rewind()
    const was = online
    online = false
    drained?.()
    if (was) options.onOffline()
    if (stopped) return
    const backOff = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures++) * (0.5 + options.random())
    const pause = away || backOff
    away = 0
    if (!was) options.onFailure?.(reason, Math.round(pause))
    reason = 'the connection was closed'
    cancelRetry = clock.after(pause, open)
  }

  open()
  return {
    send(message) {
      outbox.put(message)
      pump()
    },
    die(ms) {
      if (!client || !online) return
      away = ms
      client.stream.destroy()
    },
    async stop(ms) {
      if (online && outbox.waiting + outbox.inFlight > 0) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(ms, resolve)
          drained = () => {
            cancel()
            resolve()
          }
        })
      }
      stopped = true
      cancelRetry()
      // A goodbye waits for what is on the wire, so with something left there is none and the will is sent.
      await client?.endAsync(!online || outbox.inFlight > 0)
    },
    get online() {
      return online
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
      return acknowledged
    },
  }
}
