import type { notificationChannelCalls } from '../../../contract/notifications/channel-calls.ts'
import type { Handler } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { sql } from '../../store/db.ts'
import { lockChannel } from './notification-channel.ts'
import { isOne, readChannels } from './store.ts'
import { sendThrough, type ChannelTransportDeps } from './transport.ts'

/** A channel is tested once in so many ms. */
const EVERY = 10_000

const WORDS = {
  'zh-TW': { title: '測試訊息', body: '此通知頻道運作正常。' },
  'en-US': { title: 'Test message', body: 'This notification channel works.' },
} as const

/** Sends a test message through a channel and says what came of it. */
export const testChannel =
  (parts: ChannelTransportDeps): Handler<typeof notificationChannelCalls.test> =>
  async ({ NotificationChannelID: id }, context) => {
    const { db, actor, clock, random } = context
    const now = clock.now()
    const { before, testedAt } = await lockChannel(id, context)
    if (testedAt !== null && now - testedAt < EVERY && now >= testedAt)
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
    return { Sent: outcome.is === 'sent', Error: after?.LastError ?? null }
  }
