import { Counter, type Registry } from 'prom-client'
import type { Clock, Log } from '../../../kernel/ports.ts'

/** Reason for which a message, or one device's part of it, was not stored. */
export type IngestRejection =
  | 'malformed'
  | 'foreignHub'
  | 'foreignHome'
  | 'notAdded'
  | 'foreignDevice'
  | 'unknownType'
  | 'notAMeter'
  | 'values'
  /** A number beyond 2^53, which was rounded in transit. */
  | 'inexact'
  | 'timestamp'
  | 'timestampAhead'
  | 'conflictingReading'

/** Counted but not logged, because it is no error: hubs also report devices that were not added or were removed. */
const EXPECTED: ReadonlySet<IngestRejection> = new Set(['notAdded'])

/** Minimum interval between two log lines with the same reason, in ms. */
const MIN_LOG_INTERVAL_MS = 10_000

export type RejectReport = (
  reason: IngestRejection,
  details: { tenant: string; thingName?: string; count?: number },
) => void

/** Counts refusals and logs them at a bounded rate, so that a broken hub cannot fill the disk. */
export function createReportRejections({
  clock,
  log,
  metrics,
}: {
  clock: Clock
  log: Log
  metrics: Registry
}): RejectReport {
  const counter = new Counter({
    name: 'ingest_refused_total',
    help: 'Messages, or parts of one device in them, that were not stored',
    labelNames: ['reason'],
    registers: [metrics],
  })
  const logged = new Map<IngestRejection, { at: number; suppressed: number }>()

  return (reason, { count = 1, tenant, thingName }) => {
    counter.inc({ reason }, count)
    if (EXPECTED.has(reason)) return
    const now = clock.now()
    const lastLogged = logged.get(reason)
    // A clock that was set back suppresses no log lines.
    if (lastLogged && now >= lastLogged.at && now - lastLogged.at < MIN_LOG_INTERVAL_MS) {
      lastLogged.suppressed += count
      return
    }
    log.warn({ reason, count, notLogged: lastLogged?.suppressed ?? 0, tenant, thingName }, 'report rejected')
    logged.set(reason, { at: now, suppressed: 0 })
  }
}
