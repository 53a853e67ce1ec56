import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Job } from '../../../kernel/deps.ts'
import type { Clock, Log } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../store/db.ts'
import { rollUpAvailable } from './energy-store.ts'
import { readRetentionFloors } from './energy-floors.ts'

/** Months of meters that are marked at a time: who asks for one of these meters computes no more of it than a month. */
const AT_ONCE = 50
const DAY = 86_400_000

/**
 * Has some months computed again that were made by older rules, the latest first; those of which no reading is kept stay as they are.
 * A month is marked dirty in the transaction that takes it, so any number of gateways may do so, and any may end at any time.
 */
export const recomputeMonths = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const { readings } = await readRetentionFloors(tx)
    // A month of a home's clock may begin and end a day before or after that of UTC.
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

/** Between two looks, in ms. */
const POLL_INTERVAL_MS = 2_000
/** It rests so many times as long as it worked, at most so many ms: storing goes first, and a call that asks computes for itself. */
const REST = { times: 4, longest: 20_000 }
/** Interval at which homes are added up, in ms, also during a long backlog; an earlier call adds its home up itself. */
const HOMES_INTERVAL_MS = 60_000
/** More dirty spans than this are not counted: it is many. */
const MOST_COUNTED = 100_000

export interface RollupJobOptions {
  db: Db
  clock: Clock
  log: Log
  metrics: Registry
  /** Adds up the homes whose meters changed; ends early once it is `closed`. */
  settleHomes: (closed: () => boolean) => Promise<void>
  /** Hears of the meters of which other readings are quarantined now. */
  onQuarantined?: (meterIds: readonly number[]) => void
}

/**
 * Computes the energy of meters whose readings or corrections changed, and of their homes, in the background. Several gateways
 * may do so at a time.
 */
export function createRollupJob({
  db,
  clock,
  log,
  metrics,
  settleHomes,
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
    /** Ends after the batch at hand once it is stopped. */
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
        // Before the last time is after it: the clock was set back.
        if (since >= HOMES_INTERVAL_MS || since < 0) {
          homesAt = clock.now()
          await settleHomes(stopped)
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
