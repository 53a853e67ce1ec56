import { type Db, type Sql, sql } from '../kernel/db.ts'

export interface NewDelivery<P extends object = object> {
  tenant: string
  kind: string
  recipient: string
  /** Deliveries of a lane share a server. */
  lane: string
  payload: P
  /** Epoch ms. */
  dueAt: number
  /** With a key, it is enqueued once per tenant and kind. */
  key?: string
  topic?: string
  /** Time from which it is not worth sending, epoch ms. */
  expiresAt?: number
  /** Reason for recording it without sending it. */
  skipReason?: string | null
}

/** A delivery that this gateway has claimed. */
export interface Delivery<P extends object = object> {
  deliveryId: number
  /** UUID, constant across attempts. */
  id: string
  tenant: string
  recipient: string
  lane: string
  topic: string | null
  payload: P
  /** Number of attempts, this one included. */
  attempts: number
  createdAt: number
  expiresAt: number | null
  /** End of the lease; a different value in the row means that another gateway has claimed it. */
  leaseUntil: number
}

/** Final states of deliveries. */
export type SettledState = 'sent' | 'skipped' | 'failed'

/** Stores deliveries in the transaction of their event. They are sent after the commit. */
export async function enqueue(tx: Db, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  if (deliveries.length === 0) return
  const rows = deliveries.map(({ dueAt, expiresAt, skipReason = null, ...delivery }) => ({
    ...delivery,
    due_at: dueAt,
    expires_at: expiresAt,
    state: skipReason === null ? 'waiting' : 'skipped',
    reason: skipReason,
  }))
  await tx.query(sql`
    insert into deliveries (tenant, kind, key, recipient, topic, lane, payload, state, reason, due_at, created_at, expires_at)
    select d.tenant, d.kind, d.key, d.recipient, d.topic, d.lane, d.payload, d.state, d.reason, d.due_at, ${now}::bigint, d.expires_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (tenant uuid, kind text, key text, recipient text, topic text,
      lane text, payload jsonb, state text, reason text, due_at bigint, expires_at bigint)
    on conflict (tenant, kind, key) do nothing`)
}

/**
 * Claims due deliveries until the end of their lease, so that a gateway that stops in the meantime loses none.
 *
 * limit      maximum number of deliveries
 * perLane    maximum number of deliveries of a lane, those in progress included
 * busyLanes  number of deliveries in progress by lane
 */
export function claim<P extends object>(
  db: Db,
  kind: string,
  {
    now,
    leaseMs,
    limit,
    perLane,
    busyLanes,
  }: { now: number; leaseMs: number; limit: number; perLane: number; busyLanes: ReadonlyMap<string, number> },
): Promise<Delivery<P>[]> {
  const full = [...busyLanes].flatMap(([lane, busy]) => (busy >= perLane ? [lane] : []))
  const busy = JSON.stringify(Object.fromEntries(busyLanes))
  const isDue = sql`state = 'waiting' and due_at <= ${now}::bigint and lease_until <= ${now}::bigint`
  return db.query<Delivery<P>>(sql`
    with ranked as (
      select delivery_id, lane, due_at, row_number() over (partition by lane order by due_at, delivery_id) as place
      from deliveries where kind = ${kind} and ${isDue} and lane <> all(${full}::text[])),
    claimed as (
      select delivery_id from deliveries where delivery_id in (
        select delivery_id from ranked where place <= ${perLane}::int - coalesce((${busy}::jsonb ->> lane)::int, 0)
        order by due_at, delivery_id limit ${limit}::int)
        -- Checked again on the row itself: another gateway may have claimed it since the ranking read it.
        and ${isDue}
      for update skip locked)
    update deliveries d set attempts = attempts + 1, lease_until = ${now + leaseMs}::bigint
    from claimed c where d.delivery_id = c.delivery_id
    returning d.delivery_id as "deliveryId", d.id, d.tenant, d.recipient, d.lane, d.topic, d.payload, d.attempts,
      d.created_at as "createdAt", d.expires_at as "expiresAt", d.lease_until as "leaseUntil"`)
}

/** Condition that a delivery has been neither deleted nor claimed by another gateway since. */
const isOwned = ({ deliveryId, leaseUntil }: Pick<Delivery, 'deliveryId' | 'leaseUntil'>): Sql =>
  sql`delivery_id = ${deliveryId}::bigint and lease_until = ${leaseUntil}::bigint`

/**
 * Ends a delivery: deletes it, or keeps it with its final state.
 *
 * returns  whether it was still owned
 */
export async function settle(
  tx: Db,
  delivery: Delivery,
  { state, reason, keep: isRetained }: { state: SettledState; reason: string | null; keep: boolean },
): Promise<boolean> {
  const settled = await tx.query(
    isRetained
      ? sql`update deliveries set state = ${state}, reason = ${reason} where ${isOwned(delivery)} returning 1 as one`
      : sql`delete from deliveries where ${isOwned(delivery)} returning 1 as one`,
  )
  return settled.length > 0
}

/** Releases a delivery whose attempt failed until its next attempt, epoch ms. */
export async function retry(db: Db, delivery: Delivery, at: number): Promise<void> {
  await db.query(
    sql`update deliveries set due_at = ${at}::bigint, lease_until = 0 where ${isOwned(delivery)}`,
  )
}

/** Releases a delivery without counting the attempt. */
export async function postpone(db: Db, delivery: Delivery, at: number): Promise<void> {
  await db.query(sql`
    update deliveries set due_at = ${at}::bigint, lease_until = 0, attempts = attempts - 1 where ${isOwned(delivery)}`)
}

/**
 * Deletes deliveries by recipient and topic, because a later one replaces them or they are no longer needed.
 *
 * onlyUntried  keeps those that were attempted
 */
export async function discardTopics(
  tx: Db,
  topics: readonly { recipient: string; topic: string }[],
  { onlyUntried }: { onlyUntried: boolean },
): Promise<void> {
  if (topics.length === 0) return
  await tx.query(sql`
    delete from deliveries d using jsonb_to_recordset(${JSON.stringify(topics)}::jsonb) as t (recipient text, topic text)
    where d.recipient = t.recipient and d.topic = t.topic and (not ${onlyUntried}::boolean or d.attempts = 0)`)
}

/** Deletes all deliveries of a topic of a company, settled ones included. */
export async function deleteTopic(
  tx: Db,
  { tenant, kind, topic }: { tenant: string; kind: string; topic: string },
): Promise<void> {
  await tx.query(sql`delete from deliveries where tenant = ${tenant} and kind = ${kind} and topic = ${topic}`)
}

/** Deletes all deliveries of a company to some recipients, settled ones included. */
export async function deleteRecipients(tx: Db, tenant: string, recipients: readonly string[]): Promise<void> {
  await tx.query(
    sql`delete from deliveries where tenant = ${tenant} and recipient = any(${[...recipients]}::text[])`,
  )
}

/** Deletes the settled deliveries of a kind that were created before a time, epoch ms. */
export async function deleteSettled(db: Db, kind: string, before: number): Promise<void> {
  await db.query(
    sql`delete from deliveries where kind = ${kind} and state <> 'waiting' and created_at < ${before}::bigint`,
  )
}
