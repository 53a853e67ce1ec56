import { connect } from 'mqtt'
import { CommandRefused } from '../lib/commands.ts'
import type { Log } from '../lib/log.ts'
import type { Publication } from './entity.ts'

/** Topics in one SUBSCRIBE. */
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
  /** retained  it was there before its topic was subscribed to */
  onMessage(topic: string, payload: Buffer, retained: boolean): void
}

/** The client of the broker that the devices speak to. */
export interface DeviceBroker {
  /** Listens to topics and filters from now on, after a reconnect too. */
  listen(topics: Iterable<string>): void
  unlisten(topics: Iterable<string>): void
  /** Resolves when the broker has taken it. errors  CommandRefused when the broker is away */
  publish(publication: Publication): Promise<void>
  stop(): Promise<void>
  readonly online: boolean
}

export function connectDeviceBroker(options: DeviceBrokerOptions): DeviceBroker {
  const { log } = options
  const wanted = new Set<string>()
  let batch = new Set<string>()
  let online = false
  let complained = false
  const client = connect(options.url, {
    protocolVersion: 4,
    clientId: options.clientId,
    username: options.username,
    password: options.password,
    clean: true,
    reconnectPeriod: RECONNECT,
    // Subscriptions are ours: many at a time, and only those still wanted.
    resubscribe: false,
    queueQoSZero: false,
    ...(options.ca && { ca: options.ca }),
  })

  function subscribe(topics: readonly string[]): void {
    for (let from = 0; from < topics.length; from += AT_ONCE)
      client.subscribe(topics.slice(from, from + AT_ONCE), { qos: 1 }, (error, granted) => {
        const refused = granted?.filter(({ qos }) => qos === 128).map(({ topic }) => topic) ?? []
        if (refused.length > 0) log.error({ topics: refused.slice(0, 5) }, 'device broker refused topics')
        else if (error && online) log.warn({ reason: error.message }, 'subscription failed')
      })
  }

  client.on('connect', () => {
    online = true
    complained = false
    batch.clear()
    log.info({}, 'connected to device broker')
    subscribe([...wanted])
    options.onOnline()
  })
  client.on('close', () => {
    if (!online) return
    online = false
    log.warn({}, 'device broker disconnected')
  })
  client.on('error', (error) => {
    if (!complained) log.error({ reason: error.message }, 'no connection to device broker, will retry')
    complained = true
  })
  client.on('message', (topic, payload, { retain }) => options.onMessage(topic, payload, retain))

  return {
    listen(topics) {
      const waiting = batch.size > 0
      for (const topic of topics)
        if (!wanted.has(topic)) {
          wanted.add(topic)
          batch.add(topic)
        }
      if (waiting || batch.size === 0) return
      // What is announced in one go is subscribed to in one go.
      setImmediate(() => {
        const now = [...batch].filter((topic) => wanted.has(topic))
        batch = new Set()
        if (online) subscribe(now)
      })
    },
    unlisten(topics) {
      const gone = [...topics].filter((topic) => wanted.delete(topic))
      if (online && gone.length > 0) client.unsubscribe(gone)
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
