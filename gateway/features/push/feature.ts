import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createIsPushEndpoint } from '../../domain/notifications/push-hosts.ts'
import { createSealer } from '../../lib/seal.ts'
import { createRetentionJob } from '../../store/retention.ts'
import { sql } from '../../kernel/db.ts'
import { type BroadcastPorts, pushHandlers } from './calls.ts'
import { createPushKeys } from './keys.ts'
import { pushRetention, retainAfterSessionExpiry } from './subscriptions.ts'
import { createPushTransport, type PushState } from './transport.ts'

const HOUR = 3_600_000

/** Contact address if none is configured: push services require one. */
const NO_SUBJECT = 'mailto:no-reply@localhost'

/** Push messages to browsers (RFC 8030, 8188, 8291, 8292). */
export function push(deps: Deps, ports: BroadcastPorts) {
  const { db, config, events } = deps
  const keys = createPushKeys({ ...deps, sealer: createSealer(config.secret, 'push-keys') })
  const state: PushState = {
    deps,
    sealer: createSealer(config.secret, 'push-subscriptions'),
    keys,
    subject: config.pushSubject ?? NO_SUBJECT,
  }
  // Subscriptions without a session of ours (another user pool) do not end with it.
  events.on('personChanged', async ({ cognitoId, change }) => {
    if (change === 'revoked')
      await db.query(
        sql`delete from push_subscriptions where cognito_id::text = ${cognitoId} and session_id is null`,
      )
  })
  const outlive = async () => {
    await retainAfterSessionExpiry(db, deps.clock.now())
  }
  const feature = {
    handlers: { push: pushHandlers(state, { ...ports, isEndpoint: createIsPushEndpoint(config.pushHosts) }) },
    jobs: [
      createRetentionJob('push subscriptions', deps, pushRetention(deps)),
      { name: 'browsers whose sign-in ends', intervalMs: HOUR, run: () => outlive() },
    ],
    recover: outlive,
    webConfig: async () => ({ WebPushKey: (await keys()).publicKey }),
    async prepare() {
      await keys()
    },
  } satisfies Feature
  return { ...feature, way: createPushTransport(state) }
}
