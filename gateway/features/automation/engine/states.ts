import { type Db, named, type Sql, sql } from '../../../store/db.ts'
import type { Memory } from './memory.ts'
import type { RuleKey } from './rule-rows.ts'

/**
 * Takes the state of a rule, out of reach of other gateways until the transaction ends: who asks next reads the log from where
 * this one left off.
 *
 * returns  undefined when the rule is gone
 */
export async function holdState(tx: Db, { tenant, automationId }: RuleKey): Promise<StoredState | undefined> {
  const [stored] = await tx.query<StoredState>(named('automation-hold', holding(tenant, automationId)))
  if (stored) return stored
  const rule = await tx.query(sql`
    select from homes h join automations a on a.tenant = h.tenant and a.home_id = h.home_id
    where a.tenant = ${tenant} and a.automation_id = ${automationId} for key share of h, a`)
  if (rule.length === 0) return undefined
  await tx.query(sql`
    insert into automation_states (tenant, automation_id, version, positions, state, checked_at)
    values (${tenant}, ${automationId}, 0, '{}', 'null', 0) on conflict do nothing`)
  const [fresh] = await tx.query<StoredState>(holding(tenant, automationId))
  return fresh
}

/** Home and rule are locked first, in the order named, as whoever changes or removes them does: else each could wait for the other. */
const holding = (tenant: string, automationId: string): Sql => sql`
  select s.version, s.positions, s.state as memory from homes h
    join automations a on a.tenant = h.tenant and a.home_id = h.home_id
    join automation_states s on s.tenant = a.tenant and s.automation_id = a.automation_id
  where a.tenant = ${tenant} and a.automation_id = ${automationId} for key share of h, a for update of s`

/** A row of automation_states. */
export interface StoredState {
  /** Of the rule whose truth it is; another version starts again. 0 for none. */
  version: number
  /** The last seq of device_events that was seen, by device. */
  positions: Record<string, number>
  /** Null before the first decision. */
  memory: Memory | null
}

/** Writes a state that is held. */
export async function writeState(
  tx: Db,
  { tenant, automationId }: RuleKey,
  { version, positions, memory }: StoredState,
  now: number,
): Promise<void> {
  await tx.query(
    named(
      'automation-write-state',
      sql`
    update automation_states set version = ${version}::int, positions = ${JSON.stringify(positions)}::jsonb, state = ${JSON.stringify(memory)}::jsonb, checked_at = ${now}::bigint
    where tenant = ${tenant} and automation_id = ${automationId}`,
    ),
  )
}
