import type { IncomingMessage, Server } from 'node:http'
import type { ChannelName } from '../../contract/index.ts'
import type { Subject } from '../../contract/features.ts'

export type HubClient = { party: 'hub'; tenant: string; homeId: string; thingName: string }
/** A scanner at a door of one home. */
export type ScannerClient = { party: 'scanner'; tenant: string; homeId: string; thingName: string }
export type ScreenClient = {
  party: 'screen'
  tenant: string
  cognitoId: string
  subject: Subject
  /** The sign-in that it belongs to. */
  sessionId?: string
  /** When what it connected with ends, epoch ms; undefined where an outside broker sees to that. */
  expiresAt?: number
}
/** Whose connections end: those of a hub, of a person, or of some of the person's sign-ins. */
export type Disconnected = { cognitoId: string; sessions?: readonly string[] } | { thingName: string }

/** What has an account of its own that lasts: a hub or a scanner. */
export type ThingClient = HubClient | ScannerClient
/** Who is connected: a hub or scanner of one home, or one session of one person. */
export type Client = ThingClient | ScreenClient

/** A topic read by the contract: its family and what stands in the placeholders. */
export interface TopicMatch {
  name: ChannelName
  values: Record<string, string>
}

/** A message that passed the ACL. */
export interface Received {
  topic: string
  match: TopicMatch
  payload: Uint8Array
  client: Client
  /** Always false: retained messages of clients are refused. */
  retain: boolean
}

/** What the database says about accounts that an outside broker keeps. */
export interface OutsideAccounts {
  /** Names of all hubs and scanners there are. */
  hubs(): Promise<string[]>
  /** The rights of those of these people who may sign in. */
  people(cognitoIds: readonly string[]): Promise<Map<string, Subject>>
  /** Hubs and scanners whose secret the broker may not know yet, or one of them. */
  enrolments(thingName?: string): Promise<{ hub: ThingClient; secret: string }[]>
  /** The broker knows this secret of a hub. */
  enrolled(thingName: string, secret: string): Promise<void>
}

/** What the broker asks of the rest of the gateway. */
export interface BrokerHooks {
  /** Who this is, or undefined to refuse the connection. Asked for hubs; screens carry the broker's own credentials. */
  authenticate(credentials: {
    clientId: string
    username: string
    password: string
  }): Promise<Client | undefined>
  /** The company a hub or scanner belongs to, or undefined when there is none; asked before a screen sees a shadow. */
  tenantOf(thingName: string): Promise<string | undefined>
  /** The hubs of a company; an outside broker must be told whose shadows a screen may see. */
  thingsOf?(tenant: string): Promise<string[]>
  /** Who a person is now, or undefined for one who may not sign in; asked where a message must prove its sender. */
  personOf?(cognitoId: string): Promise<{ tenant: string; subject: Subject } | undefined>
  /** The sign-ins of these people that stand; undefined where they are another pool's business. */
  sessionsOf?(cognitoIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]> | undefined>
  /** An outside broker keeps accounts, which must follow the database. */
  accounts?: OutsideAccounts
  /**
   * Takes a message from a hub or screen that passed the ACL. The acknowledgement to the sender waits for it, so a
   * resolved promise means stored. Rejecting with UNAVAILABLE makes the broker hold the message and try again;
   * any other rejection leaves it unacknowledged, and the sender sends it again.
   */
  receive(message: Received): Promise<void>
  connected(client: Client): void
  /** The last connection of a hub, or one of a person, ended; `clean` when the client said goodbye. */
  disconnected(client: Client, clean: boolean): void
  /** A client subscribed and hears this filter from now on; an outside broker does not tell. */
  subscribed?(client: Client, filter: string): void
}

/** The realtime channel as the gateway uses it: embedded or an outside broker, same behaviour. */
export interface Broker {
  /** It keeps the secrets of hubs itself, so they must be kept for it until it knows them. */
  readonly keepsAccounts?: boolean
  /** It passes a screen's status/request on to hubs itself; else they hear of it from the gateway. */
  readonly passesOn?: boolean
  start(hooks: BrokerHooks): Promise<void>
  /**
   * Sends to whoever may subscribe. QoS 1 resolves when the broker has taken responsibility.
   *
   * errors    UNAVAILABLE when the broker cannot take it
   */
  publish(topic: string, payload: unknown, options?: { qos?: 0 | 1; retain?: boolean }): Promise<void>
  /** Whether anybody would hear this topic now; an outside broker does not tell. */
  heard?(topic: string): boolean
  /**
   * Ends every such connection, forgets their sessions and screen credentials. A person hears why for a second more, and with
   * the embedded broker nothing else.
   */
  disconnect(who: Disconnected): Promise<void>
  /**
   * Makes a hub's new secret known. The embedded broker asks `authenticate` instead and does nothing here; an outside
   * broker keeps the credentials itself, so call it when a hub is added and when its secret is rotated. While it is away
   * the secret waits in `accounts`.
   */
  enrol(hub: ThingClient, secret: string): Promise<void>
  /**
   * Credentials for one screen connection (see ConnectRealtime), good until they expire and for this clientId only. `url`
   * is absolute, or a path on the gateway's own address; `proof` is what commands must carry where the broker does not
   * say who sent them.
   */
  credentials(
    client: ScreenClient,
    clientId: string,
  ): Promise<{ url: string; username: string; password: string; expiresAt: number; proof?: string }>
  /**
   * Takes screens' WebSocket connections at /mqtt of the gateway's own server; an outside broker has its own address.
   *
   * addressOf  who is behind a connection, for the limit per address
   */
  attach?(server: Server, addressOf?: (request: IncomingMessage) => string): void
  /** Whether messages flow. */
  healthy(): boolean
  close(): Promise<void>
}
