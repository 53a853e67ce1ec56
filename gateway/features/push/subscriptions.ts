import { createECDH, createHash } from 'node:crypto'
import type { PushSubscriptionRecord, SubscriptionInfo } from '../../../contract/notifications/push-calls.ts'
import type { Actor } from '../../kernel/context.ts'
import type { NotificationTransport } from '../../domain/notifications/notification-transport.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { Sealer } from '../../lib/seal.ts'
import { BATCH, type RetentionTarget, deleteOlderThan } from '../../store/retention.ts'
import { type Db, sql } from '../../kernel/db.ts'

const DAY = 86_400_000
/** Days without a new registration after which a browser is deleted. */
const SILENT_DAYS = 60
/** Time for which a browser gets no messages after its push service rejected the gateway, unless it registers again. */
const REFUSED_FOR = DAY

export const hashOf = (endpoint: string): string => createHash('sha256').update(endpoint).digest('hex')

/** Whether a key is a point of the curve, as encryption requires. */
export function isPoint(p256dh: string): boolean {
  try {
    const own = createECDH('prime256v1')
    own.generateKeys()
    own.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}

export interface StoredSubscription {
  cognitoId: string
  /** Undefined if another secret sealed it. */
  info: SubscriptionInfo | undefined
}

const contextOf = (tenant: string, hash: string) => `${tenant}/${hash}`

/** Reads and locks the subscription of a browser, of any person, until the transaction ends. */
export async function findByHash(
  tx: Db,
  hash: string,
  sealer: Sealer,
): Promise<StoredSubscription | undefined> {
  const [row] = await tx.query<{ cognitoId: string; tenant: string; sealed: string }>(sql`
    select cognito_id as "cognitoId", tenant, info_sealed as sealed
    from push_subscriptions where endpoint_hash = ${hash} for update`)
  return row && { cognitoId: row.cognitoId, info: openInfo(sealer, row.tenant, hash, row.sealed) }
}

function openInfo(
  sealer: Sealer,
  tenant: string,
  hash: string,
  sealed: string,
): SubscriptionInfo | undefined {
  try {
    return JSON.parse(sealer.open(sealed, contextOf(tenant, hash))) as SubscriptionInfo
  } catch {
    return undefined
  }
}

export async function countOthers(tx: Db, cognitoId: string, hash: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from push_subscriptions where cognito_id = ${cognitoId} and endpoint_hash <> ${hash}`)
  return row?.count ?? 0
}

/**
 * Stores or renews a person's browser. One that belonged to another person gets a new id, so that the other's queued messages are not
 * sent to it.
 */
export async function saveSubscription(
  tx: Db,
  saved: { actor: Actor; info: SubscriptionInfo; userAgent: string; id: string; now: number; sealer: Sealer },
): Promise<void> {
  const { actor, info, userAgent, id, now, sealer } = saved
  const { tenant, cognitoId, sessionId } = actor
  const hash = hashOf(info.endpoint)
  const sealed = sealer.seal(JSON.stringify(info), contextOf(tenant, hash))
  await tx.query(sql`
    insert into push_subscriptions as p (subscription_id, tenant, cognito_id, session_id, endpoint_hash, info_sealed, service,
      user_agent, created_at, registered_at)
    values (${id}, ${tenant}, ${cognitoId},
      (select session_id from sessions where cognito_id = ${cognitoId} and session_id::text = ${sessionId}),
      ${hash}, ${sealed}, ${new URL(info.endpoint).host}, ${userAgent.slice(0, 256)}, ${now}, ${now})
    on conflict (endpoint_hash) do update set
      subscription_id = case when p.cognito_id = excluded.cognito_id then p.subscription_id else excluded.subscription_id end,
      created_at = case when p.cognito_id = excluded.cognito_id then p.created_at else excluded.created_at end,
      last_sent_at = case when p.cognito_id = excluded.cognito_id then p.last_sent_at end,
      tenant = excluded.tenant, cognito_id = excluded.cognito_id, session_id = excluded.session_id,
      info_sealed = excluded.info_sealed, service = excluded.service, user_agent = excluded.user_agent, registered_at = excluded.registered_at,
      failed_at = null`)
}

/** Browsers of a person, newest first. */
export const readSubscriptions = (db: Db, cognitoId: string): Promise<PushSubscriptionRecord[]> =>
  db.query<PushSubscriptionRecord>(sql`
    select subscription_id as "SubscriptionID", endpoint_hash as "EndpointHash", user_agent as "UserAgent",
      created_at as "Since", last_sent_at as "LastSentAt"
    from push_subscriptions where cognito_id = ${cognitoId} order by created_at desc, subscription_id`)

/** Deletes a browser of a person by its id or endpoint; false if there is none. */
export async function deleteSubscription(
  tx: Db,
  cognitoId: string,
  which: { id: string } | { hash: string },
): Promise<boolean> {
  const named = 'id' in which ? sql`subscription_id = ${which.id}` : sql`endpoint_hash = ${which.hash}`
  const deleted = await tx.query(sql`
    delete from push_subscriptions where cognito_id = ${cognitoId} and ${named} returning 1 as one`)
  return deleted.length > 0
}

/** Browsers of these people that receive pushes now: neither silent for long, nor recently rejected by their push service. */
export const targetsOf = (
  tx: Db,
  { tenant, people, now }: { tenant: string; people: readonly string[]; now: number },
): ReturnType<NotificationTransport['readTargets']> =>
  tx.query(sql`
    select p.cognito_id as person, p.subscription_id as target, coalesce(p.service, p.subscription_id::text) as service
    from push_subscriptions p join users u on u.cognito_id = p.cognito_id and u.enabled
    where p.tenant = ${tenant} and p.cognito_id = any(${[...people]}::uuid[])
      and p.registered_at > ${now - SILENT_DAYS * DAY}::bigint
      and (p.failed_at is null or p.failed_at <= ${now - REFUSED_FOR}::bigint)
    order by p.created_at`)

/** Push address of a browser; undefined if it was deleted, or another secret sealed it. */
export async function readInfo(
  db: Db,
  { tenant, target, sealer }: { tenant: string; target: string; sealer: Sealer },
): Promise<SubscriptionInfo | undefined> {
  const [row] = await db.query<{ hash: string; sealed: string }>(sql`
    select endpoint_hash as hash, info_sealed as sealed from push_subscriptions
    where tenant = ${tenant} and subscription_id = ${target}`)
  return row && openInfo(sealer, tenant, row.hash, row.sealed)
}

/** Records the response of a push service. Deletes an expired subscription, unless the browser has registered since. */
export function recordOutcome(
  db: Db,
  outcome: {
    tenant: string
    target: string
    status: 'sent' | 'gone' | 'refused'
    askedAt: number
    now: number
  },
): Promise<unknown> {
  const { tenant, target, status, askedAt, now } = outcome
  const row = sql`tenant = ${tenant} and subscription_id = ${target}`
  if (status === 'gone')
    return db.query(sql`delete from push_subscriptions where ${row} and registered_at <= ${askedAt}::bigint`)
  return status === 'sent'
    ? db.query(sql`update push_subscriptions set last_sent_at = ${now}, failed_at = null where ${row}`)
    : db.query(sql`update push_subscriptions set failed_at = ${now} where ${row}`)
}

/** Remaining time of a session below which its browser is detached; longer than the interval of that job, ms. */
const DETACH_BEFORE_MS = 2 * 3_600_000

/**
 * Detaches browsers from sessions that are about to expire, so that people who rarely open the product are still notified. Only a
 * session that is ended explicitly deletes its browser.
 */
export const retainAfterSessionExpiry = (db: Db, now: number): Promise<unknown> =>
  db.query(sql`
    update push_subscriptions p set session_id = null from sessions s
    where s.session_id = p.session_id and s.expires_at <= ${now + DETACH_BEFORE_MS}::bigint`)

/** Retention of silent browsers, and of broadcasts that no longer count. */
export const pushRetention = (options: { db: Db; clock: Pick<Clock, 'now'> }): RetentionTarget[] => [
  ...deleteOlderThan(options, SILENT_DAYS, {
    push_subscriptions: (before) => sql`
      delete from push_subscriptions where subscription_id in (
        select subscription_id from push_subscriptions where registered_at <= ${before}::bigint
        order by registered_at limit ${BATCH}::int) returning 1 as one`,
  }),
  ...deleteOlderThan(options, 2, {
    push_broadcasts: (before) => sql`
      delete from push_broadcasts where broadcast_id in (
        select broadcast_id from push_broadcasts where sent_at <= ${before}::bigint
        order by sent_at limit ${BATCH}::int) returning 1 as one`,
  }),
]
