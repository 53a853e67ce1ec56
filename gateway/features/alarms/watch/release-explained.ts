import { nextLife } from '../../../../contract/rules/alarm/alarm-life.ts'
import type { AlarmMoved } from '../../../lib/tell-alarms.ts'
import { type Db, sql } from '../../../store/db.ts'
import { lifeOf, movedOf, takeAlarms, updateAlarms, withLife } from '../alarm-rows.ts'
import type { AlarmPorts } from '../apply-signals.ts'
import { planEscalations } from '../escalations.ts'
import { explainedByMains } from '../mains.ts'
import { tellOf } from '../upkeep.ts'

/** Alarms taken in one transaction. */
const BATCH = 500

/** Tells of alarms that no meter above explains any more; each is taken by one gateway. */
export async function releaseExplained(db: Db, ports: AlarmPorts, now: number): Promise<AlarmMoved[]> {
  return db.transaction(async (tx) => {
    const rows = await takeAlarms(
      tx,
      sql`a.inhibited and a.cleared_at is null and a.kind in ('breach', 'rule')`,
      BATCH,
    )
    const explained = await explainedByMains(tx, rows, now)
    const steps = rows.flatMap((row, i) => {
      const step = explained[i] ? undefined : nextLife(lifeOf(row), { is: 'inhibit', by: false })
      return step?.kept ? [{ row: withLife(row, step.kept), tells: step.tells }] : []
    })
    await updateAlarms(
      tx,
      steps.map(({ row }) => row),
    )
    const told = steps.flatMap(({ row, tells }) => (tells ? [{ row, ...tells }] : []))
    await tellOf(tx, ports.tell, told, now)
    await planEscalations(
      tx,
      told.map(({ row }) => row),
      now,
    )
    return steps.map(({ row }) => movedOf(row, 'changed', now))
  })
}
