import type { Broker, BrokerHooks, DisconnectEvent } from '../../gateway/kernel/broker.ts'

/** Broker without clients that records its messages; for worlds whose tests are not about messages. */
export interface QuietBroker extends Broker {
  published: { topic: string; payload: unknown }[]
  disconnected: DisconnectEvent[]
  hooks: BrokerHooks | undefined
}

export function createQuietBroker(): QuietBroker {
  const broker: QuietBroker = {
    published: [],
    disconnected: [],
    hooks: undefined,
    start: async (hooks) => void (broker.hooks = hooks),
    publish: async (topic, payload) => void broker.published.push({ topic, payload }),
    disconnect: async (target) => void broker.disconnected.push(target),
    credentials: async (client) => ({
      url: '/mqtt',
      username: client.cognitoId,
      password: 'secret-of-the-quiet-broker',
      expiresAt: 0,
    }),
    isRunning: () => true,
    close: async () => {},
  }
  return broker
}
