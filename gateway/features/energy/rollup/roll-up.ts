import type pg from 'pg'
import { Gauge, Histogram, type Registry } from 'prom-client'
import { monthOfDay, DAY_MS } from '../../../../contract/time/periods.ts'
import { createPartitions } from '../../../store/partitions.ts'
import type { Log, Clock } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { numberArray } from '../../../store/sql.ts'
import type { Job } from '../../../kernel/feature.ts'
import {
  lockAvailableMeters,
  lockMeters,
  listDirty,
  type DirtySpan,
  markDirty,
  consumeDirtySpans,
} from './dirty-spans.ts'
import { rollUpSpans } from './readings-to-days.ts'
import { repack, type MeterClock } from './meter-days.ts'
import { readRetentionFloors } from './energy-floors.ts'

/**
 * Records the last reading of each of these meters, quarantined ones included, or that there is none, in the transaction that consumes
 * their dirty spans. As long as the previous last reading exists, no earlier partition is searched.
 */
const recordLastReadings = (tx: Db, meterIds: readonly number[]) =>
  tx.query(sql`
    with wanted as (
      select w.meter_id, k.timestamp from unnest(${numberArray(meterIds)}::int[]) as w (meter_id)
      left join meter_last k on k.meter_id = w.meter_id
    ), found as materialized (
      select r.* from wanted w cross join lateral (
        (select * from readings where meter_id = w.meter_id and timestamp >= w.timestamp order by timestamp desc limit 1)
        union all
        (select * from readings where meter_id = w.meter_id order by timestamp desc limit 1)
        limit 1) r
    ), noted as (
      insert into meter_last as l (meter_id, timestamp, accumulate_power, power, avg_electric_current)
      select meter_id, timestamp, accumulate_power, power, avg_electric_current from found
      on conflict (meter_id) do update set timestamp = excluded.timestamp, accumulate_power = excluded.accumulate_power,
        power = excluded.power, avg_electric_current = excluded.avg_electric_current
      where (l.timestamp, l.accumulate_power, l.power, l.avg_electric_current)
        is distinct from (excluded.timestamp, excluded.accumulate_power, excluded.power, excluded.avg_electric_current)
    )
    delete from meter_last l using wanted w
    where l.meter_id = w.meter_id and not exists (select from found f where f.meter_id = w.meter_id)`)

type OnQuarantined = (meterIds: readonly number[]) => void

/** Meters computed in one transaction; few enough to keep their locks short. */
const METERS_AT_ONCE = 50

/**
 * Rolls up all changes of these meters, or of all meters if omitted, so that subsequent reads are never stale. Cheap if nothing changed;
 * may run concurrently.
 *
 * onQuarantined  receives the meters whose set of quarantined readings changed
 */
export async function rollUp(
  db: Db,
  meterIds?: readonly number[],
  onQuarantined?: OnQuarantined,
): Promise<void> {
  if (meterIds?.length === 0) return
  for (let after = 0; ;) {
    const dirty = await listDirty(db, { meterIds, after, limit: METERS_AT_ONCE })
    if (dirty.length === 0) return
    let rest = dirty
    while (rest.length > 0) rest = await rollUpMeters(db, rest, { wait: true, onQuarantined })
    after = dirty.at(-1) as number
  }
}

/**
 * As `rollUp` for all meters, but skips meters that another transaction has locked and those that fail.
 *
 * onBatch        called at the start of every transaction; its result is called at the end
 * onQuarantined  receives the meters whose set of quarantined readings changed
 */
async function rollUpAvailable(
  db: Db,
  log: Log,
  {
    onBatch,
    isClosed,
    onQuarantined,
  }: { onBatch(): () => void; isClosed(): boolean; onQuarantined?: OnQuarantined },
): Promise<void> {
  for (let after = 0; !isClosed();) {
    const dirty = await listDirty(db, { after, limit: METERS_AT_ONCE })
    if (dirty.length === 0) return
    const end = onBatch()
    try {
      for (let rest = dirty; rest.length > 0 && !isClosed();)
        rest = await rollUpMeters(db, rest, { wait: false, onQuarantined })
    } catch (error) {
      log.warn({ err: error, meters: dirty.length }, 'batch roll-up failed, computing meters one by one')
      for (const one of dirty) {
        if (isClosed()) return
        await rollUpMeters(db, [one], { wait: false, onQuarantined }).catch((err: unknown) =>
          log.error({ err, meterId: one }, 'meter roll-up failed'),
        )
      }
    }
    end()
    after = dirty.at(-1) as number
  }
}

/**
 * One transaction: consumes the dirty spans of these meters, recomputes their days and months and records their last readings.
 *
 * returns  the meters that still have changes to compute
 */
async function rollUpMeters(
  db: Db,
  meterIds: readonly number[],
  { wait: isWaiting, onQuarantined }: { wait: boolean; onQuarantined: OnQuarantined | undefined },
): Promise<number[]> {
  await prepareMonths(db, meterIds)
  const changedMeters = new Set<number>()
  const remaining = await db.transaction(async (tx) => {
    if (isWaiting) await lockMeters(tx, meterIds)
    const locked = isWaiting ? meterIds : await lockAvailableMeters(tx, meterIds)
    const spans = await consumeDirtySpans(tx, locked)
    if (spans.length === 0) return []
    const clocks = await readClocks(tx, spans)
    for (const clock of clocks.values()) await repack(tx, clock)
    await recordLastReadings(tx, [...clocks.keys()])

    const now = new Map<number, DirtySpan>()
    const laterSpans: DirtySpan[] = []
    for (const span of spans) {
      if (span.from > span.through || !clocks.has(span.meterId)) continue
      if (now.has(span.meterId)) laterSpans.push(span)
      else now.set(span.meterId, span)
    }
    if (now.size > 0) laterSpans.push(...(await rollUpSpans(tx, [...now.values()], clocks, changedMeters)))
    await markDirty(tx, laterSpans)
    return [...new Set(laterSpans.map(({ meterId }) => meterId))].sort((a, b) => a - b)
  })
  if (changedMeters.size > 0) onQuarantined?.([...changedMeters])
  return remaining
}

/** Reads the time zone of each meter's home, and the one in which its days are stored; nothing for a deleted meter. */
async function readClocks(tx: Db, spans: readonly DirtySpan[]): Promise<Map<number, MeterClock>> {
  const rows = await tx.query<MeterClock>(sql`
    select m.meter_id as "meterId", h.time_zone as zone, c.time_zone as packed
    from meters m join homes h on h.tenant = m.tenant and h.home_id = m.home_id
    left join meter_clocks c on c.meter_id = m.meter_id
    where m.meter_id = any(${[...new Set(spans.map(({ meterId }) => meterId))]}::int[])`)
  return new Map(rows.map((row) => [row.meterId, row]))
}

/** Creates partitions before any table is read, because attaching one would otherwise wait for this transaction. */
async function prepareMonths(db: Db, meterIds: readonly number[]): Promise<void> {
  const [dirty] = await db.query<{ from: number | null; through: number | null }>(sql`
    select min(from_timestamp) as from, max(through_timestamp) as through from meter_dirty
    where meter_id = any(${[...meterIds]}::int[]) and from_timestamp <= through_timestamp`)
  if (!dirty || dirty.from === null || dirty.through === null) return
  const now = Date.now()
  const through = Math.min(dirty.through, now)
  const moments = [through]
  for (let at = Math.max(dirty.from, now - YEARS); at < through; at += MIN_MONTH_MS) moments.push(at)
  const prepared = preparedMonths.get(db.pool) ?? new Set<number>()
  const months = new Map(moments.map((at) => [monthOfDay(Math.floor(at / DAYS.unit)), at]))
  const missing = [...months].filter(([month]) => !prepared.has(month))
  if (missing.length === 0) return
  await createPartitions(db, silent, DAYS).prepare(
    missing.map(([, at]) => at),
    now,
  )
  preparedMonths.set(db.pool, prepared)
  for (const [month] of missing) prepared.add(month)
}

const DAYS = { table: 'meter_days', unit: 86_400_000 } as const
/** A lower bound of the length of a month, and the age beyond which months have no partition of their own, in ms. */
const MIN_MONTH_MS = 28 * 86_400_000
const YEARS = 37 * 31 * 86_400_000
const preparedMonths = new WeakMap<pg.Pool, Set<number>>()
const silent: Pick<Log, 'warn'> = { warn: () => {} }

/** Maximum number of meter-months marked at a time; a call for one of these meters then computes at most one month more. */
const AT_ONCE = 50
/**
 * Schedules the recomputation of months that older rules computed, the latest first; months whose readings have expired are kept. Takes and
 * marks a month in one transaction, so any number of gateways may run it and stop at any time.
 */
export const recomputeMonths = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const { readings } = await readRetentionFloors(tx)
    // A month in the home's time zone may start and end a day before or after the UTC month.
    await tx.query(sql`
      with latest as (
        select meter_id, month from meter_remakes order by month desc, meter_id limit ${AT_ONCE}::int for update skip locked
      ), taken as (
        delete from meter_remakes r using latest l where r.meter_id = l.meter_id and r.month = l.month
        returning r.meter_id, make_date(r.month / 12, r.month % 12 + 1, 1) as first
      ), spans as (
        select meter_id, (first - date '1970-01-01' - 1) * ${DAY_MS}::bigint as begins,
          ((first + interval '1 month')::date - date '1970-01-01' + 1) * ${DAY_MS}::bigint as ends
        from taken
      )
      insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
      select s.meter_id, greatest(s.begins, ${readings}::bigint, r.timestamp), s.ends from spans s
      cross join lateral (select timestamp from readings where meter_id = s.meter_id order by timestamp limit 1) r
      where greatest(${readings}::bigint, r.timestamp) <= s.ends`)
  })

/** Interval between two polls, in ms. */
const POLL_INTERVAL_MS = 2_000
/** Pause in proportion to the working time, at most `longest` ms: ingestion has priority, and calls roll up what they need themselves. */
const REST = { times: 4, longest: 20_000 }
/** Interval at which homes are rolled up, in ms, even during a long backlog; a call in between rolls up its own home. */
const HOMES_INTERVAL_MS = 60_000
/** Maximum number of dirty spans that the metric counts. */
const MAX_COUNTED = 100_000

export interface RollupJobOptions {
  db: Db
  clock: Clock
  log: Log
  metrics: Registry
  /** Rolls up the homes whose meters changed; stops early once `isClosed` returns true. */
  rollUpHomes: (isClosed: () => boolean) => Promise<void>
  /** Receives the meters whose set of quarantined readings changed. */
  onQuarantined?: (meterIds: readonly number[]) => void
}

/** Background job that rolls up changed meters and their homes. Several gateways may run it at a time. */
export function createRollupJob({
  db,
  clock,
  log,
  metrics,
  rollUpHomes,
  onQuarantined,
}: RollupJobOptions): Job {
  const seconds = new Histogram({
    name: 'energy_roll_up_seconds',
    help: 'Time to compute the energy of a batch of meters',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 10],
    registers: [metrics],
  })
  const pendingGauge: Gauge = new Gauge({
    name: 'energy_dirty_spans',
    help: `Spans of time whose energy waits to be computed, at most ${MAX_COUNTED}`,
    registers: [],
    async collect() {
      const [row] = await db
        .query<{ spans: number }>(
          sql`select count(*) as spans from (select from meter_dirty limit ${MAX_COUNTED}::int) as d`,
        )
        .catch(() => [])
      if (row) pendingGauge.set(row.spans)
    },
  })
  metrics.registerMetric(pendingGauge)
  let homesAt = -Infinity

  return {
    name: 'energy roll-up',
    intervalMs: POLL_INTERVAL_MS,
    /** Stops after the current batch. */
    async run(stopped) {
      const started = clock.now()
      const isLate = () => clock.now() - started >= HOMES_INTERVAL_MS
      let isCut = false
      try {
        await rollUpAvailable(db, log, {
          onBatch: () => seconds.startTimer(),
          isClosed: () => {
            isCut ||= isLate()
            return isCut || stopped()
          },
          ...(onQuarantined && { onQuarantined }),
        })
        const since = clock.now() - homesAt
        // A negative difference means that the clock was set back.
        if (since >= HOMES_INTERVAL_MS || since < 0) {
          homesAt = clock.now()
          await rollUpHomes(stopped)
        }
        if (!stopped()) await recomputeMonths(db)
      } catch (err) {
        log.warn({ err }, 'energy roll-up failed, will retry')
      }
      if (isCut) return POLL_INTERVAL_MS
      const rest = Math.min(REST.times * (clock.now() - started), REST.longest)
      return Math.max(POLL_INTERVAL_MS, rest)
    },
  }
}
