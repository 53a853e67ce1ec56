import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { createGateway, type Gateway } from './gateway.ts'
import { hubAddress } from './broker/hub-address.ts'
import { openBroker } from './broker/embedded/open.ts'
import { type Config, makeDataDir, schemeOf } from './config/config.ts'
import { removeUnfinished } from './lib/files/disk.ts'
import { openFiles } from './lib/files/open.ts'
import { demoOf } from './config/demo.ts'
import { choosePool, outsidePoolOf } from './features/identity/choose-pool.ts'
import type { Transport } from './kernel/bus.ts'
import { installationOf } from './cluster/cluster.ts'
import { type GatewayLock, acquireGatewayLock } from './cluster/lock.ts'
import { createCertificateMetrics, watchKeyPairs } from './lib/settings/certificates.ts'
import { createLog } from './lib/log.ts'
import { createOutbox, type Outbox, createSmtpMail } from './lib/mail/outbox.ts'
import { type Clock, type Log, type Mail, shiftClock, systemClock, systemRandom } from './kernel/ports.ts'
import type { Db } from './kernel/db.ts'
import { openDb } from './store/db.ts'
import { startEmbedded } from './store/embedded.ts'
import { migrate, migrationsDirectory } from './store/migrate.ts'

export interface RunningGateway {
  gateway: Gateway
  /** Local URL, e.g. http://localhost:8080 */
  url: string
  /** URL of the page with unsent emails; undefined if SMTP_URL is set. For the console only. */
  outboxUrl: string | undefined
  /** Startup time, in ms. */
  startupMs: number
  /** Finishes accepted work and stops everything, including the embedded database. May be called twice. */
  close(): Promise<void>
}

/**
 * Starts the gateway with the configured services: database (embedded or external, migrated), broker, file store, mail and user pool.
 *
 * errors    if another gateway owns DATA_DIR or it is not writable, a port is in use, or an external server is unusable
 */
export async function startGateway(config: Config): Promise<RunningGateway> {
  const started = performance.now()
  makeDataDir(config)
  const log = createLog(config.LOG_LEVEL)
  const demo = demoOf(config)
  const clock = shiftClock(systemClock, demo?.ClockAheadMs ?? 0)
  const root = projectRoot()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const certificates = watchKeyPairs(config, { clock: systemClock, log })
  const { pairs } = certificates
  createCertificateMetrics(registry, pairs)
  const store = await openStore(config, log)
  let lock: GatewayLock | undefined
  try {
    lock = await acquireLock(config, store.db, log)
    await migrate(store.db, migrationsDirectory(import.meta.dirname), { release: versionOf(root), log })
    const { mail, outbox } = chooseMail(config, { db: store.db, clock, log })
    if (config.S3_BUCKET === undefined) await removeUnfinished(config.FILES_DIR, clock.now())
    const files = await openFiles(config)
    const gateway = await createGateway({
      db: store.db,
      broker: openBroker(config, { clock, log, registry, tls: pairs.mqtt }),
      clock,
      random: systemRandom,
      files,
      mail,
      log,
      registry,
      outbox,
      member: { name: hostname(), isAlone: !hasOthers(config), transport: await openBus(config, log) },
      pool: (onRevoked) => choosePool(config, { db: store.db, clock, mail, log, onRevoked }),
      config: {
        version: versionOf(root),
        secret: config.SECRET,
        apiKey: config.API_KEY,
        publicUrl: config.PUBLIC_URL,
        securityContact: config.SECURITY_CONTACT,
        trustProxy: config.TRUST_PROXY,
        cameraNetworks: config.CAMERA_NETWORKS,
        webhookNetworks: config.WEBHOOK_NETWORKS,
        https: pairs.https,
        demo,
        corsOrigins: config.CORS_ORIGINS,
        pushHosts: config.PUSH_HOSTS,
        pushSubject: pushSubject(config),
        connectOrigins: connectOrigins(config),
        metricsToken: config.METRICS_TOKEN,
        hubAddress: hubAddress(config),
        limits: {
          address: config.RATE_ADDRESS,
          user: config.RATE_USER,
          tenant: config.RATE_TENANT,
          auth: config.RATE_AUTH,
        },
        tenantConcurrency: { running: 32, waiting: 1000 },
        mailQuota: { company: config.MAILS_COMPANY, recipient: config.MAILS_RECIPIENT },
        retentionDays: {
          commands: config.KEEP_COMMANDS,
          audit: config.KEEP_AUDIT,
          history: config.KEEP_HISTORY,
          ota: config.KEEP_OTA,
          runs: config.KEEP_RUNS,
          alarms: config.KEEP_ALARMS,
          notifications: config.KEEP_NOTIFICATIONS,
          readings: config.KEEP_READINGS,
          intervals: config.KEEP_INTERVALS,
          visitors: config.KEEP_VISITORS,
          scans: config.KEEP_SCANS,
        },
        maxDeviceEvents: config.MAX_DEVICE_EVENTS,
        webDirectory: config.WEB_DIR ?? join(root, 'dist/web'),
      },
    })
    await Promise.all([gateway.identity.prepare(), gateway.listen(config.PORT, config.HOST)])
    const url = localUrl(gateway, schemeOf(config))
    let closing: Promise<void> | undefined
    const end = () => gateway.close().then(store.stop).then(lock?.release).finally(certificates.close)
    return {
      gateway,
      url,
      outboxUrl: outbox && `${config.PUBLIC_URL ?? url}${outbox.path}`,
      startupMs: Math.round(performance.now() - started),
      close: () => (closing ??= end()),
    }
  } catch (error) {
    certificates.close()
    await store.db.close()
    await store.stop()
    await lock?.release()
    throw error
  }
}

/** Whether other gateways may use the database, connected through the bus. */
const hasOthers = ({ BUS_URL }: Config): boolean => BUS_URL !== undefined

/** Creates the bus transport; its client is loaded only if configured. */
async function openBus(config: Config, log: Log): Promise<Transport | undefined> {
  const { BUS_URL: url, BUS_NKEY: nkey, BUS_CA: ca, BUS_CERT: cert, BUS_KEY: key, SECRET } = config
  if (url === undefined) return undefined
  const { createNatsTransport } = await import('./bus/nats.ts')
  const inbox = `bd.${installationOf(SECRET)}.reply.${Buffer.from(systemRandom.bytes(8)).toString('hex')}`
  return createNatsTransport({ url, nkey, ca, cert, key, inbox, name: hostname(), log })
}

/** Prevents a second gateway on an external database unless both are clustered; the embedded database has its own owner lock. */
async function acquireLock(config: Config, db: Db, log: Log): Promise<GatewayLock | undefined> {
  if (config.DATABASE_URL === undefined) return undefined
  return acquireGatewayLock({
    connect: db.client,
    isShared: hasOthers(config),
    clock: systemClock,
    log,
    onLost: (error) => {
      log.error({ err: error }, 'gateway shutting down')
      process.exit(1)
    },
  })
}

async function openStore(config: Config, log: ReturnType<typeof createLog>) {
  if (config.DATABASE_URL !== undefined) {
    const db = openDb({ connectionString: config.DATABASE_URL, max: config.DATABASE_POOL, log })
    return { db, stop: async () => {} }
  }
  const server = await startEmbedded({ dataDir: config.DATA_DIR, pgBin: config.PG_BIN, log })
  return {
    db: openDb({ socketDir: server.socketDir, max: config.DATABASE_POOL, log }),
    stop: () => server.stop(),
  }
}

function chooseMail(
  config: Config,
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
): { mail: Mail; outbox: Outbox | undefined } {
  if (config.SMTP_URL !== undefined)
    return { mail: createSmtpMail(config.SMTP_URL, config.MAIL_FROM), outbox: undefined }
  const outbox = createOutbox({
    db,
    clock,
    random: systemRandom,
    onNewAddress: (path) => log.warn({ path }, 'no mail server configured, emails are kept at a new address'),
  })
  return { mail: outbox, outbox }
}

/**
 * Origins that pages may connect to in addition to their own: the realtime channel at PUBLIC_URL, and the Cognito services of an external
 * pool.
 */
function connectOrigins(config: Config): string[] {
  const { PUBLIC_URL: home } = config
  const origins: string[] = []
  if (home !== undefined) origins.push(new URL(home).origin.replace(/^http/, 'ws'))
  const outsidePool = outsidePoolOf(config)
  if (!outsidePool) return origins
  const { origin } = new URL(outsidePool.issuer)
  return [...origins, origin, origin.replace('//cognito-idp.', '//cognito-identity.')]
}

/** Contact in the form that push services require: an https page, or an address. */
function pushSubject({ PUBLIC_URL, MAIL_FROM }: Config): string {
  if (PUBLIC_URL?.startsWith('https:')) return PUBLIC_URL
  return `mailto:${/<([^<>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`
}

/** Directory with package.json above this file, in source or bundle. */
function projectRoot(): string {
  let directory = import.meta.dirname
  while (!existsSync(join(directory, 'package.json')) && dirname(directory) !== directory)
    directory = dirname(directory)
  return directory
}

function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

function localUrl(gateway: Gateway, scheme: string): string {
  const address = gateway.http.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `${scheme}://localhost:${port}`
}
