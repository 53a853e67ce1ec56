import type { Registry } from 'prom-client'
import { keepDaySums } from './features/energy/rollup/day-sums.ts'
import { settleHomes } from './features/energy/rollup/settle-home.ts'
import { REPEATABLE_FOR } from './http/repeat.ts'
import type { Clock, Log } from './ports.ts'
import type { Db } from './store/db.ts'
import { endOldDrafts } from './features/meters/import-drafts.ts'
import { createRetention } from './store/retention.ts'
import { deleteDroppedReadings } from './features/energy/rollup/dropped-meters.ts'
import { expireDays, expireReadings } from './features/energy/rollup/expire-energy.ts'
import { createRoller } from './features/energy/rollup/roller.ts'
import { deleteDroppedSamples, deleteOldSamples } from './features/energy/history/samples.ts'
import { followZoneRules } from './features/energy/rollup/zone-rules.ts'

/** Days that things are kept; 0 for ever. */
export interface KeepDays {
  commands: number
  audit: number
  history: number
  visitors: number
  scans: number
  /** Counter readings and 15-minute energies; for ever when left out, as the sums of months are. */
  readings?: number
  intervals?: number
  /** Firmware updates that have ended; for ever when left out. */
  ota?: number
}

export interface UpkeepParts {
  db: Db
  clock: Clock
  log: Log
  metrics: Registry
  keepDays: KeepDays
  /** The most that is kept of what happened at one device; 0 for no limit. */
  maxDeviceEvents: number
  /** Takes away what the user pool needs no more. */
  prune(): Promise<void>
  /** Hears of the meters of which other readings are withheld now. */
  withheld: (meterIds: readonly number[]) => void
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Begins what a gateway does whether anybody calls or not: it reckons energy, and deletes what was kept long enough. */
export function startUpkeep({ db, clock, log, metrics, keepDays, ...parts }: UpkeepParts) {
  const { commands, audit, history, readings = 0, intervals = 0, ota = 0 } = keepDays
  let cancel = clock.after(HOUR, everyHour)

  function everyHour() {
    cancel = clock.after(HOUR, everyHour)
    const before = (days: number) => clock.now() - days * DAY
    Promise.all([
      parts.prune(),
      deleteDroppedReadings(db),
      deleteDroppedSamples(db),
      endOldDrafts(db, clock.now()),
      ...(history > 0 ? [deleteOldSamples(db, before(history))] : []),
      ...(readings > 0 ? [expireReadings(db, before(readings))] : []),
      ...(intervals > 0 ? [expireDays(db, before(intervals))] : []),
    ]).catch((err: unknown) => log.warn({ err }, 'The hourly clean-up failed'))
  }

  const retention = createRetention({
    db,
    clock,
    log,
    metrics,
    keep: {
      commands: commands * DAY,
      events: history * DAY,
      audit: audit * DAY,
      ota: ota * DAY,
      results: REPEATABLE_FOR,
    },
    eventsOfDevice: parts.maxDeviceEvents,
  })
  const roller = createRoller({
    db,
    clock,
    log,
    metrics,
    settleHomes: async (closed) => {
      await followZoneRules(db, clock.now()).catch((err: unknown) =>
        log.warn({ err }, 'The rules of time zones are followed later'),
      )
      await settleHomes(db, log, closed)
      await keepDaySums(db, clock.now(), closed)
    },
    withheld: parts.withheld,
  })

  return {
    /** Begins nothing more; resolves when what was begun is done. */
    async close(): Promise<void> {
      cancel()
      await retention.close()
      await roller.close()
    },
  }
}
