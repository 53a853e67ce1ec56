import type { Deps, Feature } from '../../kernel/deps.ts'
import { servePool } from './address.ts'
import { sessionHandlers } from './session.ts'

const HOUR = 3_600_000

/** Signing in and out, and the user pool at its address. */
export function identity(deps: Deps) {
  const { identity: pool, db, events, limits, metrics } = deps
  if (pool.accessEvents) metrics.registerMetric(pool.accessEvents)
  events.on('personChanged', ({ cognitoId }) => pool.purge(cognitoId))
  // Likewise whom another gateway of this database changed.
  db.listen('person_changed', {
    heard: (cognitoId) => pool.purge(cognitoId),
    missed: () => pool.purge(),
  })
  return {
    handlers: { session: sessionHandlers(deps) },
    addresses: (app) => servePool(app, pool, pool.poolId, limits),
    jobs: [{ name: 'what has expired of the user pool', every: HOUR, run: () => pool.prune() }],
  } satisfies Feature
}
