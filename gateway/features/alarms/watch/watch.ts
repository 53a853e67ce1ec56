import type { Deps } from '../../deps.ts'
import type { Job } from '../../../kernel/feature.ts'
import { type EmitAlarmTransition, emitAlarmEvents } from '../../../domain/alarms/rule-alarms.ts'
import type { AlarmPorts } from '../state/apply-signals.ts'
import { escalateDue, isEscalationQueueFull, planEscalations } from '../state/escalations.ts'
import { expireChattering, expireShelving, recordAlarmNotices } from '../state/expire.ts'
import { raiseSuppressed } from '../state/suppressed.ts'
import { watchHubs } from './watch-hubs.ts'
import { evaluateLimits, applyDueHolds } from './watch-limits.ts'
import { clearSilent, raiseSilent } from './watch-silence.ts'
import { nextAlarmLife } from '../state/alarm-life.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { alarmLifeOf, transitionOf, lockAlarms, updateAlarms, applyAlarmLife } from '../state/alarm-rows.ts'
import { areCausedByMainMeter } from '../state/mains.ts'

/** Maximum number of alarms in one transaction. */
const BATCH = 500

/** Notifies people of alarms that no parent meter explains any longer; row locks ensure that one gateway processes each. */
async function notifyUnexplainedAlarms(
  db: Db,
  ports: AlarmPorts,
  now: number,
): Promise<EmitAlarmTransition[]> {
  return db.transaction(async (tx) => {
    const rows = await lockAlarms(
      tx,
      sql`a.inhibited and a.cleared_at is null and a.kind in ('breach', 'rule')`,
      BATCH,
    )
    const areExplained = await areCausedByMainMeter(tx, rows, now)
    const steps = rows.flatMap((row, i) => {
      const step = areExplained[i] ? undefined : nextAlarmLife(alarmLifeOf(row), { is: 'inhibit', by: false })
      return step?.kept ? [{ row: applyAlarmLife(row, step.kept), tells: step.tells }] : []
    })
    await updateAlarms(
      tx,
      steps.map(({ row }) => row),
    )
    const notifications = steps.flatMap(({ row, tells }) => (tells ? [{ row, ...tells }] : []))
    await recordAlarmNotices(tx, ports.notify, notifications, now)
    await planEscalations(
      tx,
      notifications.map(({ row }) => row),
      now,
    )
    return steps.map(({ row }) => transitionOf(row, 'changed', now))
  })
}

/** Polling interval, ms. */
const POLL_INTERVAL_MS = 5_000
/** Interval of the full check for silent devices and breached limits, ms. */
const FULL_CHECK_INTERVAL_MS = 60_000
/** Overlap of two evaluations, for reports that another gateway was storing during the first, ms. */
const STORE_DELAY_MS = 10_000

/**
 * Maintains alarms that neither a report nor a person changes: silence, lost hubs, limits, and due times. Its state
 * is in the database, so any gateway may run it at any time, and nothing is lost when one ends.
 */
export function createAlarmWatch(
  { db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>,
  ports: AlarmPorts,
): Job {
  let since: number | undefined
  let limitsEvaluatedAt: number | undefined
  let fullCheckAt: number | undefined

  async function run(): Promise<void> {
    const now = clock.now()
    since ??= now
    const isFullCheck = fullCheckAt === undefined || now - fullCheckAt >= FULL_CHECK_INTERVAL_MS
    const period = { now, since }
    const failures: unknown[] = []
    const attempt = async (task: () => Promise<EmitAlarmTransition[]>): Promise<boolean> => {
      try {
        emitAlarmEvents(events, await task())
        return true
      } catch (error) {
        // The other steps still run; this one is retried in the next run.
        failures.push(error)
        return false
      }
    }
    await attempt(() => expireShelving(db, ports, now))
    await attempt(() => expireChattering(db, ports, now))
    await attempt(async () => {
      while (isEscalationQueueFull(await escalateDue(db, ports.notify, now)));
      return []
    })
    await attempt(() => watchHubs(db, ports, period))
    await attempt(() => raiseSuppressed(db, ports, now))
    await attempt(() => clearSilent(db, ports, now))
    const from =
      isFullCheck || limitsEvaluatedAt === undefined ? undefined : limitsEvaluatedAt - STORE_DELAY_MS
    if (await attempt(() => evaluateLimits(db, ports, { now, since: from }))) limitsEvaluatedAt = now
    await attempt(() => applyDueHolds(db, ports, now))
    await attempt(() => notifyUnexplainedAlarms(db, ports, now))
    if (isFullCheck && (await attempt(() => raiseSilent(db, ports, period)))) fullCheckAt = now
    if (failures.length > 0) throw failures[0]
  }
  return { name: 'alarms', every: POLL_INTERVAL_MS, run }
}
