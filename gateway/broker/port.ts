import type { Subject } from '../../contract/features.ts'

/** Who is connected: a hub of one home, or one session of one person. */
export type Client =
  | { party: 'hub'; tenant: string; homeId: string; thingName: string }
  | { party: 'screen'; tenant: string; cognitoId: string; subject: Subject }

/** What the broker asks of the rest of the gateway. */
export interface BrokerHooks {
  /** Who this is, or undefined to refuse the connection. */
  authenticate(credentials: {
    clientId: string
    username: string
    password: string
  }): Promise<Client | undefined>
  /**
   * Takes a message from a hub or screen that passed the ACL. The acknowledgement to the sender waits for it, so a
   * resolved promise means stored. Rejecting leaves the message unacknowledged, and the sender sends it again.
   */
  receive(message: { topic: string; payload: Uint8Array; client: Client; retain: boolean }): Promise<void>
  connected(client: Client): void
  /** The connection ended; `clean` when the client said goodbye. */
  disconnected(client: Client, clean: boolean): void
}

/** The realtime channel as the gateway uses it: embedded or an outside broker, same behaviour. */
export interface Broker {
  start(hooks: BrokerHooks): Promise<void>
  /** Sends to whoever may subscribe. QoS 1 resolves when the broker has taken responsibility. */
  publish(topic: string, payload: unknown, options?: { qos?: 0 | 1; retain?: boolean }): Promise<void>
  /** Ends every connection of a person or hub at once. */
  disconnect(who: { cognitoId: string } | { thingName: string }): Promise<void>
  /** Credentials for one screen connection (see ConnectRealtime). `origin` is the public base URL of the gateway. */
  credentials(
    client: Extract<Client, { party: 'screen' }>,
    clientId: string,
  ): Promise<{ url: string; username: string; password: string; expiresAt: number }>
  /** Whether messages flow. */
  healthy(): boolean
  close(): Promise<void>
}
