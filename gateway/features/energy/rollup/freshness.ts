import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { Clock } from '../../../kernel/ports.ts'
import { rollUp } from './roll-up.ts'
import { type PendingRollup, rollUpHome, type RollupScope } from './roll-up-home.ts'

/** Dependencies of reading energy. */
export interface EnergyDeps {
  db: Db
  clock: Pick<Clock, 'now'>
  /** Receives the meters whose set of quarantined readings changed. */
  onQuarantined?: ((meterIds: readonly number[]) => void) | undefined
}

/** Months of a home that a read needs. */
export interface HomeMonths {
  scope: RollupScope
  /** Ranges of months, both ends inclusive. */
  ranges: readonly { from: number; through: number }[]
  /** Pending roll-up of the home if the caller has read it and no meter changed since; by default it is read. */
  pending?: PendingRollup | undefined
}

/**
 * Brings the energy that a read needs up to date: the changed readings of its meters, then the changed months of its home. The only
 * function by which a read may write. Cheap if nothing changed; a larger backlog is left to the roll-up job.
 *
 * returns  false, without computing anything, if a backlog of the meters would keep the caller waiting
 */
export async function ensureFresh(
  { db, clock, onQuarantined }: EnergyDeps,
  meterIds: readonly number[],
  home?: HomeMonths,
): Promise<boolean> {
  if (await hasBacklog(db, meterIds, clock.now())) return false
  await rollUp(db, meterIds, onQuarantined)
  for (const { from, through } of home?.ranges ?? [])
    await rollUpHome(db, (home as HomeMonths).scope, from, through, home?.pending)
  return true
}

const DAY_MS = 86_400_000
/** Maximum number of meter-days that a call computes before it answers, which takes a few seconds. More are left to the roll-up job. */
const MAX_METER_DAYS = 3_000
/** Maximum number of dirty spans that a call computes before it answers. */
const MAX_SPANS = 20_000
/** Maximum length that a span counts with: one that begins in 1970 belongs to a younger meter. */
const MAX_SPAN_DAYS = 366

/** Whether these meters have a larger backlog than a call should compute before it answers. */
async function hasBacklog(db: Db, meterIds: readonly number[], now: number): Promise<boolean> {
  if (meterIds.length === 0) return false
  const [row] = await db.query<{ spans: number; days: number }>(sql`
    select count(*)::int as spans,
      coalesce(sum(least((least(through_timestamp, ${now}::bigint) - from_timestamp) / ${DAY_MS}::bigint, ${MAX_SPAN_DAYS}::int)), 0)::float8 as days
    from (select from_timestamp, through_timestamp from meter_dirty
      where meter_id = any(${numberArray(meterIds)}::int[]) and from_timestamp <= through_timestamp
      limit ${MAX_SPANS + 1}::int) as d`)
  return (row?.spans ?? 0) > MAX_SPANS || (row?.days ?? 0) > MAX_METER_DAYS
}

/** Number of meters per day for which some of that day still waits to be rolled up; days without any are absent. */
export async function pendingDays(
  db: Db,
  meterIds: readonly number[],
  fromDay: number,
  endDay: number,
  zone: string,
): Promise<Map<number, number>> {
  if (meterIds.length === 0 || fromDay >= endDay) return new Map()
  const dayOf = (column: 'from' | 'through') =>
    sql`((to_timestamp(${column === 'from' ? sql`greatest(from_timestamp, 0)` : sql`least(through_timestamp, ${(endDay + 1) * DAY_MS}::bigint)`} / 1000.0) at time zone ${zone})::date - date '1970-01-01')`
  const rows = await db.query<{ day: number; meters: number }>(sql`
    select day, count(distinct meter_id)::int as meters
    from (select meter_id, ${dayOf('from')} as first, ${dayOf('through')} as last from meter_dirty
      where meter_id = any(${numberArray(meterIds)}::int[]) and from_timestamp <= through_timestamp) d
    cross join lateral generate_series(greatest(first, ${fromDay}::int), least(last, ${endDay - 1}::int)) as day
    group by day`)
  return new Map(rows.map(({ day, meters }) => [day, meters]))
}

/**
 * Percentage, 0 to 99, of some days of meters that is computed; undefined if nothing of these days waits.
 *
 * ranges  day numbers (`dayOf`), `endDay` exclusive
 */
export async function computedPercentOf(
  db: Db,
  meterIds: readonly number[],
  ranges: readonly (readonly [fromDay: number, endDay: number])[],
  zone: string,
): Promise<number | undefined> {
  let [pending, all] = [0, 0]
  for (const [from, end] of ranges) {
    for (const meters of (await pendingDays(db, meterIds, from, end, zone)).values()) pending += meters
    all += meterIds.length * Math.max(0, end - from)
  }
  return pending === 0 ? undefined : Math.min(99, Math.floor(100 * (1 - pending / all)))
}
