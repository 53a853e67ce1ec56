import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { RuleAlarm, EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { type AlarmPorts, applySignals } from './apply-signals.ts'
import { ruleSubject, type Signal } from './signals.ts'
import { alarmsOnSilentSources } from './silent-sources.ts'

/** Maximum number of alarms in one transaction. */
const BATCH = 200

type Key = Pick<RuleAlarm, 'tenant' | 'automationId' | 'kind'>

const isSuppressed = ({ tenant, automationId, kind }: Key) =>
  sql`tenant = ${tenant} and automation_id = ${automationId} and kind = ${kind}`

/** Signal of a rule's alarm. */
export function signalOf(alarm: RuleAlarm): Signal {
  const { kind, severity, readings, at, late, notify, escalate } = alarm
  return {
    ...ruleSubject(kind, alarm),
    state: { severity, values: {}, readings, isFire: false },
    at,
    isLate: late,
    notify,
    escalate,
  }
}

/** Suppresses an alarm until its sources are no longer silent; ignores one whose rule was deleted. */
export const suppress = (tx: Db, alarm: RuleAlarm): Promise<unknown> =>
  tx.query(sql`
    insert into suppressed_alarms (tenant, automation_id, kind, alarm)
    select tenant, automation_id, ${alarm.kind}, ${JSON.stringify(alarm)}::jsonb from automations
    where tenant = ${alarm.tenant} and automation_id = ${alarm.automationId}
    on conflict (tenant, automation_id, kind) do update set alarm = excluded.alarm`)

/** Stores the current readings of a suppressed alarm. */
export const changeSuppressed = (tx: Db, key: Key, readings: readonly AlarmReading[]): Promise<unknown> =>
  tx.query(sql`update suppressed_alarms
    set alarm = jsonb_set(alarm, '{readings}', ${JSON.stringify(readings)}::jsonb) where ${isSuppressed(key)}`)

/** Deletes a suppressed alarm that is over or raised. Waits for a concurrent transaction that raises it. */
export const deleteSuppressed = (tx: Db, key: Key): Promise<unknown> =>
  tx.query(sql`delete from suppressed_alarms where ${isSuppressed(key)}`)

/**
 * Raises suppressed alarms whose sources are no longer silent, with the current time; deletes those of disabled
 * rules. Row locks ensure that one gateway processes each.
 */
export async function raiseSuppressed(
  db: Db,
  ports: AlarmPorts,
  now: number,
): Promise<EmitAlarmTransition[]> {
  const transitions: EmitAlarmTransition[] = []
  let last = { tenant: '00000000-0000-0000-0000-000000000000', automationId: '', kind: '' }
  for (;;) {
    const { rows, done: applied } = await db.transaction(async (tx) => {
      const rows = await tx.query<{ alarm: RuleAlarm; isAtWork: boolean }>(sql`
        select w.alarm, u.enabled and u.problem is null as "isAtWork"
        from suppressed_alarms w join automations u on u.tenant = w.tenant and u.automation_id = w.automation_id
        where (w.tenant, w.automation_id, w.kind) > (${last.tenant}::uuid, ${last.automationId}::text, ${last.kind}::text)
        order by w.tenant, w.automation_id, w.kind limit ${BATCH}::int for update of w skip locked`)
      const areSilent = await alarmsOnSilentSources(
        tx,
        rows.map(({ alarm }) => alarm),
        now,
      )
      const due = rows.filter(({ isAtWork }, i) => !isAtWork || !areSilent[i])
      for (const { alarm } of due) await deleteSuppressed(tx, alarm)
      const signals = due.flatMap(({ alarm, isAtWork }) =>
        isAtWork ? [signalOf({ ...alarm, at: now })] : [],
      )
      return { rows, done: await applySignals(tx, ports, signals, now) }
    })
    transitions.push(...applied)
    const lastRow = rows[BATCH - 1]
    if (!lastRow) return transitions
    last = lastRow.alarm
  }
}
