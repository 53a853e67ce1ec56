import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { GatewayError } from '../errors.ts'

export interface OperationOptions {
  /** Resolves when the database answers; rejects otherwise. */
  database(): Promise<void>
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
    return { live: true }
  })

  app.get('/health/ready', unlimited, async (_request, reply) => {
    const database = await askDatabase()
    const broker = options.broker()
    const ready = database && broker && !options.closing()
    reply.header('cache-control', 'no-store').code(ready ? 200 : 503)
    return { ready, database, broker }
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

function authorized(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return false
  const given = Buffer.from(header ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
