import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { sessionHandlers } from './session.ts'
import type { FastifyInstance } from 'fastify'
import type { RateLimits } from '../../http/rate-limits.ts'
import { readDeviceCookie } from './device-marks.ts'

/** Built-in user pool as the HTTP server uses it. */
interface PoolPort {
  handlePool(
    target: string,
    body: string,
    caller: { address: string; userAgent: string; deviceMark?: string | undefined },
  ): Promise<{ status: number; headers: Record<string, string>; body: string }>
  deviceOf(mark: string): string | undefined
  jwks(): Promise<object>
}

const MAX_BODY_BYTES = 65_536

/**
 * Serves the user pool at POST /cognito, which aws-amplify calls, and its public keys.
 *
 * poolId   the keys are served at /<poolId>/.well-known/jwks.json
 */
function servePool(app: FastifyInstance, pool: PoolPort, poolId: string, limits: RateLimits): void {
  app.register(async (scope) => {
    // Amplify sends application/x-amz-json-1.1; the pool parses bodies and reports errors in its own format.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post('/cognito', async (request, reply) => {
      const deviceMark = readDeviceCookie(request.headers.cookie)
      // A known device has its own rate limit, so that others in its network cannot lock it out.
      limits.auth((deviceMark && pool.deviceOf(deviceMark)) ?? request.ip)
      const target = request.headers['x-amz-target']
      const caller = { address: request.ip, userAgent: request.headers['user-agent'] ?? '', deviceMark }
      const body = typeof request.body === 'string' ? request.body : ''
      const answer = await pool.handlePool(typeof target === 'string' ? target : '', body, caller)
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    })
  })
  app.get(`/${poolId}/.well-known/jwks.json`, async (_request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' })
    return pool.jwks()
  })
}

const HOUR = 3_600_000

export function identity(deps: Deps) {
  const { identity: pool, db, events, limits, metrics } = deps
  if (pool.accessEvents) metrics.registerMetric(pool.accessEvents)
  events.on('personChanged', ({ cognitoId }) => pool.purge(cognitoId))
  // Also for changes by other gateways of this database.
  db.listen('person_changed', {
    onPayload: (cognitoId) => pool.purge(cognitoId),
    onMissed: () => pool.purge(),
  })
  return {
    handlers: { session: sessionHandlers(deps) },
    registerRoutes: (app) => servePool(app, pool, pool.poolId, limits),
    jobs: [{ name: 'what has expired of the user pool', intervalMs: HOUR, run: () => pool.prune() }],
  } satisfies Feature
}
