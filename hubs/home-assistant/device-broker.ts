import { connect } from 'mqtt'
import { CommandRefused } from '../lib/commands.ts'
import type { Log } from '../lib/log.ts'
import type { Publication } from './entities/entity.ts'

/** Maximum number of topics in one SUBSCRIBE. */
const AT_ONCE = 500
const RECONNECT = 2_000

export interface DeviceBrokerOptions {
  /** mqtt:// or mqtts:// of the broker of the devices. */
  url: string
  username?: string | undefined
  password?: string | undefined
  ca?: string | undefined
  clientId: string
  log: Log
  onOnline(): void
  /** retained  the message was stored on the broker before the subscription */
  onMessage(topic: string, payload: Buffer, retained: boolean): void
}

export interface DeviceBroker {
  /** Subscribes to topics and filters, and again after each reconnect. */
  subscribe(topics: Iterable<string>): void
  unsubscribe(topics: Iterable<string>): void
  /** Resolves when the broker has accepted it. errors  CommandRefused if the broker is offline */
  publish(publication: Publication): Promise<void>
  stop(): Promise<void>
  readonly online: boolean
}

export function connectDeviceBroker(options: DeviceBrokerOptions): DeviceBroker {
  const { log } = options
  const subscribed = new Set<string>()
  let batch = new Set<string>()
  let online = false
  let isLogged = false
  const client = connect(options.url, {
    protocolVersion: 4,
    clientId: options.clientId,
    username: options.username,
    password: options.password,
    clean: true,
    reconnectPeriod: RECONNECT,
    // Resubscribing happens here: many topics per packet, and only those still needed.
    resubscribe: false,
    queueQoSZero: false,
    ...(options.ca && { ca: options.ca }),
  })

  function subscribe(topics: readonly string[]): void {
    for (let from = 0; from < topics.length; from += AT_ONCE)
      client.subscribe(topics.slice(from, from + AT_ONCE), { qos: 1 }, (error, granted) => {
        const rejectedTopics = granted?.filter(({ qos }) => qos === 128).map(({ topic }) => topic) ?? []
        if (rejectedTopics.length > 0)
          log.error({ topics: rejectedTopics.slice(0, 5) }, 'device broker refused topics')
        else if (error && online) log.warn({ reason: error.message }, 'subscription failed')
      })
  }

  client.on('connect', () => {
    online = true
    isLogged = false
    batch.clear()
    log.info({}, 'connected to device broker')
    subscribe([...subscribed])
    options.onOnline()
  })
  client.on('close', () => {
    if (!online) return
    online = false
    log.warn({}, 'device broker disconnected')
  })
  client.on('error', (error) => {
    if (!isLogged) log.error({ reason: error.message }, 'no connection to device broker, will retry')
    isLogged = true
  })
  client.on('message', (topic, payload, { retain }) => options.onMessage(topic, payload, retain))

  return {
    subscribe(topics) {
      const isScheduled = batch.size > 0
      for (const topic of topics)
        if (!subscribed.has(topic)) {
          subscribed.add(topic)
          batch.add(topic)
        }
      if (isScheduled || batch.size === 0) return
      // Topics that are requested in the same tick share one SUBSCRIBE.
      setImmediate(() => {
        const now = [...batch].filter((topic) => subscribed.has(topic))
        batch = new Set()
        if (online) subscribe(now)
      })
    },
    unsubscribe(topics) {
      const removed = [...topics].filter((topic) => subscribed.delete(topic))
      if (online && removed.length > 0) client.unsubscribe(removed)
    },
    async publish({ topic, payload }) {
      if (!online) throw new CommandRefused('the device broker cannot be reached')
      await client.publishAsync(topic, payload, { qos: 1 })
    },
    async stop() {
      online = false
      await client.endAsync(true)
    },
    get online() {
      return online
    },
  }
}
