import type { DemoFacts } from '../config/demo.ts'
import type { Registry as Metrics } from 'prom-client'
import type { HubAddress } from '../broker/hub-address.ts'
import type { HubConnections } from '../broker/hub-connections.ts'
import type { Broker } from '../kernel/broker.ts'
import type { Bus } from '../kernel/bus.ts'
import type { MailQuota } from '../lib/mail/quota.ts'
import type { Events } from '../kernel/events.ts'
import type { Registry } from '../cluster/registry.ts'
import type { Limits, RateLimits } from '../http/rate-limits.ts'
import type { Identity } from '../domain/identity/identity.ts'
import type { KeyPair } from '../lib/settings/certificates.ts'
import type { Clock, Files, Log, Mail, Random } from '../kernel/ports.ts'
import type { Db } from '../kernel/db.ts'

/** Retention in days; 0 without limit. */
export interface RetentionDays {
  commands: number
  audit: number
  history: number
  visitors: number
  scans: number
  /** Counter readings and 15-minute energies; without limit if omitted, like monthly sums. */
  readings?: number
  intervals?: number
  /** Completed firmware updates; without limit if omitted. */
  ota?: number
  /** Cleared alarms; without limit if omitted. */
  alarms?: number
  /** Notifications; without limit if omitted. */
  notifications?: number
  /** Runs of scenes and automations; without limit if omitted. */
  runs?: number
}

/** Configuration of the gateway; main.ts reads it from the environment, tests construct it. */
export interface GatewayConfig {
  /** Product version, for the reference. */
  version: string
  /** Master secret, the same on every gateway of a database. */
  secret: string | Uint8Array
  /** Value that x-api-key must have on public calls. */
  apiKey: string
  /** Public URL without a trailing slash, if it cannot be derived from the request's host. */
  publicUrl?: string | undefined
  /** Contact for reports of vulnerabilities, as in SECURITY_CONTACT; none if omitted. */
  securityContact?: string | undefined
  /** Whether rights at single homes can be granted: not before every answer and message is limited to them. */
  homeGrants?: boolean
  trustProxy: false | string
  /** Serves pages, calls and the realtime channel over TLS. */
  https?: KeyPair | undefined
  /** Networks allowed for cameras although refused by default, as in CAMERA_NETWORKS; none if omitted. */
  cameraNetworks?: string | undefined
  /** Private networks allowed for notification channels, as in WEBHOOK_NETWORKS; none if omitted. */
  webhookNetworks?: string | undefined
  /** Address of LINE's Messaging API if not https://api.line.me: tests use a stub. */
  lineApi?: string | undefined
  /** Public facts of a demo; undefined for any other installation. */
  demo?: DemoFacts | undefined
  corsOrigins: readonly string[]
  /** Additional hosts of push services, as in PUSH_HOSTS; none if omitted. */
  pushHosts?: string | undefined
  /** Contact for push services: `mailto:` and an address, or a page; none if omitted. */
  pushSubject?: string | undefined
  /** Additional origins that the dashboard may connect to. */
  connectOrigins: readonly string[]
  metricsToken?: string | undefined
  /** Address for hubs, as shown by AddDevice. */
  hubAddress?: HubAddress | undefined
  limits: Limits
  /** Directory of the built dashboard; if undefined, only calls are served. */
  webDirectory?: string | undefined
  /** Maximum number of concurrent and of queued calls of one company. */
  tenantConcurrency: { running: number; waiting: number }
  retentionDays: RetentionDays
  mailQuota: MailQuota
  /** Maximum number of stored events per device; without limit if omitted. */
  maxDeviceEvents?: number
  /** Validates every result against its schema, and every change against the declaration of its call: for tests and development. */
  checkResults?: boolean | undefined
}

/** Dependencies of every feature. */
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
  /** Gateways of this database. */
  gateways: Pick<Registry, 'id' | 'others' | 'wasJustSeen'>
  /** Bus to the other gateways; omitted if there are none. */
  bus?: Bus | undefined
  /** Connections of hubs and scanners. */
  hubs: Pick<HubConnections, 'isHere' | 'findGateway'>
  /** Derives a separate key for each purpose from the master secret. */
  keyFor(purpose: string): Buffer
  /** Port on which calls are answered; 0 if there is none. */
  httpPort(): number
}
