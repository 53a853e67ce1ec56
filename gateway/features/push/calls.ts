import {
  MAX_SUBSCRIPTIONS,
  type push,
  type SubscriptionInfo,
  MAX_BROADCASTS_PER_DAY,
} from '../../../contract/notifications/push-calls.ts'
import type { HandlersOf, SignedIn, Actor } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { createLimiter } from '../../http/rate-limits.ts'
import { sql, type Db } from '../../kernel/db.ts'
import type { ResultsOf, InputOf } from '../../../contract/kernel/define-endpoint.ts'
import type {
  OutgoingMessage,
  CountRecipients,
  Notify,
} from '../../domain/notifications/notification-transport.ts'
import type { Access } from '../../../contract/kernel/permissions.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import {
  countOthers,
  findByHash,
  deleteSubscription,
  hashOf,
  isPoint,
  readSubscriptions,
  saveSubscription,
} from './subscriptions.ts'
import { type PushState, sendThroughPush } from './transport.ts'

const DAY = 86_400_000

export interface BroadcastPorts {
  notify: Notify
  countRecipients: CountRecipients
}

type Asked = InputOf<typeof push.webPushBroadcast>

/** Sends a user's message to people of the company. Errors: NOT_FOUND (home, department), LIMIT_EXCEEDED. */
export async function broadcast(
  { Title, Text, HomeID = undefined, DepartmentIDs, Severity }: Asked,
  { db, actor: { tenant }, clock, random }: SignedIn,
  { notify, countRecipients }: BroadcastPorts,
): Promise<ResultsOf<typeof push.webPushBroadcast>> {
  if (HomeID !== undefined) await findHome(db, tenant, HomeID)
  const departments = DepartmentIDs && [...new Set(DepartmentIDs)]
  if (departments) await findDepartments(db, tenant, departments)
  const id = random.uuid()
  await countBroadcast(db, { tenant, id, now: clock.now() })
  const access: Access = HomeID === undefined ? 'signed-in' : 'homes'
  const to = departments ? { access, departments } : { access }
  const Recipients = await countRecipients(db, tenant, to)
  await notify(db, [
    {
      tenant,
      homeId: HomeID ?? null,
      category: 'broadcast',
      severity: Severity,
      kind: 'broadcast',
      alarmId: null,
      values: { title: Title, text: Text },
      path: null,
      to,
      topic: `broadcast:${id}`,
      at: clock.now(),
    },
  ])
  return { Recipients }
}

async function findDepartments(db: Db, tenant: string, ids: readonly string[]): Promise<void> {
  const found = await db.query(sql`
    select 1 from departments where tenant = ${tenant} and department_id = any(${[...ids]})`)
  if (found.length < ids.length) throw new GatewayError('NOT_FOUND', 'A department does not exist')
}

/** Counts a broadcast, with the company locked. Errors: LIMIT_EXCEEDED. */
async function countBroadcast(
  db: Db,
  { tenant, id, now }: { tenant: string; id: string; now: number },
): Promise<void> {
  await db.query(sql`select 1 from companies where tenant = ${tenant} for no key update`)
  const [sent] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from push_broadcasts where tenant = ${tenant} and sent_at > ${now - DAY}::bigint`)
  if ((sent?.count ?? 0) >= MAX_BROADCASTS_PER_DAY)
    throw new GatewayError(
      'LIMIT_EXCEEDED',
      `A company sends at most ${MAX_BROADCASTS_PER_DAY} broadcasts a day`,
    )
  await db.query(sql`
    insert into push_broadcasts (broadcast_id, tenant, sent_at) values (${id}, ${tenant}, ${now})`)
}

const WITHIN = 5_000

const WORDS = {
  'zh-TW': { title: '測試推播', body: '此裝置的瀏覽器可以接收推播通知。' },
  'en-US': { title: 'Test notification', body: 'This browser receives push notifications.' },
} as const

/** Sends a test to every browser of a person, including those that have failed, and counts the push services' responses. */
async function sendTest(
  state: PushState,
  { tenant, cognitoId }: Actor,
): Promise<ResultsOf<typeof push.testWebPush>> {
  const { db, clock, random } = state.deps
  const [browsers, language] = await Promise.all([
    readSubscriptions(db, cognitoId),
    readLanguage(db, cognitoId),
  ])
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
      sendThroughPush(state, { tenant, target: SubscriptionID, message, timeoutMs: WITHIN }),
    ),
  )
  const count = (...kinds: string[]) => outcomes.filter(({ status }) => kinds.includes(status)).length
  return { Sent: count('sent'), Gone: count('gone'), Failed: count('failed', 'retry') }
}

async function readLanguage(db: Db, cognitoId: string): Promise<OutgoingMessage['language']> {
  const [row] = await db.query<{ language: string | null }>(
    sql`select language from personal_configs where cognito_id = ${cognitoId}`,
  )
  return row?.language === 'en-US' ? 'en-US' : 'zh-TW'
}

/** Maximum number of tests per person and minute. */
const TESTS_A_MINUTE = 5

export function pushHandlers(
  state: PushState,
  { isEndpoint, ...ports }: BroadcastPorts & { isEndpoint: (endpoint: string) => boolean },
): HandlersOf<typeof push> {
  const countTest = createLimiter({ perSecond: TESTS_A_MINUTE / 60, burst: TESTS_A_MINUTE }, state.deps.clock)
  return {
    async webPushSubscriptionSetting({ Status, SubscriptionInfo: info }, context) {
      if (Status === 'ENABLE') {
        assertKnownEndpoint(info, isEndpoint)
        await enable(state, info, context)
      } else if (
        !(await deleteSubscription(context.db, context.actor.cognitoId, { hash: hashOf(info.endpoint) }))
      ) {
        context.audit('none')
      }
      context.audit({ input: { Status, Service: new URL(info.endpoint).host } })
      return { Status }
    },

    listPushSubscription: (_, { db, actor }) => readSubscriptions(db, actor.cognitoId),

    async deletePushSubscription({ SubscriptionID }, { db, actor }) {
      if (!(await deleteSubscription(db, actor.cognitoId, { id: SubscriptionID })))
        throw new GatewayError('NOT_FOUND', 'You have no such browser')
      return { SubscriptionID }
    },

    async testWebPush(_, { actor }) {
      countTest(actor.cognitoId)
      return sendTest(state, actor)
    },

    webPushBroadcast: (input, context) => broadcast(input, context, ports),
  }
}

/** Errors: INVALID, `endpoint` for an address that is no push service, `invalid` for an unusable encryption key. */
function assertKnownEndpoint(
  { endpoint, keys }: SubscriptionInfo,
  isEndpoint: (endpoint: string) => boolean,
): void {
  if (!isEndpoint(endpoint))
    throw new GatewayError('INVALID', 'This is no endpoint of a known push service', {
      'SubscriptionInfo.endpoint': 'endpoint',
    })
  if (!isPoint(keys.p256dh))
    throw new GatewayError('INVALID', 'This key is no point of P-256', {
      'SubscriptionInfo.keys.p256dh': 'invalid',
    })
}

async function enable({ sealer }: PushState, info: SubscriptionInfo, context: SignedIn): Promise<void> {
  const { db, actor, clock, random, userAgent } = context
  const hash = hashOf(info.endpoint)
  // Locks the person, so that the count is exact.
  await db.query(sql`select 1 from users where cognito_id = ${actor.cognitoId} for no key update`)
  const before = await findByHash(db, hash, sealer)
  // A browser that changes users has the keys of its subscription; the address alone does not prove that it is the same browser.
  if (before?.info && before.cognitoId !== actor.cognitoId && !isSame(before.info, info))
    throw new GatewayError('CONFLICT', 'This endpoint belongs to a subscription with other keys', {
      'SubscriptionInfo.endpoint': 'taken',
    })
  if ((await countOthers(db, actor.cognitoId, hash)) >= MAX_SUBSCRIPTIONS)
    throw new GatewayError('LIMIT_EXCEEDED', `A person has at most ${MAX_SUBSCRIPTIONS} browsers`)
  await saveSubscription(db, { actor, info, userAgent, id: random.uuid(), now: clock.now(), sealer })
  // Screens register at each start, which changes nothing.
  if (before?.cognitoId === actor.cognitoId && isSame(before.info, info)) context.audit('none')
}

const isSame = (one: SubscriptionInfo | undefined, other: SubscriptionInfo) =>
  one?.keys.p256dh === other.keys.p256dh && one.keys.auth === other.keys.auth
