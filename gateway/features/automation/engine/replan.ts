import { nextRun } from '../../../../contract/rules/automation/schedule-clock.ts'
import { idArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'
import { planBookings } from './booking-waits.ts'
import type { RuleAlarms } from '../../../lib/rule-alarms.ts'
import { keyOf, type RuleRow } from './compile.ts'
import { homeKeyOf, readPlaces, type SunOf } from './places.ts'
import { readRules, type RuleKey } from './rule-rows.ts'
import { WAITS_OF_TRUTH } from './waits.ts'

/** What gateways hear of rules that changed: `tenant/automationId`. */
export const CHANGED = 'automation_changed'

/** What computing the times of schedules needs. */
export interface Replanning {
  now: number
  sunOf: SunOf
}

/** What starting again needs as well. */
export interface Restarting extends Replanning {
  alarms: Pick<RuleAlarms, 'clear'>
}

/**
 * Lets rules start again in the transaction in which they were made, changed, switched or found ready again: their next run is
 * computed, they wait for the bookings to come, their truth is armed at the next decision, what they hold is dropped, and every
 * gateway hears of it. An alarm of it that is open ends. What a run is to end, ends as it was promised when it began. For a rule that is gone gateways only hear of
 * it.
 */
export async function replan(tx: Db, keys: readonly RuleKey[], how: Restarting): Promise<void> {
  if (keys.length === 0) return
  const rows = await readRules(tx, keys)
  await reschedule(tx, rows, how)
  await planBookings(tx, rows, how.now)
  await endAlarms(tx, keys, rows, how)
  const [tenants, ids] = [keys.map(({ tenant }) => tenant), keys.map(({ automationId }) => automationId)]
  const ofKeys = sql`(tenant, automation_id) in
    (select * from unnest(${idArray(tenants)}::uuid[], ${ids}::text[]))`
  await tx.query(sql`update automation_states set version = 0, checked_at = 0 where ${ofKeys}`)
  await tx.query(sql`delete from automation_waits w where ${ofKeys} and (kind = any(${[...WAITS_OF_TRUTH]}::text[])
    or kind = 'resume' and exists (select from automations a
      where a.tenant = w.tenant and a.automation_id = w.automation_id and a.problem is null))`)
  // Its conditions end it no more, so that time must.
  await tx.query(sql`
    insert into automation_waits (tenant, automation_id, kind, key, due_at)
    select s.tenant, s.automation_id, 'end', '', ${how.now}::bigint + (a.rule ->> 'EndDuration')::bigint * 1000
    from automation_states s join automations a using (tenant, automation_id)
    where (s.tenant, s.automation_id) in (select * from unnest(${idArray(tenants)}::uuid[], ${ids}::text[]))
      and not (a.enabled and a.problem is null) and (s.state -> 'truth' ->> 'owesEnd')::boolean
    on conflict do nothing`)
  await tellChanged(tx, keys)
}

/** Of rules that raise alarms, and of those that are gone and may have done so. */
async function endAlarms(
  tx: Db,
  keys: readonly RuleKey[],
  rows: readonly RuleRow[],
  { now, alarms }: Restarting,
): Promise<void> {
  const others = new Set(rows.filter(({ type }) => type !== 4).map(keyOf))
  for (const { tenant, automationId } of keys.filter((key) => !others.has(keyOf(key))))
    for (const kind of ['rule', 'ahead'] as const)
      await alarms.clear(tx, { tenant, automationId, kind, at: now })
}

/** Computes again when the schedules of some homes run next: their clock, place or holidays changed. */
export async function replanHomes(
  tx: Db,
  { tenant, homeIds }: { tenant: string; homeIds: readonly string[] | 'all' },
  how: Replanning,
): Promise<void> {
  const keys = await tx.query<RuleKey>(sql`select tenant, automation_id as "automationId" from automations
    where tenant = ${tenant} and rule ? 'Schedule'
      and (${homeIds === 'all'} or home_id = any(${homeIds === 'all' ? [] : [...homeIds]}::text[]))
    order by automation_id for update`)
  await reschedule(tx, await readRules(tx, keys), how)
  await tx.query(sql`update automation_waits w set due_at = ${how.now}::bigint from automations a
    where w.tenant = ${tenant} and w.kind = 'period' and a.tenant = w.tenant and a.automation_id = w.automation_id
      and (${homeIds === 'all'} or a.home_id = any(${homeIds === 'all' ? [] : [...homeIds]}::text[]))`)
}

/** Tells every gateway, once the transaction has committed. */
export const tellChanged = (tx: Db, keys: readonly RuleKey[]) =>
  tx.query(sql`select pg_notify(${CHANGED}, k) from unnest(
    ${keys.map(({ tenant, automationId }) => `${tenant}/${automationId}`)}::text[]) k`)

async function reschedule(tx: Db, rows: readonly RuleRow[], { now, sunOf }: Replanning): Promise<void> {
  const places = await readPlaces(tx, rows, sunOf)
  const next = rows.map((row) => {
    const place = places.get(homeKeyOf(row))
    const { Schedule: schedule } = row.rule
    const at = schedule && place && row.isReady ? nextRun(schedule, now, place) : undefined
    return { tenant: row.tenant, id: row.automationId, at: at ?? null }
  })
  await tx.query(sql`
    update automations a set next_run_at = n.at
    from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as n (tenant uuid, id text, at bigint)
    where a.tenant = n.tenant and a.automation_id = n.id and a.next_run_at is distinct from n.at`)
}
