import { Counter, type Registry } from 'prom-client'
import type { Job } from '../kernel/deps.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import { type Db, raw, type Sql, sql } from './db.ts'
import { createPartitions, dropMonths, type Monthly } from './partitions.ts'

/** Rows deleted at a time, so that nobody waits for them. */
export const BATCH = 1_000
/** Between two batches, in ms. */
const BATCH_PAUSE_MS = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface RetentionOptions {
  db: Db
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
  metrics: Registry
}

/** Rows of a table that are deleted once they were kept long enough. */
export interface RetentionTarget {
  table: string
  /** Deletes at most BATCH of them; answers how many went. */
  trim(): Promise<number>
}

/** Rows that were kept for so many days; none where that is 0, which is without limit. */
export const deleteOlderThan = (
  { db, clock }: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
  tables: Readonly<Record<string, (before: number) => Sql>>,
): RetentionTarget[] =>
  days > 0
    ? Object.entries(tables).map(([table, batch]) => ({
        table,
        trim: async () => (await db.query(batch(clock.now() - days * DAY))).length,
      }))
    : []

/** A table that is divided by the months (UTC) of a column in epoch ms, and the key that tells its rows apart within a partition. */
export interface MonthlyLog {
  table: Monthly['table']
  at: string
  key: string
}

/**
 * Whole months of a table that were kept for so many days, so that rows stay up to a month longer; and of what lies outside of
 * months the rows. None where that is 0, which is without limit.
 */
export const dropMonthsOlderThan = (
  { db, clock }: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
  { table, at, key }: MonthlyLog,
): RetentionTarget[] => {
  const [rest, column, columns] = [raw(`${table}_default`), raw(at), raw(key)]
  const trim = async () => {
    const before = clock.now() - days * DAY
    await dropMonths(db, table, before)
    const gone = await db.query(sql`delete from ${rest} where (${columns}) in (
      select ${columns} from ${rest} where ${column} <= ${before}::bigint limit ${BATCH}::int) returning 1 as one`)
    return gone.length
  }
  return days > 0 ? [{ table, trim }] : []
}

/** Makes the partitions of a table before their months begin: at the start of a gateway, and each hour. */
export function createPartitionsAhead(
  { db, clock, log }: Pick<RetentionOptions, 'db' | 'clock' | 'log'>,
  { table }: Pick<MonthlyLog, 'table'>,
): { prepare(): Promise<void>; job: Job } {
  const { prepareAhead } = createPartitions(db, log, { table, unit: 1 })
  const prepare = () =>
    // Rows whose month has no partition are stored all the same.
    prepareAhead(clock.now()).catch((err: unknown) =>
      log.warn({ err, table }, 'partition not created, will retry'),
    )
  return { prepare, job: { name: `months of ${table}`, every: HOUR, run: prepare } }
}

/** An hourly job that deletes old rows: a batch of each table, and again after a pause while a batch was full. */
export function createRetentionJob(
  name: string,
  { log, metrics }: RetentionOptions,
  expiring: readonly RetentionTarget[],
): Job {
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
          log.warn({ err, table }, 'old rows not deleted, will retry')
        }
      }
      return more ? BATCH_PAUSE_MS : undefined
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
