import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { push } from '../../../contract/notifications/push-calls.ts'
import type { Actor } from '../../kernel/context.ts'
import type { OutgoingMessage } from '../../domain/notifications/notification-transport.ts'
import { type Db, sql } from '../../store/db.ts'
import { listOf } from './subscriptions.ts'
import { type PushState, sendThroughPush } from './transport.ts'

const WITHIN = 5_000

const WORDS = {
  'zh-TW': { title: '測試推播', body: '這台裝置的瀏覽器收得到推播通知。' },
  'en-US': { title: 'Test notification', body: 'This browser receives push notifications.' },
} as const

/** Sends a test to every browser of a person, also to those that have failed, and counts what the push services say. */
export async function sendTest(
  state: PushState,
  { tenant, cognitoId }: Actor,
): Promise<ResultsOf<typeof push.testWebPush>> {
  const { db, clock, random } = state.deps
  const [browsers, language] = await Promise.all([listOf(db, cognitoId), languageOf(db, cognitoId)])
  const message: OutgoingMessage = {
    id: random.uuid(),
    ...WORDS[language],
    notificationId: null,
    path: '/ChangeNotificationSetting',
    topic: `test:${cognitoId}`,
    category: 'system',
    severity: 'info',
    homeId: null,
    alarmId: null,
    acknowledgeToken: null,
    unread: null,
    language,
    at: clock.now(),
  }
  const outcomes = await Promise.all(
    browsers.map(({ SubscriptionID }) =>
      sendThroughPush(state, { tenant, target: SubscriptionID, message, within: WITHIN }),
    ),
  )
  const count = (...kinds: string[]) => outcomes.filter(({ is }) => kinds.includes(is)).length
  return { Sent: count('sent'), Gone: count('gone'), Failed: count('failed', 'retry') }
}

async function languageOf(db: Db, cognitoId: string): Promise<OutgoingMessage['language']> {
  const [row] = await db.query<{ language: string | null }>(
    sql`select language from personal_configs where cognito_id = ${cognitoId}`,
  )
  return row?.language === 'en-US' ? 'en-US' : 'zh-TW'
}
