import type { IncomingMessage, Server } from 'node:http'
import type { ChannelName } from '../../contract/index.ts'
import type { PermissionSubject } from '../../contract/kernel/permissions.ts'
import type { ScreenGrant } from './screen-tokens.ts'

export type HubClient = { party: 'hub'; tenant: string; homeId: string; thingName: string }
/** A scanner at a door of one home. */
export type ScannerClient = { party: 'scanner'; tenant: string; homeId: string; thingName: string }
export type ScreenClient = {
  party: 'screen'
  tenant: string
  cognitoId: string
  subject: PermissionSubject
  /** The sign-in that it belongs to. */
  sessionId?: string
  /** When what it connected with ends, epoch ms. */
  expiresAt?: number
}
/** Whose connections end: those of a hub, of a person, or of some of the person's sign-ins. */
export type DisconnectEvent = { cognitoId: string; sessions?: readonly string[] } | { thingName: string }

/** What has an account of its own that lasts: a hub or a scanner. */
export type ThingClient = HubClient | ScannerClient
/** One connection that the broker has. */
export interface BrokerConnection {
  readonly clientId: string
  /** Ends it without a word, no last will: its hub comes back, here or at another gateway. */
  drop(): void
}

/** How a connection of a hub or scanner ended. */
export interface CloseReason {
  /** It said goodbye (DISCONNECT), or may not come back: it is not waited for. */
  final: boolean
  /** For so long nothing had been heard of it, ms: its keep-alive ran out. */
  unheard: number
}

/** Who is connected: a hub or scanner of one home, or one session of one person. */
export type Client = ThingClient | ScreenClient

/** Why the broker says no; the label of its refusal counter. */
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

/** A topic read by the contract: its family and what stands in the placeholders. */
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

/** What the broker asks of the rest of the gateway. */
export interface BrokerHooks {
  /** Which hub or scanner this is, or undefined to refuse the connection. */
  authenticate(credentials: {
    clientId: string
    username: string
    password: string
    /** Where the connection comes from, as far as the broker knows it. */
    address?: string | undefined
  }): Promise<ThingClient | undefined>
  /** Who may open a screen's connection by what was granted, as of now; undefined for one who may not. */
  screenOf(grant: ScreenGrant): Promise<ScreenClient | undefined>
  /** The company a hub or scanner belongs to, or undefined when there is none; asked before a screen sees a shadow. */
  tenantOf(thingName: string): Promise<string | undefined>
  /** The sign-ins of these people that stand; undefined where they are another pool's business. */
  sessionsOf?(cognitoIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]> | undefined>
  /** Whether each of these clients may stay connected: it is still who it was, and may what it might. A person hears why not. */
  standing?(clients: readonly Client[]): Promise<readonly boolean[]>
  /**
   * Takes a message from a hub or screen that passed the ACL. The acknowledgement to the sender waits for it, so a
   * resolved promise means stored. Rejecting with UNAVAILABLE makes the broker hold the message and try again;
   * any other rejection leaves it unacknowledged, and the sender sends it again. `malformed` if nothing of it could be read.
   */
  receive(message: ReceivedMessage): Promise<void | 'malformed'>
  /** A hub published where it may not, and nothing of it was taken. */
  turnedAway?(client: Client, reason: ConnectRefusal): void
  /** A hub or scanner proved who it is: from now on it is connected. Its welcome waits for what is answered. */
  came?(client: ThingClient, connection: BrokerConnection): Promise<void> | undefined
  /**
   * A connection of a hub or scanner ended; may be said again. One that was cut is waited for.
   *
   * returns  last: its hub has no other one, at any gateway
   */
  went?(client: ThingClient, connection: BrokerConnection, ending: CloseReason): Promise<{ last: boolean }>
  /** Somebody is about to hear this filter: the answer to the subscription waits for it. */
  subscribing?(client: Client, filter: string): Promise<void> | undefined
  /** A client subscribed and hears this filter from now on. */
  subscribed?(client: Client, filter: string): void
  /** It hears it no more. */
  unsubscribed?(client: Client, filter: string): void
}

export interface PublishOptions {
  qos?: 0 | 1
  /** Only to whoever hears it at this gateway; left out, at any. */
  reach?: 'here'
  /** The company it is of, where the topic does not say so. */
  tenant?: string
}

/** The realtime channel as the gateway uses it. */
export interface Broker {
  start(hooks: BrokerHooks): Promise<void>
  /**
   * Sends to whoever may subscribe, at this gateway and at others. QoS 1 resolves when the broker has taken responsibility.
   *
   * errors    UNAVAILABLE when the broker cannot take it
   */
  publish(topic: string, payload: unknown, options?: PublishOptions): Promise<void>
  /** Whether anybody would hear this topic now, here or elsewhere; left out, it is not known. */
  heard?(topic: string): boolean
  /** Whether somebody here hears this topic since so lately that other gateways may not know of it yet. */
  justHeard?(topic: string): boolean
  /** Ends every such connection at this gateway. A person hears why for a second more, and nothing else. */
  disconnect(who: DisconnectEvent): Promise<void>
  /** Ends those of these connections, or of all, which the database would not let in today. Never fails: it tries again. */
  review?(who?: { cognitoId: string } | { thingName: string }): Promise<void>
  /**
   * Credentials for one screen connection (see ConnectRealtime), good until they expire and for this clientId only. `url`
   * is absolute, or a path on the gateway's own address.
   */
  credentials(
    person: { tenant: string; cognitoId: string; sessionId?: string },
    clientId: string,
  ): Promise<{ url: string; username: string; password: string; expiresAt: number }>
  /**
   * Takes screens' WebSocket connections at /mqtt of the gateway's own server.
   *
   * addressOf  who is behind a connection, for the limit per address
   */
  attach?(server: Server, addressOf?: (request: IncomingMessage) => string): void
  /** Takes no more hubs, and ends the connections of those that are here bit by bit: they come to another gateway. */
  drain?(): Promise<void>
  /** After `drain`: takes hubs again where it did. Errors: when a port is taken by somebody else. */
  takeHubs?(): Promise<void>
  /** Whether messages flow. */
  healthy(): boolean
  close(): Promise<void>
}
