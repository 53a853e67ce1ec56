import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Events } from '../../../kernel/events.ts'
import type { Clock, Log } from '../../../kernel/ports.ts'
import type { Db } from '../../../kernel/db.ts'
import { isUniqueViolation } from '../../../store/database-errors.ts'
import { createPartitions } from '../../../store/partitions.ts'
import type { UpdateStateAlarms, Quarantine } from './ports.ts'
import { createDirectory } from './directory.ts'
import { createReportRejections } from './refusals.ts'
import { createSamples } from './store-samples.ts'
import type { Round } from './fold.ts'
import { insertNewRound, storeRound, type StoredRound } from './store-reports.ts'

/** Number of rounds that are stored with a check for existing readings after one contained some. */
const CAREFUL_ROUNDS = 50

/**
 * Stores rounds, each in its own transaction. Readings are mostly new, so it first tries an insert without a check,
 * which halves the database's work; hubs that resend their backlog do so for a while, and then every round is
 * checked.
 */
export function createRoundStore(db: Db): (round: Round, now: number) => Promise<StoredRound> {
  let carefulRounds = 0

  return async (round, now) => {
    if (carefulRounds === 0)
      try {
        return await insertNewRound(db, round, now)
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        carefulRounds = CAREFUL_ROUNDS
      }
    const result = await storeRound(db, round, now)
    carefulRounds = result.stored < round.readings.length ? CAREFUL_ROUNDS : carefulRounds - 1
    return result
  }
}

/** Maximum backward adjustment of a clock, in ms; a larger one means that the clock was set back. */
const MAX_CLOCK_ADJUSTMENT_MS = 1_000
/** Maximum step back that is compensated, in ms; after a larger one the clock counts as wrong before. */
const MAX_CLOCK_STEP_MS = 86_400_000

/**
 * Current time, unaffected when the machine's clock is set back: hubs keep their own time, and their measurements
 * must not appear to come from the future.
 *
 * elapsed  ms of a monotonic clock
 */
export function createMonotonicClock(
  clock: Pick<Clock, 'now'>,
  elapsed = () => performance.now(),
): () => number {
  let latest = -Infinity
  let readAtElapsed = 0
  return () => {
    const now = clock.now()
    const expected = latest + elapsed() - readAtElapsed
    if (now < latest - MAX_CLOCK_ADJUSTMENT_MS && expected - now < MAX_CLOCK_STEP_MS) return expected
    latest = now
    readAtElapsed = elapsed()
    return now
  }
}

export interface IngestOptions {
  db: Db
  events: Events
  clock: Clock
  log: Log
  metrics: Registry
  quarantineReading: Quarantine
  updateStateAlarms: UpdateStateAlarms
}

export type IngestState = ReturnType<typeof createIngestState>

/** Dependencies of report ingestion. */
export function createIngestState(options: IngestOptions) {
  const { db, events, clock, log, metrics, quarantineReading: quarantine, updateStateAlarms } = options
  return {
    db,
    events,
    clock,
    log,
    quarantine,
    updateStateAlarms,
    refuse: createReportRejections({ clock, log, metrics }),
    directory: createDirectory({ db, events, clock }),
    partitions: createPartitions(db, log, { table: 'readings', unit: 1 }),
    eventPartitions: createPartitions(db, log, { table: 'device_events', unit: 1 }),
    samples: createSamples(db, log),
    storeAlone: createRoundStore(db),
    timeIs: createMonotonicClock(clock),
    stored: new Counter({
      name: 'ingest_stored_total',
      help: 'Readings, statuses and samples stored',
      labelNames: ['kind'],
      registers: [metrics],
    }),
    repeatedReadings: new Counter({
      name: 'ingest_repeated_readings_total',
      help: 'Readings that came again and counted once',
      registers: [metrics],
    }),
    seconds: new Histogram({
      name: 'ingest_batch_seconds',
      help: 'Time to store one batch',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 10],
      registers: [metrics],
    }),
    /** Hubs whose clock was ahead by their last status report. */
    aheadHubs: new Set<string>(),
    /** Aborts waiting for an unavailable database. */
    closing: new AbortController(),
  }
}

/** Registers a gauge of reports waiting to be stored. */
export function countWaiting(metrics: Registry, countPending: () => number): void {
  const gauge: Gauge = new Gauge({
    name: 'ingest_waiting',
    help: 'Reports waiting to be stored',
    registers: [],
    collect: () => gauge.set(countPending()),
  })
  metrics.registerMetric(gauge)
}

/** Emits the meters that have new readings in quarantine. */
export function emitQuarantined({ events }: IngestState, meterIds: readonly number[]): void {
  if (meterIds.length > 0) events.emit('readingsQuarantined', { meterIds })
}
