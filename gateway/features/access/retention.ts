import type { Job } from '../../kernel/feature.ts'
import type { Clock } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'

const HOUR = 3_600_000
const BATCH_PAUSE_MS = 1_000
const BATCH = 500

/** Calls whose audit rows contain a visitor's data. */
const VISITOR_CALLS = [
  '/RegisterVisitor',
  '/UpdateVisitor',
  '/RemoveVisitor',
  '/CheckInVisitor',
  '/CheckOutVisitor',
  '/RevokeVisitor',
  '/MailVisitorPass',
]

interface VisitorRef {
  tenant: string
  id: string
}

/** Removes visitors' data from the audit of their visits; who called, when, and for which visit remains. */
async function eraseFromAudit(tx: Db, visitors: readonly VisitorRef[]): Promise<void> {
  if (visitors.length === 0) return
  await tx.query(sql`update audit_log set before = null, after = null,
      input = case when input ? 'VisitorID' then jsonb_build_object('VisitorID', input -> 'VisitorID') else '{}'::jsonb end
    where path = any(${VISITOR_CALLS}::text[]) and tenant = any(${visitors.map(({ tenant }) => tenant)}::uuid[])
      and coalesce(after ->> 'VisitorID', before ->> 'VisitorID', input ->> 'VisitorID') = any(${visitors.map(({ id }) => id)}::text[])`)
}

/**
 * Hourly job that deletes personal data: it anonymises visitors some time after the planned end or removal of their visit, with the
 * audit of it, and deletes scan events.
 *
 * keepMs  ms; 0 for no limit. People still inside are kept.
 */
export function createAccessRetentionJob(options: {
  db: Db
  clock: Clock
  retentionMs: { visitors: number; scans: number }
}): Job {
  const { db, clock, retentionMs: keepMs } = options
  const anonymise = (before: number, now: number): Promise<number> =>
    db.transaction(async (tx) => {
      const anonymised = await tx.query<VisitorRef>(sql`
        update visitors set visitor_name = '', company = '', email = '', phone = '', ext = '', purpose = '',
          host_employee_id = null, anonymised_at = ${now}
        where (tenant, visitor_id) in (select tenant, visitor_id from visitors
          where anonymised_at is null and valid_until <= ${before}::bigint
            and (checked_in_at is null or checked_out_at is not null or away_at is not null)
          order by valid_until limit ${BATCH}::int for update skip locked)
        returning tenant, visitor_id as id`)
      await eraseFromAudit(tx, anonymised)
      return anonymised.length
    })

  /** Anonymises removed visits, which are still named in their audit. */
  const eraseRemovedFromAudit = (before: number): Promise<number> =>
    db.transaction(async (tx) => {
      const removed = await tx.query<VisitorRef>(sql`
        select c.tenant, r.id from companies c, lateral (
          select input ->> 'VisitorID' as id from audit_log
          where tenant = c.tenant and path = '/RemoveVisitor' and at <= ${before}::bigint and before is not null
          order by at desc limit ${BATCH}::int) r
        limit ${BATCH}::int`)
      await eraseFromAudit(tx, removed)
      return removed.length
    })

  async function deleteScans(before: number): Promise<number> {
    const deleted = await db.query(sql`delete from scan_events where scan_event_id in (
      select scan_event_id from scan_events where timestamp <= ${before}::bigint order by timestamp limit ${BATCH}::int)
      returning 1 as one`)
    return deleted.length
  }

  return {
    name: 'forgetting visitors and scans',
    intervalMs: HOUR,
    async run() {
      const now = clock.now()
      const people = keepMs.visitors > 0 ? await anonymise(now - keepMs.visitors, now) : 0
      const removed = keepMs.visitors > 0 ? await eraseRemovedFromAudit(now - keepMs.visitors) : 0
      const scans = keepMs.scans > 0 ? await deleteScans(now - keepMs.scans) : 0
      return [people, removed, scans].includes(BATCH) ? BATCH_PAUSE_MS : undefined
    },
  }
}
