import type { Deps, Job } from '../../../kernel/deps.ts'
import { type EmitAlarmTransition, emitAlarmEvents } from '../../../domain/alarms/emit-alarm-events.ts'
import type { AlarmPorts } from '../state/apply-signals.ts'
import { escalateDue, isEscalationQueueFull } from '../escalations.ts'
import { expireChattering, expireShelving } from '../expire.ts'
import { raiseSuppressed } from '../state/suppressed.ts'
import { notifyUnexplainedAlarms } from './notify-unexplained.ts'
import { watchHubs } from './watch-hubs.ts'
import { evaluateLimits, applyDueHolds } from './watch-limits.ts'
import { clearSilent, raiseSilent } from './watch-silence.ts'

/** Between two looks, ms. */
const POLL_INTERVAL_MS = 5_000
/** Between two looks at everything that may be silent, or out of its limits, ms. */
const FULL_CHECK_INTERVAL_MS = 60_000
/** What another gateway was about to store at the last look, ms. */
const STORE_DELAY_MS = 10_000

/**
 * Looks after alarms that no report raises and no person ends: what is silent, lost or out of its limits, and what becomes due. All of
 * it stands in the database, so that any gateway may do it at any moment, and nothing is lost with one.
 */
export function createAlarmWatch(
  { db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>,
  ports: AlarmPorts,
): Job {
  let since: number | undefined
  let judged: number | undefined
  let lookedAtAll: number | undefined

  async function run(): Promise<void> {
    const now = clock.now()
    since ??= now
    const isFullLook = lookedAtAll === undefined || now - lookedAtAll >= FULL_CHECK_INTERVAL_MS
    const began = { now, since }
    const failures: unknown[] = []
    const attempt = async (work: () => Promise<EmitAlarmTransition[]>): Promise<boolean> => {
      try {
        emitAlarmEvents(events, await work())
        return true
      } catch (error) {
        // What is left is done all the same, and this at the next look.
        failures.push(error)
        return false
      }
    }
    await attempt(() => expireShelving(db, ports, now))
    await attempt(() => expireChattering(db, ports, now))
    await attempt(async () => {
      while (isEscalationQueueFull(await escalateDue(db, ports.tell, now)));
      return []
    })
    await attempt(() => watchHubs(db, ports, began))
    await attempt(() => raiseSuppressed(db, ports, now))
    await attempt(() => clearSilent(db, ports, now))
    const from = isFullLook || judged === undefined ? undefined : judged - STORE_DELAY_MS
    if (await attempt(() => evaluateLimits(db, ports, { now, since: from }))) judged = now
    await attempt(() => applyDueHolds(db, ports, now))
    await attempt(() => notifyUnexplainedAlarms(db, ports, now))
    if (isFullLook && (await attempt(() => raiseSilent(db, ports, began)))) lookedAtAll = now
    if (failures.length > 0) throw failures[0]
  }
  return { name: 'alarms', every: POLL_INTERVAL_MS, run }
}
