import type { Broker, BrokerHooks, DisconnectEvent } from '../../gateway/broker/port.ts'

/** What went through a FakeBroker, oldest first. */
export type Traffic = { topic: string; payload: unknown; qos: 0 | 1 } | { disconnected: DisconnectEvent }

/** A broker in memory that keeps what it is told and lets a test wait for it. */
export class FakeBroker implements Broker {
  readonly traffic: Traffic[] = []
  hooks: BrokerHooks | undefined
  /** Set to make every publish fail. */
  failure: Error | undefined
  /** Awaited by every publish; a test that holds it stands for a slow broker. */
  gate: Promise<void> = Promise.resolve()
  /** Whether anybody listens: a test may say that nobody does. */
  heard: (topic: string) => boolean = () => true
  /** Whether other gateways may not know yet that somebody listens. */
  justHeard: (topic: string) => boolean = () => false
  #waiting: (() => void)[] = []

  async start(hooks: BrokerHooks): Promise<void> {
    this.hooks = hooks
  }

  async publish(topic: string, payload: unknown, { qos = 1 }: { qos?: 0 | 1 } = {}): Promise<void> {
    if (this.failure) throw this.failure
    await this.gate
    this.#note({ topic, payload: structuredClone(payload), qos })
  }

  async disconnect(who: DisconnectEvent): Promise<void> {
    this.#note({ disconnected: who })
  }

  async credentials(client: { cognitoId: string }) {
    return { url: '/mqtt', username: client.cognitoId, password: 'secret-of-the-fake-broker', expiresAt: 0 }
  }

  healthy(): boolean {
    return this.failure === undefined
  }

  async close(): Promise<void> {}

  /** Payloads sent to a topic so far. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it sent
  sent(topic: string): any[] {
    return this.traffic.flatMap((item) => ('topic' in item && item.topic === topic ? [item.payload] : []))
  }

  /** Resolves with the traffic once there is so much of it. */
  async reaches(count: number): Promise<Traffic[]> {
    while (this.traffic.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.traffic
  }

  #note(item: Traffic) {
    this.traffic.push(item)
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
