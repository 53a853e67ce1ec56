import { once } from 'node:events'
import type { Client } from 'aedes'
import { startPlainBroker } from '../support/plain-broker.ts'

export interface Heard {
  topic: string
  text: string
  /** Parsed JSON, or undefined for other text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it waits for
  body: any
  clientId: string
  /** Sends PUBACK, if the peer holds acknowledgements back. */
  acknowledge(): void
}

/** Plain broker that acts as the gateway in the hub protocol and records every message. */
export interface Peer {
  url: string
  heard: Heard[]
  /** First matching message, whether it has arrived already or arrives later. */
  message(topicEnd: string, fits?: (message: Heard) => boolean): Promise<Heard>
  send(topic: string, body: unknown): Promise<void>
  /** Requires manual acknowledgement of messages whose topic ends like this from now on. */
  hold(topicEnd: string): void
  release(): void
  cut(): void
  /** Rejects shadow updates with this message. */
  reject(message: string): void
  close(): Promise<void>
}

export async function startPeer(): Promise<Peer> {
  const { broker, url, sockets, cut, stopListening } = await startPlainBroker()

  const heard: Heard[] = []
  const waiting = new Set<(message: Heard) => void>()
  let held: string | undefined
  let rejection: string | undefined

  const send = (topic: string, body: unknown) =>
    new Promise<void>((resolve, reject) =>
      broker.publish(
        { cmd: 'publish', topic, payload: JSON.stringify(body), qos: 1, retain: false, dup: false },
        (error) => (error ? reject(error) : resolve()),
      ),
    )

  broker.authorizePublish = (client: Client | null, packet, callback) => {
    const text = packet.payload.toString()
    const message: Heard = {
      topic: packet.topic,
      text,
      body: parse(text),
      clientId: client?.id ?? '',
      acknowledge: () => callback(null),
    }
    if (!held || !packet.topic.endsWith(held)) callback(null)
    if (client && packet.topic.endsWith('/update')) {
      const { clientToken } = message.body ?? {}
      const answer = rejection ? { code: 413, message: rejection } : { state: {}, version: 1 }
      void send(`${packet.topic}/${rejection ? 'rejected' : 'accepted'}`, {
        ...answer,
        timestamp: 1,
        clientToken,
      })
    }
    heard.push(message)
    for (const tell of waiting) tell(message)
  }

  return {
    url,
    heard,
    message(topicEnd, fits = () => true) {
      const right = (message: Heard) => message.topic.endsWith(topicEnd) && fits(message)
      const earlier = heard.find(right)
      if (earlier) return Promise.resolve(earlier)
      return new Promise((resolve) => {
        const tell = (message: Heard) => {
          if (!right(message)) return
          waiting.delete(tell)
          resolve(message)
        }
        waiting.add(tell)
      })
    },
    send,
    hold: (topicEnd) => void (held = topicEnd),
    release: () => void (held = undefined),
    cut,
    reject: (message) => void (rejection = message),
    async close() {
      // The broker closes last: a connection that ends without DISCONNECT still publishes its will through it.
      const ended = [...sockets].map((socket) => once(socket, 'close'))
      cut()
      await Promise.all(ended)
      await stopListening()
      while (broker.connectedClients > 0) await once(broker, 'clientDisconnect')
      await new Promise(setImmediate)
      await new Promise<void>((resolve) => broker.close(() => resolve()))
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
