import { Counter, type Registry } from 'prom-client'
import type { Job } from '../deps.ts'
import type { Clock, Log } from '../ports.ts'
import type { Db, Sql } from './db.ts'

/** Rows deleted at a time, so that nobody waits for them. */
export const BATCH = 1_000
/** Between two batches, in ms. */
const PAUSE = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface ExpiryOptions {
  db: Db
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
  metrics: Registry
}

/** Rows of a table that are deleted once they were kept long enough. */
export interface Expiring {
  table: string
  /** Deletes at most BATCH of them; answers how many went. */
  trim(): Promise<number>
}

/** Rows that were kept for so many days; none where that is 0, which is without limit. */
export const olderThan = (
  { db, clock }: Pick<ExpiryOptions, 'db' | 'clock'>,
  days: number,
  tables: Readonly<Record<string, (before: number) => Sql>>,
): Expiring[] =>
  days > 0
    ? Object.entries(tables).map(([table, batch]) => ({
        table,
        trim: async () => (await db.query(batch(clock.now() - days * DAY))).length,
      }))
    : []

/** An hourly job that deletes old rows: a batch of each table, and again after a pause while a batch was full. */
export function expiry(name: string, { log, metrics }: ExpiryOptions, expiring: readonly Expiring[]): Job {
  const deleted = deletedRows(metrics)
  return {
    name,
    every: HOUR,
    async run(stopped) {
      let more = false
      for (const { table, trim } of expiring) {
        if (stopped()) return undefined
        try {
          const count = await trim()
          deleted.inc({ table }, count)
          more ||= count === BATCH
        } catch (err) {
          log.warn({ err, table }, 'Old rows stay for now')
        }
      }
      return more ? PAUSE : undefined
    },
  }
}

/** One counter for all jobs of a gateway. */
const deletedRows = (metrics: Registry): Counter =>
  (metrics.getSingleMetric('store_expired_rows_total') as Counter | undefined) ??
  new Counter({
    name: 'store_expired_rows_total',
    help: 'Rows deleted because they were kept long enough',
    labelNames: ['table'],
    registers: [metrics],
  })
