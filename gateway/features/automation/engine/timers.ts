import { type Db, named, raw, sql } from '../../../store/db.ts'
import type { RuleKey } from './rule-rows.ts'

/** What a rule waits for. */
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

/** Those that are decided with the truth of the rule, and go when it starts again. */
export const TRUTH_TIMERS: readonly TimerKind[] = [
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

/** A wait to be: of a rule there is one of a kind and key. */
export type NewTimer = Pick<Timer, 'kind' | 'dueAt'> & { key?: string; detail?: object }

/** Writes waits of a rule; one of the same kind and key gives way. */
export const setTimers = (
  tx: Db,
  { tenant, automationId }: RuleKey,
  waits: readonly NewTimer[],
): Promise<void> =>
  replaceTimers(
    tx,
    waits.map((wait) => ({ tenant, automationId, ...wait })),
  )

/** The same of several rules. */
export async function replaceTimers(tx: Db, waits: readonly (RuleKey & NewTimer)[]): Promise<void> {
  if (waits.length === 0) return
  const rows = waits.map(({ tenant, automationId, kind, key = '', dueAt, detail = {} }) => ({
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

/** Drops all waits of these kinds of a rule. */
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

/** The kinds of a rule that its truth decides, and its end. */
export const TIMERS_OF_EVALUATION: readonly TimerKind[] = [...TRUTH_TIMERS, 'end']

/**
 * Takes waits of these kinds that are due, out of reach of other gateways until the transaction ends. Homes and rules are held before
 * their waits, as by whoever changes a rule, or each could wait for the other; what somebody changes now is taken at a later look.
 *
 * limit  of rules
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

/** Rules with waits of their truth, or ends, that are due. */
export const rulesDue = (db: Db, now: number, limit: number): Promise<RuleKey[]> =>
  db.query<RuleKey>(sql`
    select tenant, automation_id as "automationId" from automation_waits
    where due_at <= ${now}::bigint and kind = any(${[...TIMERS_OF_EVALUATION]}::text[])
    group by tenant, automation_id order by min(due_at) limit ${limit}::int`)
