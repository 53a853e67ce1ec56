import type { Db } from './db.ts'
import type { IncomingMessage, Server } from 'node:http'
import type { ChannelName } from '../../contract/index.ts'
import type { PermissionSubject } from '../../contract/kernel/permissions.ts'

export type HubClient = { party: 'hub'; tenant: string; homeId: string; thingName: string }
/** A scanner at a door of one home. */
export type ScannerClient = { party: 'scanner'; tenant: string; homeId: string; thingName: string }
export type ScreenClient = {
  party: 'screen'
  tenant: string
  cognitoId: string
  subject: PermissionSubject
  /** The sign-in that opened the connection. */
  sessionId?: string
  /** Expiry of the credentials, epoch ms. */
  expiresAt?: number
}
/** Connections to end: those of a hub, of a person, or of some of the person's sign-ins. */
export type DisconnectEvent = { cognitoId: string; sessions?: readonly string[] } | { thingName: string }

/** A client with a permanent account: a hub or a scanner. */
export type ThingClient = HubClient | ScannerClient
export interface BrokerConnection {
  readonly clientId: string
  /** Closes the connection without its last will: the hub reconnects, here or at another gateway. */
  disconnect(): void
}

/** Reason for the end of a hub's or scanner's connection. */
export interface CloseReason {
  /** The hub sent DISCONNECT, or may not reconnect: the gateway does not wait for it. */
  isFinal: boolean
  /** Silence in ms before the end: the keep-alive that ran out; 0 otherwise. */
  silentMs: number
}

/** A connected client: a hub or scanner of one home, or one session of a person. */
export type Client = ThingClient | ScreenClient

/** Reason for a refusal by the ACL; label of the refusal counter. */
export type ConnectRefusal =
  | 'share'
  | 'wildcard'
  | 'unknown-topic'
  | 'tenant'
  | 'party'
  | 'home'
  | 'thing'
  | 'person'
  | 'permission'
  /** The payload is not JSON, or has too many levels or values. */
  | 'malformed'

/** A topic parsed by the contract: its family and the values of the placeholders. */
export interface TopicMatch {
  name: ChannelName
  values: Record<string, string>
}

/** A message that passed the ACL. */
export interface ReceivedMessage {
  topic: string
  match: TopicMatch
  payload: Uint8Array
  client: Client
  /** Always false: retained messages of clients are refused. */
  retain: boolean
}

/** Callbacks of the broker into the rest of the gateway. */
export interface BrokerHooks {
  /** The hub or scanner with these credentials; undefined refuses the connection. */
  authenticate(credentials: {
    clientId: string
    username: string
    password: string
    /** Remote address, if the broker knows it. */
    address?: string | undefined
  }): Promise<ThingClient | undefined>
  /** The person whom a grant lets open a screen's connection, with current rights; undefined refuses it. */
  authenticateScreen(grant: ScreenGrant): Promise<ScreenClient | undefined>
  /** Company of a hub or scanner; undefined if it does not exist. Called before a screen sees a shadow. */
  findTenant(thingName: string): Promise<string | undefined>
  /** Valid sign-ins by person; undefined if another user pool manages them. */
  findSessions?(cognitoIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]> | undefined>
  /** Whether each client may stay connected: same identity and rights as when it connected. A person is notified of a revocation. */
  checkAuthorized?(clients: readonly Client[]): Promise<readonly boolean[]>
  /**
   * Receives a message from a hub or screen that passed the ACL. The acknowledgement waits for it, so a resolved
   * promise means stored. Rejecting with UNAVAILABLE makes the broker hold the message and retry; after any other
   * rejection it stays unacknowledged, and the sender sends it again. `malformed` if the payload could not be parsed.
   */
  receive(message: ReceivedMessage): Promise<void | 'malformed'>
  /** Called when the ACL rejects a message; nothing of it was stored. */
  onRejected?(client: Client, reason: ConnectRefusal): void
  /** Called after authentication of a hub or scanner. CONNACK waits for the returned promise. */
  onConnected?(client: ThingClient, connection: BrokerConnection): Promise<void> | undefined
  /**
   * Called when a connection of a hub or scanner has ended; may be called again. After a cut, the hub has time to
   * reconnect.
   *
   * returns  isLast: its hub has no other connection, at any gateway
   */
  onDisconnected?(
    client: ThingClient,
    connection: BrokerConnection,
    reason: CloseReason,
  ): Promise<{ isLast: boolean }>
  /** Called before a subscription; SUBACK waits for the returned promise. */
  beforeSubscribe?(client: Client, filter: string): Promise<void> | undefined
  /** Called after a subscription. */
  onSubscribed?(client: Client, filter: string): void
  /** Called after UNSUBSCRIBE, and when the connection ends. */
  onUnsubscribed?(client: Client, filter: string): void
}

export interface PublishOptions {
  qos?: 0 | 1
  /** Publishes only to subscribers at this gateway; by default to those of all gateways. */
  scope?: 'local'
  /** Company of the message, if the topic does not contain it. */
  tenant?: string
}

/** The realtime channel as the gateway uses it. */
export interface Broker {
  start(hooks: BrokerHooks): Promise<void>
  /**
   * Publishes to all authorized subscribers, at this gateway and others. With QoS 1 it resolves when the broker has
   * stored the message.
   *
   * errors    UNAVAILABLE if the broker cannot store it
   */
  publish(topic: string, payload: unknown, options?: PublishOptions): Promise<void>
  /** Whether a client subscribes to this topic now, here or elsewhere; if absent, unknown. */
  hasSubscribers?(topic: string): boolean
  /** Whether a local client subscribed to this topic so recently that other gateways may not know it yet. */
  hasRecentSubscriber?(topic: string): boolean
  /** Ends all matching connections at this gateway. A person receives the reason for one more second, and nothing else. */
  disconnect(target: DisconnectEvent): Promise<void>
  /** Ends the connections, of one person or hub or of all, that the database would no longer authorize. Never fails: it retries. */
  reauthorize?(target?: { cognitoId: string } | { thingName: string }): Promise<void>
  /**
   * Credentials for one screen connection (see ConnectRealtime), valid until they expire and for this clientId only.
   * `url` is absolute, or a path on the gateway's own address.
   */
  credentials(
    person: { tenant: string; cognitoId: string; sessionId?: string },
    clientId: string,
  ): Promise<{ url: string; username: string; password: string; expiresAt: number }>
  /**
   * Accepts screens' WebSocket connections at /mqtt of the gateway's own server.
   *
   * addressOf  address of the client, for the limit per address
   */
  attach?(server: Server, addressOf?: (request: IncomingMessage) => string): void
  /** Stops accepting hubs, and disconnects the connected ones in batches: they reconnect at another gateway. */
  drain?(): Promise<void>
  /** Accepts hubs again after `drain`. Errors: a port is in use. */
  acceptHubs?(): Promise<void>
  /** Whether the broker is running. */
  isRunning(): boolean
  close(): Promise<void>
}

/** Grant to open a screen's connection: a sign-in of a person. Their rights are read on connecting. */
export interface ScreenGrant {
  tenant: string
  cognitoId: string
  sessionId: string
  /** Epoch ms. */
  issuedAt: number
  expiresAt: number
}

/** A hub or scanner that connected or disconnected, at an epoch ms. */
export interface ConnectionChange {
  thingName: string
  at: number
  /** Whether the connection ended because its gateway ended. */
  hasGatewayEnded?: boolean
}

/** Writes in a transaction that hubs, or scanners, went online or offline; the caller calls the result after the commit. */
export type WritePresence = (
  tx: Db,
  changes: readonly ConnectionChange[],
  online: boolean,
) => Promise<() => void>
