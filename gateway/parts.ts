import type { Registry } from 'prom-client'
import type { HubAddress } from './broker-choice.ts'
import type { Broker } from './broker/port.ts'
import type { Limits } from './http/rate-limits.ts'
import type { Identity } from './identity/identity.ts'
import type { Clock, Files, Log, Mail, Random } from './outsides.ts'
import type { Db } from './store/db.ts'
import type { KeepDays } from './upkeep.ts'

/** What the configuration decides; main.ts reads it from the environment, tests write it down. */
export interface AppConfig {
  /** Of the product, for the reference. */
  version: string
  /** Master secret, the same on every gateway of a database. */
  secret: string | Uint8Array
  /** What x-api-key must be on public calls. */
  apiKey: string
  /** Where browsers reach the gateway, without a slash at the end, when the request's host does not say it. */
  publicUrl?: string | undefined
  trustProxy: boolean | string
  /** Serves pages, calls and the realtime channel over TLS; PEM texts. */
  https?: { key: string | Buffer; cert: string | Buffer } | undefined
  corsOrigins: readonly string[]
  /** Further origins that the dashboard may connect to. */
  connectOrigins: readonly string[]
  metricsToken?: string | undefined
  /** Where hubs connect, as AddDevice shows it. */
  hubAddress?: HubAddress | undefined
  limits: Limits
  /** The built dashboard; undefined serves calls only. */
  webDirectory?: string | undefined
  /** Calls of one company at work at a time, and in line. */
  turns: { running: number; waiting: number }
  keepDays: KeepDays
  /** The most that is kept of what happened at one device; no limit when left out. */
  maxDeviceEvents?: number
  /** Check every result by its schema, and every change by what its call declares: for tests and development. */
  checkResults?: boolean | undefined
}

/** The user pool, ours or an outside one, as the gateway uses it. */
export interface Pool {
  identity: Identity
  /** Its keys stand at /<poolId>/.well-known/jwks.json. */
  poolId: string
}

/** What a gateway is made of: everything of the outside that it touches, and what the configuration decides. */
export interface GatewayParts {
  db: Db
  broker: Broker
  clock: Clock
  random: Random
  files: Files
  mail: Mail
  log: Log
  /** Hears what each call has changed, e.g. `/CreateRoom` and `room`: for tests. */
  onChange?: ((path: string, entity: string) => void) | undefined
  /** Makes the user pool; `onRevoked` hears of people whose sessions ended, and of which. */
  pool(onRevoked: (cognitoId: string, sessions: readonly string[]) => void): Pool
  /** Mail that waits on a page when no mail server is configured. */
  outbox?: { page(token: string): Promise<string | undefined> } | undefined
  config: AppConfig
  registry?: Registry
}
