import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Job } from '../../../kernel/feature.ts'
import type { Clock, Log } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { rollUpAvailable } from './roll-up.ts'
import { readRetentionFloors } from './energy-floors.ts'

/** Maximum number of meter-months marked at a time; a call for one of these meters then computes at most one month more. */
const AT_ONCE = 50
const DAY = 86_400_000

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
        select meter_id, (first - date '1970-01-01' - 1) * ${DAY}::bigint as begins,
          ((first + interval '1 month')::date - date '1970-01-01' + 1) * ${DAY}::bigint as ends
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
const MOST_COUNTED = 100_000

export interface RollupJobOptions {
  db: Db
  clock: Clock
  log: Log
  metrics: Registry
  /** Rolls up the homes whose meters changed; stops early once `closed` returns true. */
  rollUpHomes: (closed: () => boolean) => Promise<void>
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
  const waiting: Gauge = new Gauge({
    name: 'energy_dirty_spans',
    help: `Spans of time whose energy waits to be computed, at most ${MOST_COUNTED}`,
    registers: [],
    async collect() {
      const [row] = await db
        .query<{ spans: number }>(
          sql`select count(*) as spans from (select from meter_dirty limit ${MOST_COUNTED}::int) as d`,
        )
        .catch(() => [])
      if (row) waiting.set(row.spans)
    },
  })
  metrics.registerMetric(waiting)
  let homesAt = -Infinity

  return {
    name: 'energy roll-up',
    every: POLL_INTERVAL_MS,
    /** Stops after the current batch. */
    async run(stopped) {
      const started = clock.now()
      const isLate = () => clock.now() - started >= HOMES_INTERVAL_MS
      let isCut = false
      try {
        await rollUpAvailable(db, log, {
          onBatch: () => seconds.startTimer(),
          closed: () => {
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
