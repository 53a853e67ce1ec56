import type {
  AutomationProblem,
  AutomationRule,
  AutomationType,
} from '../../../../contract/automation/automation.ts'
import { type Db, raw, type Sql, sql } from '../../../kernel/db.ts'

/** A stored rule: `AutomationRule` without name, description and switch. */
export type StoredRule = Omit<AutomationRule, 'AutomationName' | 'Description' | 'Enabled'>

/** Columns of automations that the engine reads. */
export interface RuleRow {
  tenant: string
  automationId: string
  homeId: string
  type: AutomationType
  name: string
  version: number
  ownerId: string | null
  /** Whether the rule is enabled and has no problem. */
  isReady: boolean
  /** Problem of an enabled rule: its times and conditions are still followed, but it does not act. */
  heldBy: AutomationProblem['Reason'] | null
  rule: StoredRule
}

/** Columns of RuleRow for automations as a. */
export const RULE_COLUMNS =
  raw(`a.tenant, a.automation_id as "automationId", a.home_id as "homeId", a.automation_type as type,
  a.automation_name as name, a.version, a.owner_id as "ownerId", a.enabled and a.problem is null as "isReady",
  case when a.enabled then a.problem ->> 'Reason' end as "heldBy", a.rule`)

/** Key of a rule. */
export interface RuleKey {
  tenant: string
  automationId: string
}

const rulesWhere = (db: Db, where: Sql): Promise<RuleRow[]> =>
  db.query<RuleRow>(sql`select ${RULE_COLUMNS} from automations a where ${where}`)

/** A rule with conditions; `isUnarmed` if it has not been evaluated since it was created or changed. */
export interface WatchingRow extends RuleRow {
  isUnarmed: boolean
}

/** Reads all enabled rules with conditions, of all companies. */
export const readWatching = (db: Db): Promise<WatchingRow[]> =>
  db.query<WatchingRow>(sql`
    select ${RULE_COLUMNS}, s.version is distinct from a.version as "isUnarmed" from automations a
    left join automation_states s on s.tenant = a.tenant and s.automation_id = a.automation_id
    where a.rule ? 'Conditions' and a.enabled`)

/** Reads rules by key; deleted ones are absent. */
export const readRules = (db: Db, keys: readonly RuleKey[]): Promise<RuleRow[]> =>
  rulesWhere(
    db,
    sql`(a.tenant, a.automation_id) in (select * from unnest(
      ${keys.map(({ tenant }) => tenant)}::uuid[], ${keys.map(({ automationId }) => automationId)}::text[]))`,
  )

/** Reads one rule; undefined if it was deleted. */
export async function readRule(db: Db, key: RuleKey): Promise<RuleRow | undefined> {
  const [row] = await readRules(db, [key])
  return row
}
