import type { Place } from '../../../../contract/automation/home-calendar.ts'
import { type Db, named, type Sql, sql } from '../../../kernel/db.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import { DATABASE_NOW } from './log.ts'
import {
  type RuleState,
  ruleStateOf,
  type StoredRuleState,
  storedStateOf,
  type EvaluationTimer,
} from './rule-state.ts'
import { DAYS, PLACE_COLUMNS, type PlaceRow, placeOf, type SunOf } from './places.ts'
import { RULE_COLUMNS, type RuleKey } from '../rules/rule-rows.ts'
import { TIMERS_OF_EVALUATION } from './timers.ts'

/** A row of automation_states. */
interface StateRow {
  /** Version of the rule that the state belongs to; another version restarts it. 0 for none. */
  version: number
  /** Last processed seq of device_events, by device. */
  positions: Record<string, number>
  /** Null before the first evaluation. */
  state: RuleState | null
  /** Time at which the positions were last brought up to date, epoch ms by the database clock; 0 if unknown. */
  replayedAt: number
}

/** A rule whose state is locked, with the inputs of its evaluation other than its devices. */
export interface LockedRule extends StateRow {
  row: RuleRow
  /** Due time of each timer, epoch ms. */
  timers: ReadonlyMap<EvaluationTimer, number>
  calendar: Place
  /** Whether the automations of its home are paused. */
  isPaused: boolean
}

/**
 * Locks the state of a rule until the transaction ends, and then reads both; the next evaluation reads the log from where this one stops.
 *
 * returns  undefined if the rule was deleted
 */
export async function lockRule(
  tx: Db,
  key: RuleKey,
  options: { now: number; sunOf: SunOf },
): Promise<LockedRule | undefined> {
  const stored = await lockState(tx, key)
  const rule = stored && (await readRule(tx, key, options))
  return rule && { ...stored, state: ruleStateOf(stored.state), ...rule }
}

type StoredRow = Omit<StateRow, 'state'> & { state: StoredRuleState | null }

async function lockState(tx: Db, { tenant, automationId }: RuleKey): Promise<StoredRow | undefined> {
  const [stored] = await tx.query<StoredRow>(named('automation-hold', lockingQuery(tenant, automationId)))
  if (stored) return stored
  const rule = await tx.query(sql`
    select from homes h join automations a on a.tenant = h.tenant and a.home_id = h.home_id
    where a.tenant = ${tenant} and a.automation_id = ${automationId} for key share of h, a`)
  if (rule.length === 0) return undefined
  await tx.query(sql`
    insert into automation_states (tenant, automation_id, version, positions, state, checked_at)
    values (${tenant}, ${automationId}, 0, '{}', 'null', 0) on conflict do nothing`)
  const [inserted] = await tx.query<StoredRow>(lockingQuery(tenant, automationId))
  return inserted
}

/** Lock order: home and rule first, as in transactions that change or delete them; otherwise they could deadlock. */
const lockingQuery = (tenant: string, automationId: string): Sql => sql`
  select s.version, s.positions, s.state, s.replayed_at as "replayedAt" from homes h
    join automations a on a.tenant = h.tenant and a.home_id = h.home_id
    join automation_states s on s.tenant = a.tenant and s.automation_id = a.automation_id
  where a.tenant = ${tenant} and a.automation_id = ${automationId} for key share of h, a for update of s`

interface Row extends RuleRow, PlaceRow {
  isPaused: boolean
  timers: { kind: EvaluationTimer; dueAt: number }[] | null
}

/** Reads a rule whose state is locked. The company's calendar is read only for a rule with active periods. */
async function readRule(
  tx: Db,
  { tenant, automationId }: RuleKey,
  { now, sunOf }: { now: number; sunOf: SunOf },
): Promise<Omit<LockedRule, keyof StateRow> | undefined> {
  const [found] = await tx.query<Row>(
    named(
      'automation-held',
      sql`
    select ${RULE_COLUMNS}, ${PLACE_COLUMNS},
      case when a.rule #> '{Conditions,Period}' <> '[]' then ${DAYS} end as days,
      exists (select from automation_pauses p where p.tenant = a.tenant and p.home_id = a.home_id
        and (p.until is null or p.until > ${now}::bigint)) as "isPaused",
      (select jsonb_agg(jsonb_build_object('kind', w.kind, 'dueAt', w.due_at)) from automation_waits w
        where w.tenant = a.tenant and w.automation_id = a.automation_id
          and w.kind = any(${[...TIMERS_OF_EVALUATION]}::text[])) as timers
    from automations a join homes h on h.tenant = a.tenant and h.home_id = a.home_id
    where a.tenant = ${tenant} and a.automation_id = ${automationId}`,
    ),
  )
  if (!found) return undefined
  const { zone, latitude, longitude, days, isPaused, timers, ...row } = found
  return {
    row,
    timers: new Map((timers ?? []).map(({ kind, dueAt }) => [kind, dueAt])),
    calendar: placeOf({ zone, latitude, longitude, days }, sunOf),
    isPaused,
  }
}

/**
 * Writes a locked state.
 *
 * replayedAt  'now' if this transaction has read the log to its end
 */
export async function writeState(
  tx: Db,
  { tenant, automationId }: RuleKey,
  {
    version,
    positions,
    state,
    replayedAt,
  }: Omit<StateRow, 'replayedAt' | 'state'> & { state: RuleState; replayedAt: number | 'now' },
  now: number,
): Promise<void> {
  await tx.query(
    named(
      'automation-write-state',
      sql`
    update automation_states set version = ${version}::int, positions = ${JSON.stringify(positions)}::jsonb, state = ${JSON.stringify(storedStateOf(state))}::jsonb, checked_at = ${now}::bigint,
      replayed_at = coalesce(${replayedAt === 'now' ? null : replayedAt}::bigint, ${DATABASE_NOW})
    where tenant = ${tenant} and automation_id = ${automationId}`,
    ),
  )
}
