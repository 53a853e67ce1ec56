import type { Broker, BrokerHooks, DisconnectEvent } from '../../gateway/kernel/broker.ts'

/** Messages and disconnects of a FakeBroker, oldest first. */
export type Traffic = { topic: string; payload: unknown; qos: 0 | 1 } | { disconnected: DisconnectEvent }

/** In-memory broker that records its messages and lets a test wait for them. */
export class FakeBroker implements Broker {
  readonly traffic: Traffic[] = []
  hooks: BrokerHooks | undefined
  /** Error thrown by every publish, if set. */
  failure: Error | undefined
  /** Awaited by every publish; a pending promise simulates a slow broker. */
  gate: Promise<void> = Promise.resolve()
  /** Whether a topic has a subscriber; a test may replace it. */
  hasSubscribers: (topic: string) => boolean = () => true
  /** Whether a subscription is so new that other gateways may not know of it yet. */
  hasRecentSubscriber: (topic: string) => boolean = () => false
  #waiting: (() => void)[] = []

  async start(hooks: BrokerHooks): Promise<void> {
    this.hooks = hooks
  }

  async publish(topic: string, payload: unknown, { qos = 1 }: { qos?: 0 | 1 } = {}): Promise<void> {
    if (this.failure) throw this.failure
    await this.gate
    this.#note({ topic, payload: structuredClone(payload), qos })
  }

  async disconnect(target: DisconnectEvent): Promise<void> {
    this.#note({ disconnected: target })
  }

  async credentials(client: { cognitoId: string }) {
    return { url: '/mqtt', username: client.cognitoId, password: 'secret-of-the-fake-broker', expiresAt: 0 }
  }

  isRunning(): boolean {
    return this.failure === undefined
  }

  async close(): Promise<void> {}

  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it sent
  sentTo(topic: string): any[] {
    return this.traffic.flatMap((item) => ('topic' in item && item.topic === topic ? [item.payload] : []))
  }

  /** Resolves when this number of messages and disconnects has been recorded. */
  async reaches(count: number): Promise<Traffic[]> {
    while (this.traffic.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.traffic
  }

  #note(item: Traffic) {
    this.traffic.push(item)
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
