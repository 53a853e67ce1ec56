import type { Recipients } from '../../../../contract/automation/alarm-part.ts'
import type { Notify } from '../../../domain/notifications/notification-transport.ts'
import { idArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { endangersLife, loadAlarmFacts, notificationOf } from './alarm-notices.ts'
import { type AlarmRow, ALARM_COLUMNS } from './alarm-rows.ts'

/** Maximum number of steps in one transaction. */
const BATCH = 200
/** Delay before a step of an alarm in maintenance is checked again, in ms. */
const RECHECK_DELAY_MS = 60_000

/** Schedules the escalation steps of unacknowledged alarms; reschedules pending ones. */
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

/** Cancels the escalation of acknowledged or cleared alarms. */
export async function cancelEscalations(tx: Db, alarmIds: readonly string[]): Promise<void> {
  if (alarmIds.length === 0) return
  await tx.query(sql`delete from alarm_escalations where alarm_id = any(${idArray(alarmIds)}::uuid[])`)
}

/**
 * Executes the due escalation steps and notifies their recipients. A step of a shelved alarm, or of a device in
 * maintenance, waits until that ends; steps of chattering or inhibited alarms are only recorded in the notification
 * history.
 *
 * returns  number of steps processed
 */
export const escalateDue = (db: Db, notify: Notify, now: number): Promise<number> =>
  db.transaction(async (tx) => {
    const due = await tx.query<AlarmRow & { step: number; to: Recipients; channels: string[] }>(sql`
      select ${ALARM_COLUMNS}, e.step, e.recipients as "to", e.channels from alarm_escalations e join alarms a on a.alarm_id = e.alarm_id
      where e.due_at <= ${now}::bigint and (a.shelved_until is null or a.cleared_at is not null)
      order by e.due_at, e.alarm_id, e.step limit ${BATCH}::int for update of e, a skip locked`)
    if (due.length === 0) return 0
    const openSteps = due.filter(
      ({ acknowledgedAt, clearedAt }) => acknowledgedAt === null && clearedAt === null,
    )
    const facts = await loadAlarmFacts(tx, openSteps, now)
    const postponed = openSteps.filter(
      (row, i) => (facts[i]?.isMaintained || facts[i]?.isSourceSilent) && !endangersLife(row),
    )
    await postpone(tx, postponed, now)
    const notices = openSteps.flatMap((row, i) => {
      const stepFacts = postponed.includes(row) ? undefined : facts[i]
      const isSent = (!row.chattering || endangersLife(row)) && !row.inhibited
      return stepFacts
        ? [
            notificationOf(row, stepFacts, {
              kind: 'alarmEscalated',
              isSent,
              at: now,
              onlyTo: row.to,
              channels: row.channels,
            }),
          ]
        : []
    })
    if (notices.length > 0) await notify(tx, notices)
    const handled = due
      .filter((row) => !postponed.includes(row))
      .map(({ alarmId, step }) => ({ id: alarmId, step }))
    await tx.query(sql`delete from alarm_escalations e
      using jsonb_to_recordset(${JSON.stringify(handled)}::jsonb) as r (id uuid, step int)
      where e.alarm_id = r.id and e.step = r.step`)
    return due.length
  })

/** Postpones steps by a minute. */
async function postpone(
  tx: Db,
  steps: readonly { alarmId: string; step: number }[],
  now: number,
): Promise<void> {
  if (steps.length === 0) return
  const postponed = steps.map(({ alarmId, step }) => ({ id: alarmId, step }))
  await tx.query(sql`update alarm_escalations e set due_at = ${now + RECHECK_DELAY_MS}::bigint
    from jsonb_to_recordset(${JSON.stringify(postponed)}::jsonb) as r (id uuid, step int)
    where e.alarm_id = r.id and e.step = r.step`)
}

/** Whether more steps may be due. */
export const isEscalationQueueFull = (count: number): boolean => count === BATCH
