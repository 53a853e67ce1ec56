import { connect, type MqttClient } from 'mqtt'
import { createOutbox, type Message } from '../../contract/rules/outbox.ts'
import type { Clock } from './outsides.ts'

/** First and longest pause before the next attempt to connect, in ms; each failure doubles it. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000
/** A reading a minute of some fifty meters for a day: what docs/hub-protocol.md §4.1 asks a hub to keep. */
const KEPT = 100_000
const IN_FLIGHT = 20

export interface ConnectionOptions {
  /** mqtt:// or mqtts:// of the gateway. */
  url: string
  username: string
  password: string
  /** Certificate authority (PEM) of the gateway, where it is not a public one. */
  ca?: string | undefined
  /** Sent by the gateway's broker when the connection ends without a goodbye. */
  will: Message
  subscriptions: readonly string[]
  clock: Clock
  /** 0 to 1, spreads the attempts of many hubs. */
  random: () => number
  /** Connected and subscribed. */
  onOnline(): void
  onOffline(): void
  /** An attempt to connect failed: why, and after how many ms the next one comes. */
  onFailure(reason: string, nextIn: number): void
  onMessage(topic: string, payload: string): void
}

/** A hub's MQTT session as docs/hub-protocol.md describes it: QoS 1, nothing forgotten before it is acknowledged. */
export interface Connection {
  /** Sends as soon as there is a connection and room in the window. */
  send(message: Message): void
  /** Sends what waits, for at most `ms`, then says goodbye. */
  stop(ms: number): Promise<void>
  readonly online: boolean
  readonly waiting: number
  readonly inFlight: number
  readonly dropped: number
  readonly acknowledged: number
}

/** Connects a hub to its gateway and keeps it connected until it is stopped. */
export function openConnection(options: ConnectionOptions): Connection {
  const { clock } = options
  const outbox = createOutbox(KEPT, IN_FLIGHT)
  let client: MqttClient | undefined
  let online = false
  let stopped = false
  let failures = 0
  let acknowledged = 0
  let reason = 'the connection was closed'
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
        pump()
      })
    }
    if (outbox.waiting === 0 && outbox.inFlight === 0) drained?.()
  }

  function open(): void {
    const opened = connect(options.url, {
      protocolVersion: 4,
      clientId: options.username,
      username: options.username,
      password: options.password,
      clean: true,
      keepalive: 30,
      connectTimeout: 10_000,
      // The next attempt is ours: a jittered back-off, and unacknowledged messages wait in the outbox.
      reconnectPeriod: 0,
      queueQoSZero: false,
      will: { topic: options.will.topic, payload: Buffer.from(options.will.payload), qos: 1, retain: false },
      ...(options.ca && { ca: options.ca }),
    })
    client = opened
    opened.on('connect', () =>
      opened.subscribe([...options.subscriptions], { qos: 1 }, (error) => {
        if (error) {
          reason = error.message
          opened.end(true)
        } else ready(opened)
      }),
    )
    opened.on('message', (topic, payload) => options.onMessage(topic, payload.toString()))
    opened.on('error', (error) => {
      reason = error.message || (error as NodeJS.ErrnoException).code || 'the gateway cannot be reached'
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
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures++) * (0.5 + options.random())
    if (!was) options.onFailure(reason, Math.round(pause))
    reason = 'the connection was closed'
    cancelRetry = clock.after(pause, open)
  }

  open()
  return {
    send(message) {
      outbox.put(message)
      pump()
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
