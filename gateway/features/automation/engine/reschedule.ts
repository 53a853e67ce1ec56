import { isDue, nextRun, sunlessDay } from '../logic/schedule-clock.ts'
import { idArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { scheduleBookings } from './booking-timers.ts'
import { ruleKey, isActiveRule } from './compile.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import type { Engine } from './engine.ts'
import { planRuns, type RunOfRule } from './plan-run.ts'
import { missedRun, sunlessRun } from './why-not-run.ts'
import { homeKeyOf, readPlaces } from './places.ts'
import { readRules, type RuleKey } from '../rules/rule-rows.ts'
import { RULE_TIMERS } from './timers.ts'

/** NOTIFY channel for changed rules; the payload is `tenant/automationId`. */
export const CHANGED = 'automation_changed'

/** Dependencies of rescheduling. */
export interface Rescheduling {
  now: number
  engine: Pick<Engine, 'sunOf' | 'ports' | 'random' | 'metrics'>
}

/**
 * Restarts rules in the transaction in which they were created, changed, switched or became ready again: computes their next run, schedules
 * upcoming bookings, marks their truth to be armed at the next evaluation, clears pending timers and open alarms, and notifies every
 * gateway. A run in progress still ends as it stated when it began. For a deleted rule this only notifies the gateways and clears its
 * alarms.
 */
export async function rescheduleRules(tx: Db, keys: readonly RuleKey[], how: Rescheduling): Promise<void> {
  if (keys.length === 0) return
  const rows = await readRules(tx, keys)
  await reschedule(tx, rows, how)
  await scheduleBookings(tx, rows, how.now)
  await endAlarms(tx, keys, rows, how)
  const [tenants, ids] = [keys.map(({ tenant }) => tenant), keys.map(({ automationId }) => automationId)]
  const ofKeys = sql`(tenant, automation_id) in
    (select * from unnest(${idArray(tenants)}::uuid[], ${ids}::text[]))`
  await tx.query(sql`update automation_states set version = 0, checked_at = 0 where ${ofKeys}`)
  await tx.query(sql`delete from automation_waits w where ${ofKeys} and (kind = any(${[...RULE_TIMERS]}::text[])
    or kind = 'resume' and exists (select from automations a
      where a.tenant = w.tenant and a.automation_id = w.automation_id and a.problem is null))`)
  // Its conditions no longer end it, so a timer must.
  await tx.query(sql`
    insert into automation_waits (tenant, automation_id, kind, key, due_at)
    select s.tenant, s.automation_id, 'end', '', ${how.now}::bigint + (a.rule ->> 'EndDuration')::bigint * 1000
    from automation_states s join automations a using (tenant, automation_id)
    where (s.tenant, s.automation_id) in (select * from unnest(${idArray(tenants)}::uuid[], ${ids}::text[]))
      and not (a.enabled and a.problem is null) and (s.state -> 'truth' ->> 'owesEnd')::boolean
    on conflict do nothing`)
  await emitScheduleChanges(tx, keys)
}

/** Clears alarms of alarm rules, and of deleted rules, which may have been alarm rules. */
async function endAlarms(
  tx: Db,
  keys: readonly RuleKey[],
  rows: readonly RuleRow[],
  { now, engine }: Rescheduling,
): Promise<void> {
  const others = new Set(rows.filter(({ type }) => type !== 4).map(ruleKey))
  for (const { tenant, automationId } of keys.filter((key) => !others.has(ruleKey(key))))
    for (const kind of ['rule', 'ahead'] as const)
      await engine.ports.alarms.clear(tx, { tenant, automationId, kind, at: now })
}

/**
 * Recomputes the next runs of the schedules of some homes after their zone, location or holidays changed.
 *
 * returns  schedules whose next run changed
 */
export async function rescheduleHomes(
  tx: Db,
  { tenant, homeIds }: { tenant: string; homeIds: readonly string[] | 'all' },
  how: Rescheduling,
): Promise<RuleRow[]> {
  const keys = await tx.query<RuleKey>(sql`select tenant, automation_id as "automationId" from automations
    where tenant = ${tenant} and rule ? 'Schedule'
      and (${homeIds === 'all'} or home_id = any(${homeIds === 'all' ? [] : [...homeIds]}::text[]))
    order by automation_id for update`)
  const rescheduled = await reschedule(tx, await readRules(tx, keys), how)
  await tx.query(sql`update automation_waits w set due_at = ${how.now}::bigint from automations a
    where w.tenant = ${tenant} and w.kind = 'period' and a.tenant = w.tenant and a.automation_id = w.automation_id
      and (${homeIds === 'all'} or a.home_id = any(${homeIds === 'all' ? [] : [...homeIds]}::text[]))`)
  return rescheduled
}

/** Notifies every gateway after the commit. */
export const emitScheduleChanges = (tx: Db, keys: readonly RuleKey[]) =>
  tx.query(sql`select pg_notify(${CHANGED}, k) from unnest(
    ${keys.map(({ tenant, automationId }) => `${tenant}/${automationId}`)}::text[]) k`)

/**
 * Computes the next runs of schedules. A due time that has not been processed is kept, to be run or recorded as missed by the next poll; if
 * a change of the schedule or its calendar removed that time, it is recorded as missed here.
 *
 * returns  schedules whose next run changed
 */
async function reschedule(
  tx: Db,
  rows: readonly RuleRow[],
  { now, engine }: Rescheduling,
): Promise<RuleRow[]> {
  const places = await readPlaces(tx, rows, engine.sunOf)
  const due = await dueTimes(tx, rows, now)
  const traced: RunOfRule[] = []
  const next = rows.map((row) => {
    const place = places.get(homeKeyOf(row))
    const schedule = isActiveRule(row) ? row.rule.Schedule : undefined
    const dueAt = due.get(ruleKey(row))
    const stays = dueAt !== undefined && schedule && place && isDue(schedule, dueAt, place)
    if (dueAt !== undefined && !stays) traced.push(missedRun(row, dueAt))
    const sunless = schedule && place && sunlessDay(schedule, now, place)
    if (sunless !== undefined) traced.push(sunlessRun(row, sunless))
    const at = stays ? dueAt : schedule && place && nextRun(schedule, now, place)
    return { tenant: row.tenant, id: row.automationId, at: at ?? null }
  })
  await planRuns(engine, { tx, started: [] }, traced, now)
  const rescheduled = await tx.query<RuleKey>(sql`
    update automations a set next_run_at = n.at
    from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as n (tenant uuid, id text, at bigint)
    where a.tenant = n.tenant and a.automation_id = n.id and a.next_run_at is distinct from n.at
    returning a.tenant, a.automation_id as "automationId"`)
  const keys = new Set(rescheduled.map(ruleKey))
  return rows.filter((row) => keys.has(ruleKey(row)))
}

/** Due times of schedules that have not been processed yet, by `tenant/automationId`. */
async function dueTimes(tx: Db, rows: readonly RuleRow[], now: number): Promise<Map<string, number>> {
  const due = await tx.query<RuleKey & { at: number }>(sql`
    select tenant, automation_id as "automationId", next_run_at as at from automations
    where next_run_at <= ${now}::bigint and (tenant, automation_id) in (select * from unnest(
      ${idArray(rows.map(({ tenant }) => tenant))}::uuid[], ${rows.map(({ automationId }) => automationId)}::text[]))`)
  return new Map(due.map((row) => [ruleKey(row), row.at]))
}
