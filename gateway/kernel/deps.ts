import type { FastifyInstance } from 'fastify'
import type { Registry as Metrics } from 'prom-client'
import type {
  ChannelName,
  procedures,
  ProcedureFamily,
  ResourceName,
  resources,
} from '../../contract/index.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { HubAddress } from '../broker/open.ts'
import type { WritePresence } from '../broker/hub-connection-rows.ts'
import type { HubConnections } from '../broker/hub-connections.ts'
import type { Broker, Client, ReceivedMessage, ConnectRefusal, ThingClient } from '../broker/port.ts'
import type { BusResponse, Bus, BusRequest } from '../bus/port.ts'
import type { Handler } from './context.ts'
import type { MailQuota } from '../lib/mail/quota.ts'
import type { Events } from './events.ts'
import type { Registry } from '../cluster/registry.ts'
import type { Limits, RateLimits } from '../http/rate-limits.ts'
import type { Identity } from '../domain/identity/identity.ts'
import type { KeyPair } from '../lib/settings/certificates.ts'
import type { Clock, Files, Log, Mail, Random } from './ports.ts'
import type { Db } from '../store/db.ts'

/** Days that things are kept; 0 without limit. */
export interface RetentionDays {
  commands: number
  audit: number
  history: number
  visitors: number
  scans: number
  /** Counter readings and 15-minute energies; without limit when left out, as the sums of months are. */
  readings?: number
  intervals?: number
  /** Firmware updates that have ended; without limit when left out. */
  ota?: number
  /** Alarms that were cleared; without limit when left out. */
  alarms?: number
  /** What people were told; without limit when left out. */
  notifications?: number
  /** Runs of scenes and automations; without limit when left out. */
  runs?: number
}

/** What the configuration decides; main.ts reads it from the environment, tests write it down. */
export interface GatewayConfig {
  /** Of the product, for the reference. */
  version: string
  /** Master secret, the same on every gateway of a database. */
  secret: string | Uint8Array
  /** What x-api-key must be on public calls. */
  apiKey: string
  /** Where browsers reach the gateway, without a slash at the end, when the request's host does not say it. */
  publicUrl?: string | undefined
  /** Contact for reports of vulnerabilities, as SECURITY_CONTACT has it; none when left out. */
  securityContact?: string | undefined
  trustProxy: false | string
  /** Serves pages, calls and the realtime channel over TLS. */
  https?: KeyPair | undefined
  /** Networks that cameras may be in though the gateway refuses them else, as CAMERA_NETWORKS has them; none when left out. */
  cameraNetworks?: string | undefined
  /** Private networks that notification channels may be in, as WEBHOOK_NETWORKS has them; none when left out. */
  webhookNetworks?: string | undefined
  /** Where LINE's Messaging API is, when it is not at https://api.line.me: tests have a stand-in. */
  lineApi?: string | undefined
  /** Its company is the demo's: browsers offer a tour of it. */
  isDemo?: boolean | undefined
  corsOrigins: readonly string[]
  /** Hosts of push services besides the known ones, as PUSH_HOSTS has them; none when left out. */
  pushHosts?: string | undefined
  /** Whom push services may turn to: `mailto:` and an address, or a page; nobody when left out. */
  pushSubject?: string | undefined
  /** Further origins that the dashboard may connect to. */
  connectOrigins: readonly string[]
  metricsToken?: string | undefined
  /** Where hubs connect, as AddDevice shows it. */
  hubAddress?: HubAddress | undefined
  limits: Limits
  /** The built dashboard; undefined serves calls only. */
  webDirectory?: string | undefined
  /** Calls of one company at work at a time, and in line. */
  tenantConcurrency: { running: number; waiting: number }
  keepDays: RetentionDays
  mailQuota: MailQuota
  /** The most that is kept of what happened at one device; no limit when left out. */
  maxDeviceEvents?: number
  /** Check every result by its schema, and every change by what its call declares: for tests and development. */
  checkResults?: boolean | undefined
}

/** What every feature is given. */
export interface Deps {
  db: Db
  broker: Broker
  clock: Clock
  random: Random
  files: Files
  mail: Mail
  log: Log
  metrics: Metrics
  events: Events
  config: GatewayConfig
  identity: Identity
  limits: RateLimits
  /** The gateways of this database. */
  gateways: Pick<Registry, 'id' | 'others' | 'wasJustSeen'>
  /** The way to the others; left out where there are none. */
  bus?: Bus | undefined
  /** Where hubs and scanners are connected. */
  hubs: Pick<HubConnections, 'isHere' | 'whereIs'>
  /** A key of its own for each purpose, derived from the master secret. */
  keyFor(purpose: string): Buffer
  /** The port that calls are answered on; 0 while there is none. */
  httpPort(): number
}

type OperationsOf<N> = (N extends ResourceName ? (typeof resources)[N]['operations'] : unknown) &
  (N extends ProcedureFamily ? (typeof procedures)[N] : unknown)

/** The handler of every call, by family and verb. */
export type AllHandlers = {
  [N in ResourceName | ProcedureFamily]: {
    [V in keyof OperationsOf<N>]: OperationsOf<N>[V] extends AnyEndpoint ? Handler<OperationsOf<N>[V]> : never
  }
}

/** Work that is done now and then whether anybody calls or not. Several gateways of a database may do it at a time. */
export interface Job {
  /** For the log. */
  name: string
  /** Milliseconds from the end of each run to the next; the first run follows the start, after about five minutes if this is longer. */
  every: number
  /**
   * Does the work at hand; ends early once `stopped`. A failure is logged, and the next run comes as usual.
   *
   * returns  milliseconds until the next run, where it is not `every`
   */
  run(stopped: () => boolean): Promise<number | void>
}

/** A part of the gateway that is whole in itself. It imports no other: features.ts hands over what it needs of one. */
export interface Feature {
  /** The calls that it answers. Every call of the contract is answered by exactly one feature. */
  handlers?: { [N in keyof AllHandlers]?: Partial<AllHandlers[N]> }
  /** The topics that it hears, each heard by one feature; a resolved promise means stored. */
  topics?: { [C in ChannelName]?: (message: ReceivedMessage) => Promise<void> }
  /** Mounts the addresses it has besides its calls. */
  addresses?(app: FastifyInstance): void
  jobs?: readonly Job[]
  /** What it tells every browser in /config.json; nothing secret. */
  webConfig?(): Promise<object>
  /** Writes that hubs, or scanners, came or went; each party is of one feature. */
  presence?: { [P in ThingClient['party']]?: WritePresence }
  /** Answers another gateway; each question is of one feature. */
  carry?(asked: BusRequest['carry']): Promise<BusResponse['carried']>
  /**
   * Sees hubs at work without taking anything: what each says before it is taken, sign-ins with the right or a wrong secret and from
   * where, and messages to where a hub may not publish. On the way of every message, so it returns at once.
   */
  watches?: {
    message(message: ReceivedMessage): void
    came(client: ThingClient): void
    rightSecret(thingName: string, address: string | undefined): void
    wrongSecret(thingName: string, address: string | undefined): void
    turnedAway(client: Client, reason: ConnectRefusal): void
  }
  /** Hears that a client subscribed to a filter. */
  subscribed?(client: Client, filter: string): void
  /** Readies what must be right before anybody connects. */
  prepare?(): Promise<void>
  /** Takes up again what was open when the gateway ended. */
  recover?(): Promise<void>
  /** Finishes what was accepted and begins nothing more. Features are closed in the reverse order of features.ts. */
  close?(): Promise<void> | void
}
