import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import {
  type Liveness,
  type Readiness,
  READINESS_DETAILS,
  type ReadinessDetail,
  type ReadinessWarning,
} from '../../contract/kernel/readiness.ts'
import { GatewayError } from '../kernel/errors.ts'
import type { Clock } from '../kernel/ports.ts'

export interface OperationOptions {
  /** Product version. */
  version: string
  /** Resolves if the database answers; rejects otherwise. */
  pingDatabase(): Promise<void>
  /** Whether writes fail although the database answers. */
  areWritesFailing(): boolean
  /** Whether another reachable gateway has the database: then one without it reports that it is not ready. */
  othersReachDatabase(): boolean
  /** Whether this gateway is disconnected from the bus. */
  isBusUnavailable(): boolean
  /** Missing redundancy for the next failure. */
  readWarnings(): ReadinessWarning[]
  /** Whether the broker works. */
  isBrokerRunning(): boolean
  /** True during shutdown: the gateway only finishes accepted work. */
  isClosing(): boolean
  registry: Registry
  /** Bearer token for /metrics from other machines; without one, only this machine may read it. */
  metricsToken: string | undefined
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Mounts liveness, readiness and metrics endpoints for operators. */
export function serveOperation(app: FastifyInstance, options: OperationOptions): void {
  /** Concurrent requests share one query, because these endpoints are not rate-limited; connections are. */
  let ping: Promise<boolean> | undefined
  const isDatabaseReachable = () =>
    (ping ??= options
      .pingDatabase()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (ping = undefined)))

  const unlimited = { config: { unlimited: true } as object }
  app.get('/health/live', unlimited, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { live: true, version: options.version } satisfies Liveness
  })

  app.get('/health/ready', unlimited, async (_request, reply) => {
    const readiness = readinessOf(options, await isDatabaseReachable())
    reply.header('cache-control', 'no-store').code(readiness.ready ? 200 : 503)
    return readiness
  })

  app.get('/metrics', unlimited, async (request, reply) => {
    // The socket's own address: a forwarded one can be forged.
    const isLocal = LOOPBACK.has(request.socket.remoteAddress ?? '') && !request.headers['x-forwarded-for']
    if (!isLocal && !isAuthorized(request.headers.authorization, options.metricsToken))
      throw new GatewayError('UNAUTHENTICATED', 'Metrics need their token')
    reply.header('cache-control', 'no-store').type(options.registry.contentType)
    return options.registry.metrics()
  })
}

/**
 * Readiness with details. If no gateway has the database, this one stays ready: otherwise a load balancer would disconnect every hub,
 * whose messages are buffered.
 */
function readinessOf(options: OperationOptions, hasDatabase: boolean): Readiness {
  const [isBrokerRunning, writes, ending] = [
    options.isBrokerRunning(),
    hasDatabase && !options.areWritesFailing(),
    options.isClosing(),
  ]
  const isActive: Record<ReadinessDetail, boolean> = {
    ending,
    databaseAway: !hasDatabase,
    writesFail: hasDatabase && !writes,
    brokerAway: !isBrokerRunning,
    busAway: options.isBusUnavailable(),
  }
  return {
    ready: isBrokerRunning && !ending && (hasDatabase || !options.othersReachDatabase()),
    database: hasDatabase,
    writes,
    broker: isBrokerRunning,
    details: READINESS_DETAILS.filter((detail) => isActive[detail]),
    warnings: options.readWarnings(),
  }
}

function isAuthorized(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return false
  const actual = Buffer.from(header ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

interface SecurityContactOptions {
  /** `mailto:` and an address, or an https page, as in SECURITY_CONTACT; NOT_FOUND if omitted. */
  contact: string | undefined
  /** Public URL of the gateway; only https is canonical (RFC 9116, section 2.5.2). */
  publicUrl: string | undefined
  clock: Pick<Clock, 'now'>
}

const PATH = '/.well-known/security.txt'
/** Validity of the file in ms: below a year, as RFC 9116, section 2.5.5, recommends. */
const VALID_MS = 180 * 86_400_000

/** GET /.well-known/security.txt (RFC 9116): contact for reports of vulnerabilities in this installation. */
export function serveSecurityContact(
  app: FastifyInstance,
  { contact, publicUrl, clock }: SecurityContactOptions,
): void {
  app.get(PATH, async (_request, reply) => {
    if (contact === undefined) throw new GatewayError('NOT_FOUND', 'SECURITY_CONTACT is not set')
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(clock.now() + VALID_MS).toISOString()}`,
      'Preferred-Languages: zh-TW, en',
      ...(publicUrl?.startsWith('https:') ? [`Canonical: ${publicUrl}${PATH}`] : []),
    ]
    return reply
      .headers({ 'cache-control': 'no-cache', 'content-type': 'text/plain; charset=utf-8' })
      .send(`${lines.join('\n')}\n`)
  })
}

/** GET /outbox/<token>: unsent emails, for operators with the link from the server's console. */
export function serveMailOutbox(
  app: FastifyInstance,
  outbox: { renderPage(token: string): Promise<string | undefined> } | undefined,
): void {
  if (!outbox) return
  app.get<{ Params: { token: string } }>('/outbox/:token', async (request, reply) => {
    const page = await outbox.renderPage(request.params.token)
    if (page === undefined) throw new GatewayError('NOT_FOUND', 'There is no such page')
    return reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
      .send(page)
  })
}
