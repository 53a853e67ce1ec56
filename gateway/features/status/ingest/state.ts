import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Events } from '../../../kernel/events.ts'
import type { Clock, Log } from '../../../kernel/ports.ts'
import { type Db, isUniqueViolation } from '../../../store/db.ts'
import { createPartitions } from '../../../store/partitions.ts'
import type { NoteStates, Quarantine } from '../ports.ts'
import { createDirectory } from './directory.ts'
import { createRefusals } from './refusals.ts'
import { createSamples } from './store-samples.ts'
import type { Round } from './fold.ts'
import { insertNewRound, storeRound, type StoredRound } from './store-reports.ts'

/** So many rounds are looked through for readings that are there already after one had some. */
const CAREFUL_ROUNDS = 50

/**
 * Stores rounds, each in a transaction of its own. Readings are mostly new, so that is tried first, which takes the database half
 * the work; hubs that send again what they sent before do so for a while, and then each round is looked through.
 */
export function createRoundStore(db: Db): (round: Round, now: number) => Promise<StoredRound> {
  let careful = 0

  return async (round, now) => {
    if (careful === 0)
      try {
        return await insertNewRound(db, round, now)
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        careful = CAREFUL_ROUNDS
      }
    const result = await storeRound(db, round, now)
    careful = result.stored < round.readings.length ? CAREFUL_ROUNDS : careful - 1
    return result
  }
}

/** A clock that falls by more was set back, in ms; one that is adjusted a little was not. */
const MAX_CLOCK_ADJUSTMENT_MS = 1_000
/** One that falls by more than a day was wrong before, in ms. */
const MAX_CLOCK_STEP_MS = 86_400_000

/**
 * What the time is, and after the machine's clock was set back what it would have been: hubs keep their own time, and what they
 * measure then does not come from the future.
 *
 * elapsed  ms of a clock that nobody sets
 */
export function createMonotonicClock(
  clock: Pick<Clock, 'now'>,
  elapsed = () => performance.now(),
): () => number {
  let latest = -Infinity
  let at = 0
  return () => {
    const now = clock.now()
    const wouldBe = latest + elapsed() - at
    if (now < latest - MAX_CLOCK_ADJUSTMENT_MS && wouldBe - now < MAX_CLOCK_STEP_MS) return wouldBe
    latest = now
    at = elapsed()
    return now
  }
}

export interface IngestOptions {
  db: Db
  events: Events
  clock: Clock
  log: Log
  metrics: Registry
  quarantine: Quarantine
  noteStates: NoteStates
}

export type IngestState = ReturnType<typeof createIngestState>

/** What taking reports stands on. */
export function createIngestState(options: IngestOptions) {
  const { db, events, clock, log, metrics, quarantine, noteStates } = options
  return {
    db,
    events,
    clock,
    log,
    quarantine,
    noteStates,
    refuse: createRefusals({ clock, log, metrics }),
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
    /** Ends the waiting for an absent database. */
    closing: new AbortController(),
  }
}

/** Shows how many reports wait to be stored. */
export function countWaiting(metrics: Registry, waiting: () => number): void {
  const gauge: Gauge = new Gauge({
    name: 'ingest_waiting',
    help: 'Reports waiting to be stored',
    registers: [],
    collect: () => gauge.set(waiting()),
  })
  metrics.registerMetric(gauge)
}

/** Tells of meters that have more readings in quarantine. */
export function emitQuarantined({ events }: IngestState, meterIds: readonly number[]): void {
  if (meterIds.length > 0) events.emit('readingsQuarantined', { meterIds })
}
