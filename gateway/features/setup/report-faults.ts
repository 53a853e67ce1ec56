import {
  FAULT_DAYS,
  type FaultMessage,
  type FaultReason,
  MAX_FAULT_FIELD,
  MAX_FAULT_VALUE,
  type ReportFault,
} from '../../../contract/setup/calls.ts'
import type { ThingKey } from '../../../contract/devices/thing.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { GatewayEvents, ReportFaulty } from '../../kernel/events.ts'
import { createThrottle } from '../../lib/throttle.ts'
import { truncateText } from '../../lib/parse-bytes.ts'
import { BATCH, deleteOlderThan } from '../../store/retention.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Minimum interval between two writes, ms: a hub may repeat its faults with every report. */
const WRITE_GAP_MS = 5_000
/** Maximum number of queued faults; more are only logged. */
const MAX_WAITING = 5_000
/** Maximum number of stored faults per hub; the oldest are deleted first. */
const MAX_PER_HUB = 500
/** Time without a fault, in ms, after which a returning fault counts from the beginning. */
const NEW_AFTER_MS = 86_400_000

interface PendingFault {
  tenant: string
  thingName: string
  uid: string
  /** Null: the field's fault ends in any message. */
  message: FaultMessage | null
  field: string
  reason: FaultReason
  came: string | null
  /** 0: it did not occur again, and only ends. */
  count: number
  since: number
  lastAt: number
  endedAt: number | null
}

/** Key of the end of a fault; without a message, of that field in any. */
const endKeyOf = (thingName: string, uid: string, field: string, message?: FaultMessage): string =>
  `${thingName}/${uid}/${message ?? ''}/${field}/end`

/** A value as users see it. */
export function textOfValue(came: unknown): string | null {
  if (came === undefined) return null
  const text = typeof came === 'string' ? came : (JSON.stringify(came) ?? String(came))
  return truncateText(text, MAX_FAULT_VALUE)
}

async function insert(db: Db, rows: readonly PendingFault[]): Promise<void> {
  await db.query(sql`
    insert into report_faults as f (tenant, thing_name, peripheral_uid, message, field, reason, came, count, since, last_at, ended_at)
    select r.tenant, r."thingName", r.uid, r.message, r.field, r.reason, r.came, r.count, r.since, r."lastAt", r."endedAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (tenant uuid, "thingName" text, uid text, message text,
      field text, reason text, came text, count bigint, since bigint, "lastAt" bigint, "endedAt" bigint)
    where exists (select from things t where t.tenant = r.tenant and t.thing_name = r."thingName")
    order by 2, 3, 4, 5
    on conflict (thing_name, peripheral_uid, message, field) do update set reason = excluded.reason, came = excluded.came,
      count = excluded.count + case when f.ended_at < excluded.since - ${NEW_AFTER_MS}::bigint then 0 else f.count end,
      since = case when f.ended_at < excluded.since - ${NEW_AFTER_MS}::bigint then excluded.since else f.since end,
      last_at = excluded.last_at, ended_at = excluded.ended_at`)
  for (const thingName of new Set(rows.map((row) => row.thingName)))
    await db.query(sql`
      delete from report_faults where thing_name = ${thingName} and (peripheral_uid, message, field) in (
        select peripheral_uid, message, field from report_faults where thing_name = ${thingName}
        order by last_at desc, peripheral_uid, message, field offset ${MAX_PER_HUB}::int)`)
}

async function end(db: Db, rows: readonly PendingFault[]): Promise<void> {
  if (rows.length === 0) return
  await db.query(sql`
    update report_faults f set ended_at = r."endedAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("thingName" text, uid text, message text, field text, "endedAt" bigint)
    where f.thing_name = r."thingName" and f.peripheral_uid = r.uid and f.field = r.field
      and (r.message is null or f.message = r.message) and f.ended_at is null`)
}

/**
 * Stores values of hubs that the gateway cannot use, by field. Written at most every few seconds, regardless of repetitions; queued while
 * the database is unavailable.
 */
export function createReportFaults({
  db,
  events,
  clock,
  log,
}: Pick<Deps, 'db' | 'events' | 'clock' | 'log'>) {
  let pending = new Map<string, PendingFault>()
  const pacer = createThrottle<'faults'>(clock, () => WRITE_GAP_MS, write)

  /** Serialises writes, so that a fault is stored before its end. */
  let writing: Promise<void> = Promise.resolve()
  function write(): Promise<void> {
    return (writing = writing.then(writeNow))
  }

  async function writeNow(): Promise<void> {
    const batch = pending
    pending = new Map()
    const rows = [...batch.values()]
    const found = rows.filter(({ count }) => count > 0)
    try {
      if (found.length > 0) await insert(db, found)
      await end(
        db,
        rows.filter(({ count, endedAt }) => count === 0 && endedAt !== null),
      )
    } catch (err) {
      log.warn({ err, faults: rows.length }, 'faults of reports not stored, will retry')
      for (const [key, row] of batch) {
        const newer = pending.get(key)
        pending.set(
          key,
          newer ? { ...newer, count: newer.count + row.count, since: Math.min(newer.since, row.since) } : row,
        )
      }
      pacer.request('faults')
    }
  }

  function onFaulty({ tenant, thingName, message, faults }: ReportFaulty): void {
    const now = clock.now()
    for (const { uid, field: path, reason, value } of faults) {
      const field = truncateText(path, MAX_FAULT_FIELD)
      const key = `${thingName}/${uid}/${message}/${field}`
      // The fault has occurred again since it ended.
      pending.delete(endKeyOf(thingName, uid, field))
      pending.delete(endKeyOf(thingName, uid, field, message))
      const before = pending.get(key)
      if (!before && pending.size >= MAX_WAITING) {
        log.warn({ thingName, field }, 'too many faults of reports, not kept')
        continue
      }
      pending.set(key, {
        ...{ tenant, thingName, uid, message, field, reason, came: textOfValue(value) },
        count: (before?.count ?? 0) + 1,
        since: before && before.count > 0 ? before.since : now,
        lastAt: now,
        endedAt: null,
      })
    }
    pacer.request('faults')
  }

  function onWell({ thingName, uid, fields, message }: GatewayEvents['reportWell']): void {
    const now = clock.now()
    for (const path of fields) {
      const field = truncateText(path, MAX_FAULT_FIELD)
      // Queued faults end as well as stored ones.
      for (const row of pending.values())
        if (row.thingName === thingName && row.uid === uid && row.field === field)
          if (message === undefined || row.message === message) row.endedAt ??= now
      if (pending.size >= MAX_WAITING) continue
      pending.set(endKeyOf(thingName, uid, field, message), {
        ...{ tenant: '', thingName, uid, message: message ?? null, field },
        ...{ reason: 'value' as const, came: null, count: 0 },
        ...{ since: now, lastAt: now, endedAt: now },
      })
    }
    pacer.request('faults')
  }

  const unsubscribes = [events.on('reportFaulty', onFaulty), events.on('reportWell', onWell)]

  return {
    handlers: {
      listReportFault,
    },
    /** Writes queued faults and stops receiving. */
    async close(): Promise<void> {
      for (const stop of unsubscribes) stop()
      await writing
      if (pending.size > 0) await write()
      pacer.close()
    },
  }
}

async function listReportFault(
  { HomeID, ThingName }: ThingKey,
  { db, actor }: SignedIn,
): Promise<ReportFault[]> {
  const [thing] = await db.query(sql`select 1 as one from things
  where tenant = ${actor.tenant} and home_id = ${HomeID} and thing_name = ${ThingName}`)
  if (!thing) throw new GatewayError('NOT_FOUND', `Hub ${ThingName} does not exist`)
  return db.query<ReportFault>(sql`
  select nullif(f.peripheral_uid, '') as "PeripheralUID", f.message as "Message", f.field as "Field", f.reason as "Reason",
    f.came as "Came", f.count as "Count", f.since as "Since", f.last_at as "LastAt", f.ended_at as "EndedAt"
  from report_faults f
  where f.tenant = ${actor.tenant} and f.thing_name = ${ThingName}
    and (f.peripheral_uid = '' or exists (select from peripherals p where p.tenant = f.tenant
      and p.peripheral_uid = f.peripheral_uid and p.thing_name = f.thing_name))
  order by f.ended_at is not null, f.last_at desc, f.peripheral_uid, f.message, f.field`)
}

/** Retention of faults that have not occurred for some days. */
export const expiringFaults = (deps: Pick<Deps, 'db' | 'clock'>) =>
  deleteOlderThan(deps, FAULT_DAYS, {
    report_faults: (before) => sql`
      delete from report_faults where (thing_name, peripheral_uid, message, field) in (
        select thing_name, peripheral_uid, message, field from report_faults where last_at <= ${before}::bigint
        order by last_at limit ${BATCH}::int) returning 1 as one`,
  })
