import { type Db, sql } from '../../../store/db.ts'
import type { RuleKey } from './rule-rows.ts'

/**
 * Takes the state of a rule, out of reach of other gateways until the transaction ends: who asks next reads the log from where
 * this one left off.
 *
 * returns  undefined when the rule is gone
 */
export async function holdState<State>(
  tx: Db,
  { tenant, automationId }: RuleKey,
): Promise<StoredState<State> | undefined> {
  const find = () =>
    tx.query<StoredState<State>>(sql`
      select version, positions, edge_no as "edgeNo", state from automation_states
      where tenant = ${tenant} and automation_id = ${automationId} for update`)
  const [stored] = await find()
  if (stored) return stored
  await tx.query(sql`
    insert into automation_states (tenant, automation_id, version, positions, state, checked_at)
    select tenant, automation_id, 0, '{}', 'null', 0 from automations
    where tenant = ${tenant} and automation_id = ${automationId} for key share
    on conflict do nothing`)
  const [fresh] = await find()
  return fresh
}

/** A row of automation_states. */
export interface StoredState<State> {
  /** Of the rule whose truth it is; another version starts anew. 0 for none. */
  version: number
  /** The last seq of device_events that was seen, by device. */
  positions: Record<string, number>
  /** How often the rule has fired or nearly, over all its versions. */
  edgeNo: number
  /** Null before the first decision. */
  state: State | null
}

/** Writes a state that is held. */
export async function writeState<State>(
  tx: Db,
  { tenant, automationId }: RuleKey,
  { version, positions, edgeNo, state }: StoredState<State>,
  now: number,
): Promise<void> {
  await tx.query(sql`
    update automation_states set version = ${version}::int, positions = ${JSON.stringify(positions)}::jsonb,
      edge_no = ${edgeNo}::bigint, state = ${JSON.stringify(state)}::jsonb, checked_at = ${now}::bigint
    where tenant = ${tenant} and automation_id = ${automationId}`)
}
