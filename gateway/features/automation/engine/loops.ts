import type { AutomationProblem } from '../../../../contract/automation/automation.ts'
import { type Db, named, sql } from '../../../kernel/db.ts'
import { notifyProblem } from '../runs/notices.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import type { Engine } from './engine.ts'
import { rescheduleRules, type Rescheduling } from './reschedule.ts'
import type { RuleKey } from '../rules/rule-rows.ts'
import { setTimers, type Timer } from './timers.ts'

/** Maximum length of a chain of runs that cause each other. */
export const MAX_RUN_DEPTH = 4
/** Maximum number of runs of a rule, and of commands that rules send to a device, within a minute. */
export const MAX_RUNS_PER_MINUTE = 12
export const MAX_COMMANDS_PER_MINUTE = 30
const WITHIN = 60_000
/** First and maximum suspension of a rule, ms. It doubles with each suspension within a day. */
const REST = { first: 600_000, longest: 86_400_000 }
const DAY = 86_400_000

/**
 * Whether another run of a rule would exceed the limit of its runs within the last minute, or that of commands to one of its target
 * devices.
 */
export async function runsTooOften(tx: Db, { tenant, automationId }: RuleKey, now: number): Promise<boolean> {
  const since = now - WITHIN
  const [row] = await tx.query<{ tooOften: boolean }>(
    named(
      'automation-too-often',
      sql`
    with own as materialized (select run_id from automation_runs
      where tenant = ${tenant} and automation_id = ${automationId} and began_at > ${since}::bigint
        and state not in ('skipped', 'missed', 'loopStopped', 'refused'))
    select (select count(*) from own) >= ${MAX_RUNS_PER_MINUTE}::int or exists (
      select from run_devices d join automation_runs r on r.tenant = d.tenant and r.run_id = d.run_id
      where d.tenant = ${tenant} and d.began_at > ${since}::bigint and r.automation_id is not null
        and d.peripheral_uid in (select peripheral_uid from run_devices join own using (run_id) where tenant = ${tenant})
      group by d.peripheral_uid having count(*) >= ${MAX_COMMANDS_PER_MINUTE}::int) as "tooOften"`,
    ),
  )
  return row?.tooOften ?? false
}

/** Suspends a rule, twice as long as the last time if that was within a day, and notifies its owner. */
export async function suspendRule(
  { dueAt, ports: { notify } }: Pick<Engine, 'dueAt' | 'ports'>,
  tx: Db,
  row: RuleRow,
  reason: 'tooOften' | 'loop',
  now: number,
): Promise<void> {
  const { tenant, automationId } = row
  const [pause] = await tx.query<{ ms: number }>(sql`
    update automation_states set rested_until = ${now}::bigint + r.ms, rest_ms = r.ms
    from (select least(${REST.longest}::bigint, case when rested_until > ${now - DAY}::bigint
      then rest_ms * 2 else ${REST.first}::bigint end) as ms from automation_states
      where tenant = ${tenant} and automation_id = ${automationId}) r
    where tenant = ${tenant} and automation_id = ${automationId} returning r.ms`)
  const until = now + (pause?.ms ?? REST.first)
  const problem: AutomationProblem = { Reason: reason, Subject: null, Since: now, Until: until }
  const rests = await tx.query(sql`update automations set problem = ${JSON.stringify(problem)}::jsonb
    where tenant = ${tenant} and automation_id = ${automationId} and problem is null returning 1`)
  if (rests.length > 0) await notifyProblem(notify, tx, row, problem)
  await setTimers(tx, row, [{ kind: 'resume', dueAt: until }])
  dueAt(until)
}

/** Ends the suspension of a rule, which then starts again; returns whether it was still suspended. */
export async function resumeRule(
  engine: Rescheduling['engine'],
  tx: Db,
  { tenant, automationId }: Timer,
  now: number,
): Promise<boolean> {
  const resumed = await tx.query(sql`update automations set problem = null
    where tenant = ${tenant} and automation_id = ${automationId} and problem ->> 'Reason' in ('tooOften', 'loop')
    returning 1`)
  if (resumed.length === 0) return false
  await rescheduleRules(tx, [{ tenant, automationId }], { now, engine })
  return true
}

/**
 * Depth of the chain of runs that led to a change of a device: one more than the run whose command requested this value, 0 if there is
 * none.
 *
 * at  time of the change by the device's clock, epoch ms
 */
export async function readRunDepth(
  tx: Db,
  {
    tenant,
    uid,
    field,
    value,
    at,
  }: { tenant: string; uid: string; field: string; value: number; at: number },
): Promise<number> {
  const [row] = await tx.query<{ depth: number }>(
    named(
      'automation-depth',
      sql`
    select r.depth from commands c join automation_runs r on r.tenant = c.tenant and r.run_id = c.run_id
    where c.tenant = ${tenant} and c.peripheral_uid = ${uid}
      and c.requested_at > ${at - 2 * WITHIN}::bigint
      and jsonb_typeof(c.values -> ${field}) = 'number' and (c.values ->> ${field})::float8 = ${value}::float8
      and not exists (select from commands n where n.tenant = c.tenant and n.peripheral_uid = c.peripheral_uid
        and n.requested_at > c.requested_at and n.run_id is null and n.values ? ${field})
    order by c.requested_at desc limit 1`,
    ),
  )
  return row ? row.depth + 1 : 0
}
