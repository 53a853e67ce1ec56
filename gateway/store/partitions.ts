import pg from 'pg'
import type { Log } from '../kernel/ports.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { type Db, type Sql, raw, sql } from '../kernel/db.ts'

/** Number of past months with their own partition; older rows are in the default one. */
const MONTHS_BACK = 36

/** Months since year 0, in UTC. */
const monthOf = (timestamp: number): number => {
  const date = new Date(timestamp)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
const startOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12)

/** Table partitioned by months, and ms per unit of its key: 1 if the key is epoch ms. */
export interface Monthly {
  table: 'readings' | 'device_samples' | 'meter_days' | 'commands' | 'device_events' | 'audit_log'
  unit: number
}

/** Creates the monthly partitions that rows need. */
export function createPartitions(db: Db, log: Pick<Log, 'warn'>, { table, unit }: Monthly) {
  const existing = new Set<number>()
  /** Fast path, because most readings are of one month: its range, once its partition exists. */
  let current = { from: Infinity, to: -Infinity }

  async function createPartition(month: number): Promise<void> {
    const name = raw(`${table}_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`)
    const [from, to] = [raw(String(startOf(month) / unit)), raw(String(startOf(month + 1) / unit))]
    await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.partitions})`)
      const [found] = await tx.query<{ there: boolean }>(
        sql`select to_regclass(${name.sql}) is not null as there`,
      )
      if (found?.there) return
      // Unlike creating in place, attaching does not block access to the other partitions. Identity numbers are those of the whole table.
      await tx.query(sql`create table ${name} (like ${raw(table)} including all excluding identity)`)
      await tx.query(
        sql`alter table ${raw(table)} attach partition ${name} for values from (${from}) to (${to})`,
      )
    })
  }

  /** Resolves when every timestamp (epoch ms) up to a little after `now` has its partition. */
  async function prepare(timestamps: readonly number[], now: number): Promise<void> {
    if (timestamps.every((timestamp) => timestamp >= current.from && timestamp < current.to)) return
    const newestMonth = monthOf(now) + 1
    for (const month of new Set(Array.from(timestamps, monthOf))) {
      if (existing.has(month) || month > newestMonth || month < newestMonth - MONTHS_BACK) continue
      try {
        await createPartition(month)
      } catch (error) {
        // The default partition already contains rows of this month, which stay accessible there.
        if (!(error instanceof pg.DatabaseError && error.code === '23514')) throw error
        log.warn(
          { table, month: new Date(startOf(month)).toISOString() },
          'month kept in the default partition',
        )
      }
      existing.add(month)
      current = { from: startOf(month), to: startOf(month + 1) }
    }
  }

  return {
    prepare,
    /** Resolves when this month and the next have their partitions. */
    prepareAhead: (now: number): Promise<void> => prepare([now, startOf(monthOf(now) + 1)], now),
  }
}

/**
 * Partitions that end at or before a bound of their table's key; their bounds read FOR VALUES FROM (…) TO (…).
 *
 * before  in units of the key
 */
export const monthsBefore = (db: Db, table: Monthly['table'], before: number): Promise<{ name: string }[]> =>
  db.query(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass
      and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''?(-?\\d+)')::bigint <= ${before}::bigint
    order by 1`)

/** Drops partitions that end at or before a bound of their table's key; returns their number. */
export async function dropMonths(db: Db, table: Monthly['table'], before: number): Promise<number> {
  const months = await monthsBefore(db, table, before)
  for (const { name } of months)
    await withShortLocks(db, (tx) => tx.query(sql`drop table if exists ${raw(name)}`))
  return months.length
}

/**
 * Runs a transaction with a short lock timeout: dropping waits for readers of the table, and all later ones wait for it, so it is better
 * retried.
 */
export const withShortLocks = (db: Db, task: (tx: Db) => Promise<unknown>): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(sql`set local lock_timeout = '2s'`)
    await task(tx)
  })

/** Repeats a deleting statement, whose batches are small enough not to block others, until it finds fewer rows. */
export async function deleteInBatches(db: Db, batchSize: number, statement: Sql): Promise<void> {
  while ((await db.query(statement)).length >= batchSize);
}
