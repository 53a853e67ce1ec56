import type { Clock, Log } from '../outsides.ts'
import { type Db, sql } from '../store/db.ts'

const HOUR = 3_600_000
const PAUSE = 1_000
const BATCH = 500

/** Calls whose audit rows name a visitor. */
const VISITOR_CALLS = [
  '/RegisterVisitor',
  '/UpdateVisitor',
  '/RemoveVisitor',
  '/CheckInVisitor',
  '/CheckOutVisitor',
  '/RevokeVisitor',
  '/MailVisitorPass',
]

/**
 * Forgets people in the background, every hour: who a visitor was, so long after the visit was to end, with the audit of it; and what
 * scanners saw.
 *
 * keep  ms; 0 for ever. Who is still inside is not forgotten.
 */
export function createAccessUpkeep(parts: {
  db: Db
  clock: Clock
  log: Log
  keep: { visitors: number; scans: number }
}) {
  const { db, clock, log, keep } = parts
  let cancel = clock.after(HOUR, run)
  let closed = false
  let working = Promise.resolve()

  function run() {
    working = work().catch((err: unknown) => {
      log.warn({ err }, 'Visitors and scans stay for now')
      again(false)
    })
  }

  function again(more: boolean) {
    if (!closed) cancel = clock.after(more ? PAUSE : HOUR, run)
  }

  async function work(): Promise<void> {
    const now = clock.now()
    const people = keep.visitors > 0 ? await anonymise(now - keep.visitors, now) : 0
    const scans = keep.scans > 0 ? await dropScans(now - keep.scans) : 0
    again(people === BATCH || scans === BATCH)
  }

  const anonymise = (before: number, now: number): Promise<number> =>
    db.transaction(async (tx) => {
      const gone = await tx.query<{ tenant: string; id: string }>(sql`
        update visitors set visitor_name = '', company = '', email = '', phone = '', ext = '', purpose = '',
          host_employee_id = null, anonymised_at = ${now}
        where (tenant, visitor_id) in (select tenant, visitor_id from visitors
          where anonymised_at is null and valid_until <= ${before}::bigint
            and (checked_in_at is null or checked_out_at is not null)
          order by valid_until limit ${BATCH}::int for update skip locked)
        returning tenant, visitor_id as id`)
      if (gone.length === 0) return 0
      const ids = gone.map(({ id }) => id)
      await tx.query(sql`update audit_log set before = null, after = null,
          input = case when input ? 'VisitorID' then jsonb_build_object('VisitorID', input -> 'VisitorID') else '{}'::jsonb end
        where path = any(${VISITOR_CALLS}::text[]) and tenant = any(${gone.map(({ tenant }) => tenant)}::uuid[])
          and coalesce(after ->> 'VisitorID', before ->> 'VisitorID', input ->> 'VisitorID') = any(${ids}::text[])`)
      return gone.length
    })

  async function dropScans(before: number): Promise<number> {
    const dropped = await db.query(sql`delete from scan_events where scan_event_id in (
      select scan_event_id from scan_events where timestamp <= ${before}::bigint order by timestamp limit ${BATCH}::int)
      returning 1 as one`)
    return dropped.length
  }

  return {
    /** Stops after the batch under way. */
    async close(): Promise<void> {
      closed = true
      cancel()
      await working
    },
  }
}
