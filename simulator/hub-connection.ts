import { connect, type MqttClient } from 'mqtt'
import type { Clock } from './clock.ts'
import { createOutbox, type Message } from '../contract/rules/outbox.ts'

/** First and longest pause before the next attempt to connect, in ms; each failure doubles it. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000

export interface HubConnectionOptions<M extends Message> {
  /** mqtt:// or mqtts:// of the gateway. */
  url: string
  ThingName: string
  Secret: string
  /** Sent by the gateway's broker when the connection ends without a goodbye. */
  will: Message
  subscriptions: readonly string[]
  clock: Clock
  random: () => number
  /** Unacknowledged messages on the wire at once, and messages kept while there is no connection. */
  window?: number
  capacity?: number
  /** Certificate authority (PEM) of the gateway, where it is not a public one. */
  ca?: string
  /** Connected and subscribed. What it puts first is sent first. */
  onOnline(): void
  onOffline(): void
  onMessage(topic: string, payload: string): void
  onAcknowledged?(message: M): void
}

/** One hub's MQTT session as docs/hub-protocol.md describes it: QoS 1, nothing forgotten before it is acknowledged. */
export interface HubConnection<M extends Message = Message> {
  /** Sends as soon as there is a connection and room in the window. */
  send(message: M): void
  /** The hub's power fails: no goodbye, and nothing for `ms`. */
  die(ms: number): void
  /** Sends what waits, for at most `ms`, then says goodbye. */
  stop(ms: number): Promise<void>
  readonly online: boolean
  readonly waiting: number
  readonly inFlight: number
  readonly dropped: number
}

/** Connects a hub and keeps it connected until it is stopped. */
export function connectHub<M extends Message = Message>(options: HubConnectionOptions<M>): HubConnection<M> {
  const { clock, random } = options
  const outbox = createOutbox<M>(options.capacity ?? 10_000, options.window ?? 20)
  let client: MqttClient | undefined
  let online = false
  let stopped = false
  let failures = 0
  let pause = 0
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
        options.onAcknowledged?.(sent)
        pump()
      })
    }
    if (outbox.waiting === 0 && outbox.inFlight === 0) drained?.()
  }

  function open(): void {
    const opened = connect(options.url, {
      protocolVersion: 4,
      clientId: options.ThingName,
      username: options.ThingName,
      password: options.Secret,
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
    opened.on('connect', () => {
      if (options.subscriptions.length === 0) return ready(opened)
      opened.subscribe([...options.subscriptions], { qos: 1 }, (error) =>
        error ? opened.end(true) : ready(opened),
      )
    })
    opened.on('message', (topic, payload) => options.onMessage(topic, payload.toString()))
    opened.on('error', () => opened.end(true))
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
    const backOff = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures++) * (0.5 + random())
    cancelRetry = clock.after(pause || backOff, open)
    pause = 0
  }

  open()
  return {
    send(message) {
      outbox.put(message)
      pump()
    },
    die(ms) {
      if (!client || !online) return
      pause = ms
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
  }
}
