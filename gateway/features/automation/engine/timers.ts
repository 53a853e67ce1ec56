import { type Db, named, raw, sql } from '../../../kernel/db.ts'
import type { RuleKey } from '../rules/rule-rows.ts'

/** Kinds of timers of a rule. */
export const TIMER_KINDS = [
  'hold',
  'end',
  'off',
  'repeat',
  'booking',
  'period',
  'silent',
  'unknown',
  'resume',
  'clear',
  'noData',
] as const
export type TimerKind = (typeof TIMER_KINDS)[number]

/** Kinds that belong to the truth of a rule and are deleted when it restarts. */
export const RULE_TIMERS: readonly TimerKind[] = [
  'hold',
  'repeat',
  'period',
  'silent',
  'unknown',
  'clear',
  'noData',
]

/** A row of automation_waits. */
export interface Timer<Detail = Record<string, unknown>> {
  waitId: number
  tenant: string
  automationId: string
  kind: TimerKind
  key: string
  /** Epoch ms. */
  dueAt: number
  detail: Detail
}

/** A timer to set; a rule has at most one per kind and key. */
export type NewTimer = Pick<Timer, 'kind' | 'dueAt'> & { key?: string; detail?: object }

/** Writes timers of a rule; replaces those with the same kind and key. */
export const setTimers = (
  tx: Db,
  { tenant, automationId }: RuleKey,
  timers: readonly NewTimer[],
): Promise<void> =>
  replaceTimers(
    tx,
    timers.map((timer) => ({ tenant, automationId, ...timer })),
  )

/** As `setTimers`, for several rules. */
export async function replaceTimers(tx: Db, timers: readonly (RuleKey & NewTimer)[]): Promise<void> {
  if (timers.length === 0) return
  const rows = timers.map(({ tenant, automationId, kind, key = '', dueAt, detail = {} }) => ({
    tenant,
    automation_id: automationId,
    kind,
    key,
    due_at: dueAt,
    detail,
  }))
  await tx.query(
    named(
      'automation-set-waits',
      sql`
    insert into automation_waits (tenant, automation_id, kind, key, due_at, detail)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as w (tenant uuid, automation_id text, kind text, key text, due_at bigint, detail jsonb)
    on conflict (tenant, automation_id, kind, key) do update set due_at = excluded.due_at, detail = excluded.detail`,
    ),
  )
}

/** Deletes all timers of these kinds of a rule. */
export async function deleteTimers(
  tx: Db,
  { tenant, automationId }: RuleKey,
  kinds: readonly TimerKind[],
): Promise<void> {
  if (kinds.length === 0) return
  await tx.query(
    named(
      'automation-drop-waits',
      sql`delete from automation_waits
    where tenant = ${tenant} and automation_id = ${automationId} and kind = any(${[...kinds]}::text[])`,
    ),
  )
}

const COLUMNS = raw(
  `w.wait_id as "waitId", w.tenant, w.automation_id as "automationId", w.kind, w.key, w.due_at as "dueAt", w.detail`,
)

/** Kinds that an evaluation of a rule processes: those of its truth, and its end. */
export const TIMERS_OF_EVALUATION: readonly TimerKind[] = [...RULE_TIMERS, 'end']

/**
 * Claims due timers of these kinds; they stay locked until the transaction ends. Homes and rules are locked before their timers, in the
 * order of transactions that change rules, to avoid deadlocks; timers of a rule that is being changed are skipped until the next poll.
 *
 * limit  maximum number of rules
 */
export const claimDueTimers = (
  tx: Db,
  kinds: readonly TimerKind[],
  now: number,
  limit: number,
): Promise<Timer[]> =>
  tx.query<Timer>(sql`
    with due as (select tenant, automation_id, min(due_at) as due_at from automation_waits
      where due_at <= ${now}::bigint and kind = any(${[...kinds]}::text[]) group by tenant, automation_id),
    held as (select a.tenant, a.automation_id from due
      join automations a on a.tenant = due.tenant and a.automation_id = due.automation_id
      join homes h on h.tenant = a.tenant and h.home_id = a.home_id
      order by due.due_at, a.automation_id limit ${limit}::int
      for key share of h skip locked for no key update of a skip locked)
    delete from automation_waits w using held
    where w.tenant = held.tenant and w.automation_id = held.automation_id
      and w.due_at <= ${now}::bigint and w.kind = any(${[...kinds]}::text[])
    returning ${COLUMNS}`)

/** Rules with due timers of their truth or their end. */
export const rulesDue = (db: Db, now: number, limit: number): Promise<RuleKey[]> =>
  db.query<RuleKey>(sql`
    select tenant, automation_id as "automationId" from automation_waits
    where due_at <= ${now}::bigint and kind = any(${[...TIMERS_OF_EVALUATION]}::text[])
    group by tenant, automation_id order by min(due_at) limit ${limit}::int`)
