import { connect } from 'mqtt'
import type { PayloadOf } from '../../../../contract/kernel/define-channel.ts'
import type { otaResponse } from '../../../../contract/devices/channels/ota.ts'
import type { Caller } from '../../../support/world.ts'

type Response = PayloadOf<typeof otaResponse>

/** A person's connection to the realtime channel that records its messages. */
export interface Screen {
  heard: Response[]
  /** Resolves with the first matching response, whether it has arrived already or arrives later. */
  until(fits: (response: Response) => boolean): Promise<Response>
  publish(topic: string, payload: unknown): Promise<void>
  end(): Promise<void>
}

export async function openScreen(person: Caller, address: string, topics: string[]): Promise<Screen> {
  const { results } = await person.post('/ConnectRealtime')
  const client = connect(`${address.replace('http', 'ws')}/mqtt`, {
    clientId: results.ClientID,
    username: results.Username,
    password: results.Password,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject))
  const granted = await client.subscribeAsync(topics, { qos: 1 }).catch(() => [])
  if (granted.length < topics.length || granted.some(({ qos }) => Number(qos) === 128)) {
    await client.endAsync(true)
    throw new Error('refused')
  }
  const heard: Response[] = []
  const waiting = new Set<() => void>()
  client.on('message', (_topic, payload) => {
    heard.push(JSON.parse(payload.toString()) as Response)
    for (const wake of waiting) wake()
  })
  return {
    heard,
    until: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = heard.find(fits)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    publish: async (topic, payload) => {
      await client.publishAsync(topic, JSON.stringify(payload), { qos: 1 })
    },
    end: () => client.endAsync(true),
  }
}
