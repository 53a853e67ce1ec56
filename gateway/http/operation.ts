import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Liveness } from '../../contract/kernel/liveness.ts'
import {
  type Readiness,
  READINESS_DETAILS,
  type ReadinessDetail,
  type ReadinessWarning,
} from '../../contract/kernel/readiness.ts'
import { GatewayError } from '../kernel/errors.ts'

export interface OperationOptions {
  /** Of the product. */
  version: string
  /** Resolves when the database answers; rejects otherwise. */
  database(): Promise<void>
  /** Whether what is written is not stored although the database answers. */
  writesFail(): boolean
  /** Whether another gateway is heard that has the database: one that lacks it wants no calls then. */
  othersReachDatabase(): boolean
  /** Whether this gateway is cut off from the others. */
  busAway(): boolean
  /** What it lacks to survive the next failure. */
  warnings(): ReadinessWarning[]
  /** Whether messages flow. */
  broker(): boolean
  /** True while the gateway shuts down: it finishes what it has and wants no more. */
  closing(): boolean
  registry: Registry
  /** Bearer token for /metrics from elsewhere; without one only this machine may read it. */
  metricsToken: string | undefined
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Liveness, readiness and metrics, for whoever runs the gateway. */
export function serveOperation(app: FastifyInstance, options: OperationOptions): void {
  /** Whoever asks meanwhile hears the same answer: these questions are not limited, connections are. */
  let asking: Promise<boolean> | undefined
  const askDatabase = () =>
    (asking ??= options
      .database()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = undefined)))

  const unlimited = { config: { unlimited: true } as object }
  app.get('/health/live', unlimited, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { live: true, version: options.version } satisfies Liveness
  })

  app.get('/health/ready', unlimited, async (_request, reply) => {
    const readiness = readinessOf(options, await askDatabase())
    reply.header('cache-control', 'no-store').code(readiness.ready ? 200 : 503)
    return readiness
  })

  app.get('/metrics', unlimited, async (request, reply) => {
    // The socket's own address: a forwarded one is whatever the sender says.
    const local = LOOPBACK.has(request.socket.remoteAddress ?? '') && !request.headers['x-forwarded-for']
    if (!local && !authorized(request.headers.authorization, options.metricsToken))
      throw new GatewayError('UNAUTHENTICATED', 'Metrics need their token')
    reply.header('cache-control', 'no-store').type(options.registry.contentType)
    return options.registry.metrics()
  })
}

/**
 * Whether the gateway wants to be called, and what is wrong with it. While no gateway has the database this
 * one is still to be called: a balancer that took it out would cut every hub, whose messages wait.
 */
function readinessOf(options: OperationOptions, database: boolean): Readiness {
  const [broker, writes, ending] = [options.broker(), database && !options.writesFail(), options.closing()]
  const wrong: Record<ReadinessDetail, boolean> = {
    ending,
    databaseAway: !database,
    writesFail: database && !writes,
    brokerAway: !broker,
    busAway: options.busAway(),
  }
  return {
    ready: broker && !ending && (database || !options.othersReachDatabase()),
    database,
    writes,
    broker,
    details: READINESS_DETAILS.filter((detail) => wrong[detail]),
    warnings: options.warnings(),
  }
}

function authorized(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return false
  const given = Buffer.from(header ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
