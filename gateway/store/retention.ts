import { Counter, type Registry } from 'prom-client'
import type { Clock, Log } from '../ports.ts'
import { type Db, type Sql, sql } from './db.ts'
import { createEventCap } from '../features/devices/event-cap.ts'

/** How long rows are kept, in ms; 0 for ever. */
export interface Kept {
  /** Commands, from their end. */
  commands: number
  /** What happened at devices, and when hubs were away, from their return. */
  events: number
  /** Who changed what. */
  audit: number
  /** Firmware updates, from the end of their job. */
  ota: number
  /** Results of RequestIDs. */
  results: number
}

export interface RetentionOptions {
  db: Db
  clock: Clock
  log: Log
  metrics: Registry
  keep: Kept
  /** The most that is kept of what happened at one device; 0 for no limit. */
  eventsOfDevice: number
}

/** Rows deleted at a time, so that nobody waits for them. */
export const BATCH = 1_000
/** Between two batches, and between two looks when nothing is old, in ms. */
const PAUSE = 1_000
const HOUR = 3_600_000

/** Deletes old rows in the background: a batch of each table, and again after a pause while a batch was full. */
export function createRetention({ db, clock, log, metrics, keep, eventsOfDevice }: RetentionOptions) {
  const deleted = new Counter({
    name: 'store_expired_rows_total',
    help: 'Rows deleted because they were kept long enough',
    labelNames: ['table'],
    registers: [metrics],
  })
  const trimEvents = createEventCap(db, eventsOfDevice)
  let cancel = clock.after(HOUR, run)
  let closed = false
  let working = Promise.resolve()

  function run() {
    working = work()
  }

  async function work(): Promise<void> {
    let more = false
    async function step(table: string, trim: () => Promise<number>) {
      if (closed) return
      try {
        const count = await trim()
        deleted.inc({ table }, count)
        more ||= count === BATCH
      } catch (err) {
        log.warn({ err, table }, 'Old rows stay for now')
      }
    }
    for (const { table, age, batch } of TABLES)
      if (keep[age] > 0)
        await step(table, async () => (await db.query(batch(clock.now() - keep[age]))).length)
    if (eventsOfDevice > 0) await step('device_events', trimEvents)
    if (!closed) cancel = clock.after(more ? PAUSE : HOUR, run)
  }

  return {
    /** Stops after the batch that is being deleted. */
    async close(): Promise<void> {
      closed = true
      cancel()
      await working
    },
  }
}

const TABLES: readonly { table: string; age: keyof Kept; batch: (before: number) => Sql }[] = [
  {
    table: 'commands',
    age: 'commands',
    batch: (before) => sql`delete from commands where (tenant, request_id, peripheral_uid) in (
      select tenant, request_id, peripheral_uid from commands where settled_at <= ${before}::bigint
      order by settled_at limit ${BATCH}::int) returning 1 as one`,
  },
  {
    table: 'device_events',
    age: 'events',
    batch: (before) => sql`delete from device_events where (tenant, peripheral_uid, timestamp, field) in (
      select tenant, peripheral_uid, timestamp, field from device_events where timestamp <= ${before}::bigint
      order by timestamp limit ${BATCH}::int) returning 1 as one`,
  },
  {
    table: 'hub_absences',
    age: 'events',
    batch: (before) => sql`delete from hub_absences where (thing_name, since) in (
      select thing_name, since from hub_absences where until <= ${before}::bigint
      order by until limit ${BATCH}::int) returning 1 as one`,
  },
  {
    table: 'audit_log',
    age: 'audit',
    batch: (before) => sql`delete from audit_log where audit_id in (
      select audit_id from audit_log where at <= ${before}::bigint order by at limit ${BATCH}::int) returning 1 as one`,
  },
  {
    table: 'ota_updates',
    age: 'ota',
    batch: (before) => sql`delete from ota_updates where request_id in (
      select u.request_id from ota_jobs j join ota_updates u on u.tenant = j.tenant and u.ota_job_id = j.ota_job_id
      where j.ended_at <= ${before}::bigint limit ${BATCH}::int) returning 1 as one`,
  },
  {
    // After their updates, of which one may have thousands.
    table: 'ota_jobs',
    age: 'ota',
    batch: (before) => sql`delete from ota_jobs where (tenant, ota_job_id) in (
      select j.tenant, j.ota_job_id from ota_jobs j where j.ended_at <= ${before}::bigint and not exists (
        select from ota_updates u where u.tenant = j.tenant and u.ota_job_id = j.ota_job_id)
      limit ${BATCH}::int) returning 1 as one`,
  },
  {
    table: 'request_results',
    age: 'results',
    batch: (before) => sql`delete from request_results where (tenant, cognito_id, request_id) in (
      select tenant, cognito_id, request_id from request_results where created_at <= ${before}::bigint
      order by created_at limit ${BATCH}::int) returning 1 as one`,
  },
]
