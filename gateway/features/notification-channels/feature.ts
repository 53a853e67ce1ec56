import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { allowExternalOnly } from '../../lib/guarded-request.ts'
import type { Notify } from '../../domain/notifications/notification-transport.ts'
import { createSealer } from '../../lib/seal.ts'
import { createAdapters, createWebhookClient } from './webhook-client.ts'
import { notificationChannelHandlers, lockChannel } from './notification-channel.ts'
import { createChannelTransport, sendThrough, type ChannelTransportDeps } from './transport.ts'
import type { notificationChannelCalls } from '../../../contract/notifications/notification-channel.ts'
import type { Handler } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { sql } from '../../kernel/db.ts'
import { isOne, readChannels } from './store.ts'

/** Minimum interval between two tests of a channel, ms. */
const MIN_TEST_INTERVAL_MS = 10_000

const WORDS = {
  'zh-TW': { title: '測試訊息', body: '此通知頻道運作正常。' },
  'en-US': { title: 'Test message', body: 'This notification channel works.' },
} as const

/** Sends a test message through a channel and returns the outcome. */
const testChannel =
  (parts: ChannelTransportDeps): Handler<typeof notificationChannelCalls.test> =>
  async ({ NotificationChannelID: id }, context) => {
    const { db, actor, clock, random } = context
    const now = clock.now()
    const { before, testedAt } = await lockChannel(id, context)
    if (testedAt !== null && now - testedAt < MIN_TEST_INTERVAL_MS && now >= testedAt)
      throw new GatewayError('LIMIT_EXCEEDED', 'This channel was tested a moment ago')
    await db.query(
      sql`update notification_channels set tested_at = ${now}::bigint where ${isOne(actor.tenant, id)}`,
    )
    const outcome = await sendThrough({ ...parts, db }, actor.tenant, id, {
      ...WORDS[before.Language],
      id: random.uuid(),
      severity: 'info',
      category: 'system',
      homeId: null,
      alarmId: null,
      path: '/NotificationChannels',
      at: now,
    })
    const [after] = await readChannels(db, now, isOne(actor.tenant, id))
    context.change('notificationChannel.update', { NotificationChannelID: id })
    context.audit({ before, after })
    return { Sent: outcome.status === 'sent', Error: after?.LastError ?? null }
  }

/** Notification channels of a company: LINE, Teams, webhooks. */
export function notificationChannels(deps: Deps, { notify }: { notify: Notify }) {
  const { config } = deps
  const sealer = createSealer(config.secret, 'notification channels')
  const outside = createWebhookClient(allowExternalOnly(config.webhookNetworks ?? ''))
  const adapters = createAdapters(config.lineApi ?? 'https://api.line.me')
  const parts = { ...deps, sealer, client: outside, adapters, publicUrl: config.publicUrl, notify }
  const feature = {
    handlers: {
      notificationChannel: { ...notificationChannelHandlers(sealer, outside), test: testChannel(parts) },
    },
  } satisfies Feature
  return { ...feature, way: createChannelTransport(parts) }
}
