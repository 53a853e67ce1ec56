import { hkdfSync, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { isLoopback } from '../http/caller-address.ts'
import { SIGN_UP_MODES } from '../domain/identity/identity.ts'
import { readPushHosts } from '../domain/notifications/push-hosts.ts'
import { readNetworks } from '../lib/network.ts'
import { readSecretFiles } from '../lib/settings/secret-files.ts'
import { readDatabaseUrl, urlWithPassword } from '../store/database-hosts.ts'

const Port = z.coerce.number().int().min(0).max(65_535)
const Text = z.string().trim().min(1)
const Url = z.url().transform((url) => url.replace(/\/+$/, ''))

/** "100/500": requests per second, and maximum burst; "0" for no limit. */
const Rate = z
  .string()
  .regex(/^\d+(\.\d+)?(\/\d+)?$/, 'must read like 100/500 (per second/at once), or 0 for no limit')
  .transform((text) => {
    const [perSecond = 0, burst] = text.split('/').map(Number)
    return { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond * 5)) }
  })

/** "1000/5000": emails per hour, and per 24 hours; 0 for no limit. */
const MailLimit = z
  .string()
  .regex(/^\d+\/\d+$/, 'must read like 1000/5000 (in an hour/in 24 hours); 0 for no limit')
  .transform((text) => {
    const [hour = 0, day = 0] = text.split('/').map(Number)
    return { maxPerHour: hour, maxPerDay: day }
  })

const reads = (read: (text: string) => unknown) => (text: string) => {
  try {
    read(text)
    return true
  } catch {
    return false
  }
}
const isNetworkList = reads(readNetworks)

const isProxyList = (text: string) => text === 'true' || text === 'false' || isNetworkList(text)

/** "nats://a:4222,b:4222": one scheme, followed by all hosts. */
const isBusUrl = (text: string) => /^(nats|tls):\/\/[^\s,/@]+(,[^\s,/@]+)*$/.test(text)

/** PostgreSQL connection string; error messages do not repeat it. */
const DatabaseUrl = Text.superRefine((text, { addIssue }) => {
  try {
    readDatabaseUrl(text)
  } catch (error) {
    addIssue((error as Error).message)
  }
})

/** Retention in days; 0 for no limit. */
const Days = z.coerce.number().min(0).max(36_500)

const MIN_SECRET_LENGTH = 16

/** All environment variables of the gateway. */
const Environment = z.object({
  PORT: Port.default(8080),
  HOST: Text.default('0.0.0.0'),
  DATA_DIR: Text.default('./.data'),
  FILES_DIR: Text.optional(),
  DATABASE_URL: DatabaseUrl.optional(),
  DATABASE_PASSWORD: Text.optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
  PG_BIN: Text.optional(),
  PUBLIC_URL: Url.optional(),
  SECURITY_CONTACT: Text.regex(
    /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*)$/,
    'must be mailto: and an address, or an https: page',
  ).optional(),
  SIGN_UP: z.enum(SIGN_UP_MODES).default('first'),
  DEMO: z.enum(['true', 'false']).default('false'),
  DEMO_ACCOUNTS: Text.optional(),
  DEMO_PASSWORD: Text.optional(),
  DEMO_CLOCK_AHEAD_MS: z.coerce.number().int().default(0),
  WEB_DIR: Text.transform((path) => resolve(path)).optional(),
  TRUST_PROXY: Text.default('false').refine(
    isProxyList,
    'must be true, false, or addresses and networks separated by commas',
  ),
  CAMERA_NETWORKS: Text.refine(
    isNetworkList,
    'must be addresses and networks separated by commas',
  ).optional(),
  WEBHOOK_NETWORKS: Text.refine(
    isNetworkList,
    'must be addresses and networks separated by commas',
  ).optional(),
  CORS_ORIGINS: Text.optional(),
  PUSH_HOSTS: Text.refine(
    reads(readPushHosts),
    'must be hosts of push services separated by commas, as push.example.com:8443',
  ).optional(),
  HTTPS_CERT: Text.optional(),
  HTTPS_KEY: Text.optional(),
  MQTT_HOST: Text.optional(),
  MQTT_PORT: Port.default(1883),
  MQTT_TLS_PORT: Port.default(8883),
  MQTT_TLS_CERT: Text.optional(),
  MQTT_TLS_KEY: Text.optional(),
  HUB_PROXIES: Text.refine(isNetworkList, 'must be addresses and networks separated by commas').optional(),
  HUB_URL: z.url({ protocol: /^mqtts?$/ }).optional(),
  BUS_URL: Text.refine(isBusUrl, 'must be nats:// or tls:// and hosts separated by commas').optional(),
  BUS_NKEY: Text.optional(),
  BUS_CA: Text.optional(),
  BUS_CERT: Text.optional(),
  BUS_KEY: Text.optional(),
  SECRET: z.string().min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`).optional(),
  API_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: Text.default('no-reply@localhost'),
  COGNITO_USER_POOL_ID: Text.optional(),
  COGNITO_CLIENT_ID: Text.optional(),
  COGNITO_IDENTITY_POOL_ID: Text.optional(),
  COGNITO_ENDPOINT: Url.optional(),
  S3_BUCKET: Text.optional(),
  S3_REGION: Text.default('us-east-1'),
  S3_ENDPOINT: Url.optional(),
  S3_ACCESS_KEY_ID: Text.optional(),
  S3_SECRET_ACCESS_KEY: Text.optional(),
  S3_PREFIX: Text.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  RATE_ADDRESS: Rate.prefault('200/1000'),
  RATE_USER: Rate.prefault('50/300'),
  RATE_TENANT: Rate.prefault('300/2000'),
  RATE_AUTH: Rate.prefault('5/100'),
  MAILS_COMPANY: MailLimit.prefault('1000/5000'),
  MAILS_RECIPIENT: MailLimit.prefault('10/40'),
  KEEP_COMMANDS: Days.default(90),
  KEEP_AUDIT: Days.default(730),
  KEEP_VISITORS: Days.default(90),
  KEEP_SCANS: Days.default(365),
  KEEP_HISTORY: Days.default(400),
  KEEP_OTA: Days.default(400),
  KEEP_RUNS: Days.default(90),
  KEEP_ALARMS: Days.default(400),
  KEEP_NOTIFICATIONS: Days.default(90),
  MAX_DEVICE_EVENTS: z.coerce.number().int().min(0).default(100_000),
  KEEP_READINGS: Days.default(0),
  KEEP_INTERVALS: Days.default(0),
})

/** Configuration as the gateway uses it. */
export type Config = Omit<
  z.output<typeof Environment>,
  'FILES_DIR' | 'SECRET' | 'API_KEY' | 'TRUST_PROXY' | 'CORS_ORIGINS' | 'DATABASE_PASSWORD'
> & {
  /** Directory for images and firmware, unless they are in an S3_BUCKET. */
  FILES_DIR: string
  SECRET: string
  API_KEY: string
  TRUST_PROXY: string | false
  CORS_ORIGINS: string[]
  /** Ids of the built-in user pool and its client; derived from the secret, so that all gateways of one installation agree. */
  POOL_ID: string
  POOL_CLIENT_ID: string
}

/** Invalid settings, one per line. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables. Without SECRET, generates one in DATA_DIR/secret, readable by its owner only, and
 * uses it from then on.
 *
 * errors    ConfigError naming every invalid variable and the reason, never its value
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const { values, errors } = readSecretFiles(environment)
  const parsed = Environment.safeParse(values)
  if (!parsed.success)
    errors.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  for (const [one, other] of TOGETHER)
    if ((values[one] === undefined) !== (values[other] === undefined))
      errors.push(`${one} and ${other} must be set together`)
  if (values.FILES_DIR !== undefined && values.S3_BUCKET !== undefined)
    errors.push('FILES_DIR: is not for pictures and firmware in an S3_BUCKET; set one of both')
  for (const name of FORMER)
    if (values[name] !== undefined)
      errors.push(`${name}: gateways are their own brokers; see docs/operating/several-gateways.md`)
  if (values.BUS_URL !== undefined)
    for (const [names, reason] of NEEDED_BY_SEVERAL)
      if (names.every((name) => values[name] === undefined))
        errors.push(`${names.join(' or ')}: is needed with BUS_URL: ${reason}`)
  const url = values.DATABASE_URL?.trim()
  const databaseUrl = urlWithPassword(url, values.DATABASE_PASSWORD)
  if (values.DATABASE_PASSWORD !== undefined && databaseUrl === url)
    errors.push('DATABASE_PASSWORD: is for a DATABASE_URL that names a user and has no password itself')
  // A client that reaches the gateway directly could forge its address.
  if (values.TRUST_PROXY === 'true' && !isLoopback(values.HOST ?? ''))
    errors.push(
      'TRUST_PROXY: true is for HOST=127.0.0.1 alone; name the addresses or networks of the proxies',
    )
  if (!parsed.success || errors.length) throw new ConfigError(`Configuration:\n  ${errors.join('\n  ')}`)
  const { DATABASE_PASSWORD: _, ...data } = parsed.data
  const DATA_DIR = resolve(data.DATA_DIR)
  const SECRET = data.SECRET ?? ownSecret(DATA_DIR)
  const name = (use: string, length: number) => derivedName(SECRET, use, length)
  return {
    ...data,
    DATABASE_URL: databaseUrl,
    DATA_DIR,
    FILES_DIR: data.FILES_DIR === undefined ? join(DATA_DIR, 'images') : resolve(data.FILES_DIR),
    SECRET,
    API_KEY: data.API_KEY ?? name('api-key', 32),
    POOL_ID: `local_${name('pool', 8)}`,
    POOL_CLIENT_ID: name('pool-client', 26),
    TRUST_PROXY: data.TRUST_PROXY !== 'false' && data.TRUST_PROXY.replace(/^true$/, 'loopback'),
    CORS_ORIGINS: data.CORS_ORIGINS?.split(',').map((origin) => origin.trim()) ?? [],
  }
}

/** Variables of the removed external MQTT broker mode. */
const FORMER = ['MQTT_URL', 'MQTT_PUBLIC_URL', 'MQTT_SHARED'] as const

/** Settings that several gateways must share. */
const NEEDED_BY_SEVERAL = [
  [['DATABASE_URL'], 'several gateways share a database'],
  [['S3_BUCKET', 'FILES_DIR'], 'a picture that one gateway took must be found by the others'],
  [['SECRET'], 'it must be the same at each of them'],
  [['PUBLIC_URL'], 'browsers reach them all at one address'],
] as const

const TOGETHER = [
  ['HTTPS_CERT', 'HTTPS_KEY'],
  ['MQTT_TLS_CERT', 'MQTT_TLS_KEY'],
  ['BUS_CERT', 'BUS_KEY'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['COGNITO_USER_POOL_ID', 'COGNITO_CLIENT_ID'],
] as const

/** Directories that store data: DATA_DIR if needed, and FILES_DIR if it is outside of it. */
export function directoriesOf({ DATA_DIR, FILES_DIR, DATABASE_URL, S3_BUCKET }: Config): {
  DATA_DIR?: string
  FILES_DIR?: string
} {
  const hasFiles = S3_BUCKET === undefined
  const isBelow = FILES_DIR.startsWith(`${DATA_DIR}${sep}`)
  return {
    ...((DATABASE_URL === undefined || (hasFiles && isBelow)) && { DATA_DIR }),
    ...(hasFiles && !isBelow && { FILES_DIR }),
  }
}

/**
 * Creates DATA_DIR if needed, unreadable for other accounts of this machine, like all files that this process creates from then on. A
 * separate FILES_DIR must exist: an empty directory would hide a missing mount.
 *
 * errors    ConfigError if one of them is not writable
 */
export function makeDataDir(config: Config): void {
  const { DATA_DIR, FILES_DIR } = directoriesOf(config)
  if (FILES_DIR !== undefined)
    try {
      accessSync(FILES_DIR, constants.W_OK | constants.X_OK)
    } catch (error) {
      throw notWritten({ FILES_DIR }, error as NodeJS.ErrnoException)
    }
  if (DATA_DIR === undefined) return
  try {
    // Only the main thread may set it.
    if (isMainThread) process.umask(0o077)
    mkdirSync(DATA_DIR, { recursive: true, mode: DATA_DIR_MODE })
    // Tightens a directory created by an earlier version; directories of other owners are not changed.
    if (existsSync(join(DATA_DIR, 'pg')) && statSync(DATA_DIR).uid === process.getuid?.())
      chmodSync(DATA_DIR, DATA_DIR_MODE)
    // Detects a read-only file system, for root too.
    accessSync(DATA_DIR, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw notWritten({ DATA_DIR }, error as NodeJS.ErrnoException)
  }
}

/** As root, the database server's account may traverse the directory, but not list it. */
const DATA_DIR_MODE = process.getuid?.() === 0 ? 0o711 : 0o700

function notWritten(setting: Record<string, string>, { code = '' }: NodeJS.ErrnoException): ConfigError {
  const [[name, path] = []] = Object.entries(setting)
  return new ConfigError(`Configuration:\n  ${name}: ${path} cannot be written (${code})`)
}

function ownSecret(dataDir: string): string {
  const path = join(dataDir, 'secret')
  try {
    mkdirSync(dataDir, { recursive: true, mode: DATA_DIR_MODE })
    // Flushed to disk before anything is encrypted with it.
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw notWritten({ DATA_DIR: dataDir }, error as NodeJS.ErrnoException)
  }
  const secret = readFileSync(path, 'utf8').trim()
  // A full disk leaves an empty file, and an empty secret is no secret.
  if (secret.length < MIN_SECRET_LENGTH)
    throw new ConfigError(`Configuration:\n  ${path}: holds no secret; restore it, or delete it if it is new`)
  return secret
}

/** Derives lower-case letters and digits from the secret without revealing it. */
function derivedName(secret: string, use: string, length: number): string {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', `name:${use}`, length))
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('')
}

/** Public base URL of the gateway, without a trailing slash. */
export const baseUrlOf = (config: Config): string =>
  config.PUBLIC_URL ?? `${schemeOf(config)}://localhost:${config.PORT}`

/** Scheme of the gateway's own address. */
export const schemeOf = ({ HTTPS_CERT }: Pick<Config, 'HTTPS_CERT'>): 'http' | 'https' =>
  HTTPS_CERT === undefined ? 'http' : 'https'
