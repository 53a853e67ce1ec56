import { type Db, sql } from '../../../store/db.ts'
import type { RuleKey } from './rule-rows.ts'

/** What a rule waits for. */
export const WAIT_KINDS = [
  'hold',
  'end',
  'off',
  'repeat',
  'booking',
  'period',
  'silent',
  'unknown',
  'resume',
] as const
export type WaitKind = (typeof WAIT_KINDS)[number]

/** Those that are decided with the truth of the rule, and go when it starts again. */
export const WAITS_OF_TRUTH: readonly WaitKind[] = ['hold', 'repeat', 'period', 'silent', 'unknown']

/** A row of automation_waits. */
export interface Wait<Detail = Record<string, unknown>> {
  waitId: number
  tenant: string
  automationId: string
  kind: WaitKind
  key: string
  /** Epoch ms. */
  dueAt: number
  detail: Detail
}

/** A wait to be: of a rule there is one of a kind and key. */
export type NewWait = Pick<Wait, 'kind' | 'dueAt'> & { key?: string; detail?: object }

/** Writes waits of a rule; one of the same kind and key gives way. */
export async function setWaits(
  tx: Db,
  { tenant, automationId }: RuleKey,
  waits: readonly NewWait[],
): Promise<void> {
  if (waits.length === 0) return
  const rows = waits.map(({ kind, key = '', dueAt, detail = {} }) => ({ kind, key, due_at: dueAt, detail }))
  await tx.query(sql`
    insert into automation_waits (tenant, automation_id, kind, key, due_at, detail)
    select ${tenant}, ${automationId}, w.kind, w.key, w.due_at, w.detail
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (kind text, key text, due_at bigint, detail jsonb)
    on conflict (tenant, automation_id, kind, key) do update set due_at = excluded.due_at, detail = excluded.detail`)
}

/** Drops all waits of these kinds of a rule. */
export async function dropWaits(
  tx: Db,
  { tenant, automationId }: RuleKey,
  kinds: readonly WaitKind[],
): Promise<void> {
  if (kinds.length === 0) return
  await tx.query(sql`delete from automation_waits
    where tenant = ${tenant} and automation_id = ${automationId} and kind = any(${[...kinds]}::text[])`)
}

const COLUMNS = sql`wait_id as "waitId", tenant, automation_id as "automationId", kind, key, due_at as "dueAt", detail`

/** The waits of a rule that its truth decides, and its end; the caller holds its state. */
export const waitsOf = (tx: Db, { tenant, automationId }: RuleKey): Promise<Wait[]> =>
  tx.query<Wait>(sql`select ${COLUMNS} from automation_waits
    where tenant = ${tenant} and automation_id = ${automationId}
      and kind = any(${[...WAITS_OF_TRUTH, 'end']}::text[])`)

/** Takes waits of these kinds that are due, out of reach of other gateways until the transaction ends. */
export const takeWaits = (tx: Db, kinds: readonly WaitKind[], now: number, limit: number): Promise<Wait[]> =>
  tx.query<Wait>(sql`
    with due as (select wait_id as id from automation_waits
      where due_at <= ${now}::bigint and kind = any(${[...kinds]}::text[])
      order by due_at, wait_id limit ${limit}::int for update skip locked)
    delete from automation_waits w using due where w.wait_id = due.id returning ${COLUMNS}`)

/** Rules with waits of their truth, or ends, that are due. */
export const rulesDue = (db: Db, now: number, limit: number): Promise<RuleKey[]> =>
  db.query<RuleKey>(sql`
    select tenant, automation_id as "automationId" from automation_waits
    where due_at <= ${now}::bigint and kind = any(${[...WAITS_OF_TRUTH, 'end']}::text[])
    group by tenant, automation_id order by min(due_at) limit ${limit}::int`)
