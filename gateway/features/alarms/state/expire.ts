import { nextAlarmLife, CHATTER_QUIET_MS, type AlarmEvent } from './alarm-life.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { endangersLife, loadAlarmFacts, notificationOf } from './alarm-notices.ts'
import {
  type AlarmRow,
  alarmLifeOf,
  transitionOf,
  lockAlarms,
  updateAlarms,
  applyAlarmLife,
} from './alarm-rows.ts'
import type { AlarmPorts } from './apply-signals.ts'

/** Maximum number of alarms in one transaction. */
const BATCH = 500

/** Ends expired shelving: people are notified again of open alarms. */
export const expireShelving = (db: Db, ports: AlarmPorts, now: number): Promise<EmitAlarmTransition[]> =>
  applyToAll(db, ports, sql`a.shelved_until <= ${now}::bigint`, { type: 'shelfEnds' }, now)

/** Ends the chattering of alarms that were not raised for ten minutes. */
export const expireChattering = (db: Db, ports: AlarmPorts, now: number): Promise<EmitAlarmTransition[]> =>
  applyToAll(
    db,
    ports,
    sql`a.chattering and coalesce((a.raises ->> -1)::bigint, 0) <= ${now - CHATTER_QUIET_MS}::bigint`,
    { type: 'look', at: now },
    now,
  )

/** Applies an event to all alarms that match a condition; row locks ensure that one gateway processes each. */
async function applyToAll(
  db: Db,
  { notify }: AlarmPorts,
  where: Sql,
  event: AlarmEvent,
  now: number,
): Promise<EmitAlarmTransition[]> {
  const transitions: EmitAlarmTransition[] = []
  for (;;) {
    const { processedCount: count, done: changed } = await db.transaction(async (tx) => {
      const rows = await lockAlarms(tx, where, BATCH)
      const steps = rows.flatMap((row) => {
        const step = nextAlarmLife(
          alarmLifeOf(row),
          event.type === 'shelfEnds' ? { ...event, isFire: endangersLife(row) } : event,
        )
        return step?.updated ? [{ row: applyAlarmLife(row, step.updated), tells: step.notification }] : []
      })
      await updateAlarms(
        tx,
        steps.map(({ row }) => row),
      )
      await recordAlarmNotices(
        tx,
        notify,
        steps.flatMap(({ row, tells }) => (tells ? [{ row, ...tells }] : [])),
        now,
      )
      return { processedCount: rows.length, done: steps.map(({ row }) => transitionOf(row, 'changed', now)) }
    })
    transitions.push(...changed)
    if (count < BATCH) return transitions
  }
}

/** Writes notifications of alarms; devices in maintenance send none, unless the alarm endangers life. */
export async function recordAlarmNotices(
  tx: Db,
  notify: AlarmPorts['notify'],
  notifications: readonly {
    row: AlarmRow
    kind: 'alarmRaised' | 'alarmChanged' | 'alarmCleared' | 'alarmChattering'
    isSent: boolean
  }[],
  now: number,
): Promise<void> {
  if (notifications.length === 0) return
  const facts = await loadAlarmFacts(
    tx,
    notifications.map(({ row }) => row),
    now,
  )
  const notices = notifications.flatMap(({ row, kind, isSent }, i) => {
    const rowFacts = facts[i]
    if (!rowFacts) return []
    const isSilenced = (rowFacts.isMaintained || rowFacts.isSourceSilent) && !endangersLife(row)
    return [notificationOf(row, rowFacts, { kind, isSent: isSent && !isSilenced, at: now })]
  })
  if (notices.length > 0) await notify(tx, notices)
}
