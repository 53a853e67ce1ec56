import { nextLife, QUIET_FOR, type AlarmEvent } from '../../../contract/rules/alarm/alarm-life.ts'
import type { AlarmMoved } from '../../lib/tell-alarms.ts'
import { type Db, type Sql, sql } from '../../store/db.ts'
import { endangersLife, factsOf, noticeOf } from './alarm-notices.ts'
import { type AlarmRow, lifeOf, movedOf, takeAlarms, updateAlarms, withLife } from './alarm-rows.ts'
import type { AlarmPorts } from './apply-signals.ts'

/** Alarms taken in one transaction. */
const BATCH = 500

/** Ends the time for which alarms were shelved: of what is still open people are told again. */
export const endShelves = (db: Db, ports: AlarmPorts, now: number): Promise<AlarmMoved[]> =>
  each(db, ports, sql`a.shelved_until <= ${now}::bigint`, { is: 'shelfEnds' }, now)

/** Ends the chattering of alarms that were not raised for ten minutes. */
export const endChattering = (db: Db, ports: AlarmPorts, now: number): Promise<AlarmMoved[]> =>
  each(
    db,
    ports,
    sql`a.chattering and coalesce((a.raises ->> -1)::bigint, 0) <= ${now - QUIET_FOR}::bigint`,
    { is: 'look', at: now },
    now,
  )

/** Lets something happen to all alarms of which a condition is true; each is taken by one gateway. */
async function each(
  db: Db,
  { tell }: AlarmPorts,
  where: Sql,
  event: AlarmEvent,
  now: number,
): Promise<AlarmMoved[]> {
  const moved: AlarmMoved[] = []
  for (;;) {
    const { taken, done } = await db.transaction(async (tx) => {
      const rows = await takeAlarms(tx, where, BATCH)
      const steps = rows.flatMap((row) => {
        const step = nextLife(
          lifeOf(row),
          event.is === 'shelfEnds' ? { ...event, isFire: endangersLife(row) } : event,
        )
        return step?.kept ? [{ row: withLife(row, step.kept), tells: step.tells }] : []
      })
      await updateAlarms(
        tx,
        steps.map(({ row }) => row),
      )
      await tellOf(
        tx,
        tell,
        steps.flatMap(({ row, tells }) => (tells ? [{ row, ...tells }] : [])),
        now,
      )
      return { taken: rows.length, done: steps.map(({ row }) => movedOf(row, 'changed', now)) }
    })
    moved.push(...done)
    if (taken < BATCH) return moved
  }
}

/** Writes notifications of alarms; devices in maintenance send none, unless the alarm endangers life. */
export async function tellOf(
  tx: Db,
  tell: AlarmPorts['tell'],
  told: readonly {
    row: AlarmRow
    kind: 'alarmRaised' | 'alarmChanged' | 'alarmCleared' | 'alarmChattering'
    sent: boolean
  }[],
  now: number,
): Promise<void> {
  if (told.length === 0) return
  const facts = await factsOf(
    tx,
    told.map(({ row }) => row),
    now,
  )
  const notices = told.flatMap(({ row, kind, sent }, i) => {
    const about = facts[i]
    if (!about) return []
    const isSilenced = (about.isMaintained || about.isUnheard) && !endangersLife(row)
    return [noticeOf(row, about, { kind, sent: sent && !isSilenced, at: now })]
  })
  if (notices.length > 0) await tell(tx, notices)
}
