import { Counter, type Registry } from 'prom-client'
import type { Job } from '../kernel/feature.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import { type Db, raw, type Sql, sql } from '../kernel/db.ts'
import { createPartitions, dropMonths, type Monthly } from './partitions.ts'

/** Rows deleted per batch, so that others are not blocked. */
export const BATCH = 1_000
const BATCH_PAUSE_MS = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface RetentionOptions {
  db: Db
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
  metrics: Registry
}

/** Rows of a table that are deleted after their retention. */
export interface RetentionTarget {
  table: string
  /** Deletes at most BATCH rows; returns their number. */
  deleteBatch(): Promise<number>
}

/** Rows older than a number of days; none for 0, which means without limit. */
export const deleteOlderThan = (
  { db, clock }: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
  tables: Readonly<Record<string, (before: number) => Sql>>,
): RetentionTarget[] =>
  days > 0
    ? Object.entries(tables).map(([table, batch]) => ({
        table,
        deleteBatch: async () => (await db.query(batch(clock.now() - days * DAY))).length,
      }))
    : []

/** Table partitioned by months (UTC) of a column in epoch ms, and its unique key within a partition. */
export interface MonthlyLog {
  table: Monthly['table']
  at: string
  key: string
}

/**
 * Drops whole months older than a number of days, so that rows stay up to a month longer, and deletes old rows of the default partition.
 * None for 0, which means without limit.
 */
export const dropMonthsOlderThan = (
  { db, clock }: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
  { table, at, key }: MonthlyLog,
): RetentionTarget[] => {
  const [defaultPartition, column, columns] = [raw(`${table}_default`), raw(at), raw(key)]
  const deleteExpired = async () => {
    const before = clock.now() - days * DAY
    await dropMonths(db, table, before)
    const deleted = await db.query(sql`delete from ${defaultPartition} where (${columns}) in (
      select ${columns} from ${defaultPartition} where ${column} <= ${before}::bigint limit ${BATCH}::int) returning 1 as one`)
    return deleted.length
  }
  return days > 0 ? [{ table, deleteBatch: deleteExpired }] : []
}

/** Creates the partitions of a table before their months begin: at the start of a gateway, and every hour. */
export function createFuturePartitions(
  { db, clock, log }: Pick<RetentionOptions, 'db' | 'clock' | 'log'>,
  { table }: Pick<MonthlyLog, 'table'>,
): { prepare(): Promise<void>; job: Job } {
  const { prepareAhead: prepareFuturePartitions } = createPartitions(db, log, { table, unit: 1 })
  const prepare = () =>
    // Rows of a month without a partition are stored anyway.
    prepareFuturePartitions(clock.now()).catch((err: unknown) =>
      log.warn({ err, table }, 'partition not created, will retry'),
    )
  return { prepare, job: { name: `months of ${table}`, intervalMs: HOUR, run: prepare } }
}

/** Hourly job that deletes expired rows: one batch per table, repeated after a pause while a batch was full. */
export function createRetentionJob(
  name: string,
  { log, metrics }: RetentionOptions,
  targets: readonly RetentionTarget[],
): Job {
  const deletedCounter = deletedRowsCounter(metrics)
  return {
    name,
    intervalMs: HOUR,
    async run(isStopped) {
      let hasMore = false
      for (const { table, deleteBatch } of targets) {
        if (isStopped()) return undefined
        try {
          const count = await deleteBatch()
          deletedCounter.inc({ table }, count)
          hasMore ||= count === BATCH
        } catch (err) {
          log.warn({ err, table }, 'old rows not deleted, will retry')
        }
      }
      return hasMore ? BATCH_PAUSE_MS : undefined
    },
  }
}

/** Counter shared by all jobs of a gateway. */
const deletedRowsCounter = (metrics: Registry): Counter =>
  (metrics.getSingleMetric('store_expired_rows_total') as Counter | undefined) ??
  new Counter({
    name: 'store_expired_rows_total',
    help: 'Rows deleted because they were kept long enough',
    labelNames: ['table'],
    registers: [metrics],
  })
