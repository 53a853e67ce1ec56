import { nextAlarmLife } from '../state/alarm-life.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/emit-alarm-events.ts'
import { type Db, sql } from '../../../store/db.ts'
import { alarmLifeOf, transitionOf, lockAlarms, updateAlarms, applyAlarmLife } from '../state/alarm-rows.ts'
import type { AlarmPorts } from '../state/apply-signals.ts'
import { planEscalations } from '../escalations.ts'
import { causedByMainMeter } from '../state/mains.ts'
import { recordAlarmNotices } from '../expire.ts'

/** Alarms taken in one transaction. */
const BATCH = 500

/** Tells of alarms that no meter above explains any more; each is taken by one gateway. */
export async function notifyUnexplainedAlarms(
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
    const explained = await causedByMainMeter(tx, rows, now)
    const steps = rows.flatMap((row, i) => {
      const step = explained[i] ? undefined : nextAlarmLife(alarmLifeOf(row), { is: 'inhibit', by: false })
      return step?.kept ? [{ row: applyAlarmLife(row, step.kept), tells: step.tells }] : []
    })
    await updateAlarms(
      tx,
      steps.map(({ row }) => row),
    )
    const told = steps.flatMap(({ row, tells }) => (tells ? [{ row, ...tells }] : []))
    await recordAlarmNotices(tx, ports.tell, told, now)
    await planEscalations(
      tx,
      told.map(({ row }) => row),
      now,
    )
    return steps.map(({ row }) => transitionOf(row, 'changed', now))
  })
}
