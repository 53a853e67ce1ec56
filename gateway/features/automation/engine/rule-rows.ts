import { type Db, raw, type Sql, sql } from '../../../store/db.ts'
import type { RuleRow } from './compile.ts'

/** What RuleRow has, of automations as a. */
export const RULE_COLUMNS =
  raw(`a.tenant, a.automation_id as "automationId", a.home_id as "homeId", a.automation_type as type,
  a.automation_name as name, a.version, a.owner_id as "ownerId", a.enabled and a.problem is null as "isReady",
  case when a.enabled then a.problem ->> 'Reason' end as "heldBy", a.rule`)

/** Names a rule. */
export interface RuleKey {
  tenant: string
  automationId: string
}

const rulesWhere = (db: Db, where: Sql): Promise<RuleRow[]> =>
  db.query<RuleRow>(sql`select ${RULE_COLUMNS} from automations a where ${where}`)

/** A rule that watches; `isUnarmed` when it has not been decided since it was made or changed. */
export interface WatchingRow extends RuleRow {
  isUnarmed: boolean
}

/** Every rule of all companies that has conditions and is switched on. */
export const readWatching = (db: Db): Promise<WatchingRow[]> =>
  db.query<WatchingRow>(sql`
    select ${RULE_COLUMNS}, s.version is distinct from a.version as "isUnarmed" from automations a
    left join automation_states s on s.tenant = a.tenant and s.automation_id = a.automation_id
    where a.rule ? 'Conditions' and a.enabled`)

/** Rules by their keys; those that are gone are absent. */
export const readRules = (db: Db, keys: readonly RuleKey[]): Promise<RuleRow[]> =>
  rulesWhere(
    db,
    sql`(a.tenant, a.automation_id) in (select * from unnest(
      ${keys.map(({ tenant }) => tenant)}::uuid[], ${keys.map(({ automationId }) => automationId)}::text[]))`,
  )

/** One rule, undefined when it is gone. */
export async function readRule(db: Db, key: RuleKey): Promise<RuleRow | undefined> {
  const [row] = await readRules(db, [key])
  return row
}
