import type { Recipients } from '../../../contract/automation/alarm-part.ts'
import type { Notify } from '../../domain/notifications/notification-transport.ts'
import { idArray } from '../../store/array-literal.ts'
import { type Db, sql } from '../../store/db.ts'
import { endangersLife, loadAlarmFacts, notificationOf } from './state/alarm-notices.ts'
import { type AlarmRow, ALARM_COLUMNS } from './state/alarm-rows.ts'

/** Steps taken in one transaction. */
const BATCH = 200
/** A step of what is in maintenance is looked at again after so many ms. */
const LOOK_AGAIN = 60_000

/** Writes when whom is told of alarms that nobody has acknowledged by then; steps that were still to come begin again. */
export async function planEscalations(tx: Db, rows: readonly AlarmRow[], now: number): Promise<void> {
  const steps = rows.flatMap(({ alarmId, tenant, escalate }) =>
    escalate.map(({ After, To, Channels = [] }, step) => ({
      ...{ alarmId, tenant, step },
      ...{ due: now + After * 60_000, to: To, channels: Channels },
    })),
  )
  if (steps.length === 0) return
  await tx.query(sql`
    insert into alarm_escalations (tenant, alarm_id, step, due_at, recipients, channels)
    select r.tenant, r."alarmId", r.step, r.due, r."to", r.channels
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as r ("alarmId" uuid, tenant uuid, step int, due bigint, "to" jsonb, channels jsonb)
    on conflict (alarm_id, step) do update set due_at = excluded.due_at, recipients = excluded.recipients,
      channels = excluded.channels`)
}

/** Ends the escalation of alarms that were acknowledged or are over. */
export async function cancelEscalations(tx: Db, alarmIds: readonly string[]): Promise<void> {
  if (alarmIds.length === 0) return
  await tx.query(sql`delete from alarm_escalations where alarm_id = any(${idArray(alarmIds)}::uuid[])`)
}

/**
 * Takes the steps that are due and tells whom they name. One of an alarm that is shelved waits until it is not, and so does one of what
 * is in maintenance; those of one that chatters, or that something else explains, stand only in the history.
 *
 * returns  how many were taken
 */
export const escalateDue = (db: Db, tell: Notify, now: number): Promise<number> =>
  db.transaction(async (tx) => {
    const due = await tx.query<AlarmRow & { step: number; to: Recipients; channels: string[] }>(sql`
      select ${ALARM_COLUMNS}, e.step, e.recipients as "to", e.channels from alarm_escalations e join alarms a on a.alarm_id = e.alarm_id
      where e.due_at <= ${now}::bigint and (a.shelved_until is null or a.cleared_at is not null)
      order by e.due_at, e.alarm_id, e.step limit ${BATCH}::int for update of e, a skip locked`)
    if (due.length === 0) return 0
    const open = due.filter(({ acknowledgedAt, clearedAt }) => acknowledgedAt === null && clearedAt === null)
    const facts = await loadAlarmFacts(tx, open, now)
    const waiting = open.filter(
      (row, i) => (facts[i]?.isMaintained || facts[i]?.isUnheard) && !endangersLife(row),
    )
    await wait(tx, waiting, now)
    const notices = open.flatMap((row, i) => {
      const about = waiting.includes(row) ? undefined : facts[i]
      const sent = (!row.chattering || endangersLife(row)) && !row.inhibited
      return about
        ? [
            notificationOf(row, about, {
              kind: 'alarmEscalated',
              sent,
              at: now,
              only: row.to,
              channels: row.channels,
            }),
          ]
        : []
    })
    if (notices.length > 0) await tell(tx, notices)
    const taken = due
      .filter((row) => !waiting.includes(row))
      .map(({ alarmId, step }) => ({ id: alarmId, step }))
    await tx.query(sql`delete from alarm_escalations e
      using jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as r (id uuid, step int)
      where e.alarm_id = r.id and e.step = r.step`)
    return due.length
  })

/** Looks at steps again in a minute, out of the way of others. */
async function wait(tx: Db, steps: readonly { alarmId: string; step: number }[], now: number): Promise<void> {
  if (steps.length === 0) return
  const waiting = steps.map(({ alarmId, step }) => ({ id: alarmId, step }))
  await tx.query(sql`update alarm_escalations e set due_at = ${now + LOOK_AGAIN}::bigint
    from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as r (id uuid, step int)
    where e.alarm_id = r.id and e.step = r.step`)
}

/** More steps may be due when so many were. */
export const isEscalationQueueFull = (taken: number): boolean => taken === BATCH
