import { startPlainBroker } from '../../support/plain-broker.ts'

export interface Sent {
  topic: string
  text: string
}

/** Plain broker to which devices and the bridge connect; it records published messages. */
export interface DeviceBroker {
  url: string
  heard: Sent[]
  /** First matching message of a client, whether it has arrived already or arrives later. */
  message(fits: (sent: Sent) => boolean): Promise<Sent>
  /** Resolves when a client is subscribed to a topic or filter. */
  listening(topic: string): Promise<void>
  /** Publishes a device's message. */
  say(topic: string, payload: unknown, options?: { retain?: boolean }): Promise<void>
  cut(): void
  close(): Promise<void>
}

export async function startDeviceBroker(): Promise<DeviceBroker> {
  const { broker, url, cut, stopListening } = await startPlainBroker()

  const heard: Sent[] = []
  const subscribed = new Set<string>()
  const tell = new Set<() => void>()
  const changed = () => [...tell].forEach((look) => look())
  broker.on('publish', ({ topic, payload }, client) => {
    if (!client) return
    heard.push({ topic, text: payload.toString() })
    changed()
  })
  broker.on('subscribe', (subscriptions) => {
    for (const { topic } of subscriptions) subscribed.add(topic)
    changed()
  })
  broker.on('clientDisconnect', () => subscribed.clear())

  const when = <T>(look: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const attempt = () => {
        const found = look()
        if (found === undefined) return
        tell.delete(attempt)
        resolve(found)
      }
      tell.add(attempt)
      attempt()
    })

  return {
    url,
    heard,
    message: (fits) => when(() => heard.find(fits)),
    listening: async (topic) => void (await when(() => subscribed.has(topic) || undefined)),
    say: (topic, payload, { retain = false } = {}) =>
      new Promise((resolve, reject) =>
        broker.publish(
          {
            cmd: 'publish',
            topic,
            payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
            qos: 1,
            retain,
            dup: false,
          },
          (error) => (error ? reject(error) : resolve()),
        ),
      ),
    cut,
    async close() {
      cut()
      await stopListening()
      await new Promise<void>((resolve) => broker.close(() => resolve()))
    },
  }
}
