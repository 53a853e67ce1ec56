import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Events } from '../../../kernel/events.ts'
import type { Clock, Log } from '../../../kernel/ports.ts'
import type { Db } from '../../../store/db.ts'
import { createPartitions } from '../../../store/partitions.ts'
import type { NoteStates, Quarantine } from '../ports.ts'
import { createDirectory } from './directory.ts'
import { createRoundStore } from './new-rounds.ts'
import { createMonotonicClock } from './monotonic-clock.ts'
import { createRefusals } from './refusals.ts'
import { createSamples } from './store-samples.ts'

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
