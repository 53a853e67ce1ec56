import type { Automation } from '../../../../contract/resources/automation.ts'
import type { ActingRule } from '../../../../contract/rules/automation/conflicts.ts'
import { type Effect, findLoops, type LinkedRule } from '../../../../contract/rules/automation/loops.ts'
import { setFieldsOf } from '../../../../contract/rules/automation/set-fields.ts'
import type { Action } from '../../../../contract/rules/automation/action.ts'
import { type Db, sql } from '../../../store/db.ts'
import { actionLists, type StoredRule } from '../automation/stored-rule.ts'
import { expandActions } from '../expand-actions.ts'
import { loadTargets, type Targets } from '../targets.ts'

/** An automation, as far as findings name it. */
export type Named = Pick<Automation, 'AutomationID' | 'AutomationType' | 'AutomationName'>

/** A rule that is judged before it is saved; id undefined for a new one. */
export interface Judged {
  id: string | undefined
  rule: StoredRule
}

/** A home's rules with what they set as things stand now. */
export interface OtherRules {
  targets: Targets
  /** The id of the judged one. */
  own: string
  names: ReadonlyMap<string, Named>
  acting: readonly ActingRule[]
  linked: readonly LinkedRule[]
}

/** No automation is called so. */
const NEW = ''

/** A rule that is judged among those of its home that are switched on. */
export async function readOtherRules(
  db: Db,
  home: { tenant: string; homeId: string },
  { id = NEW, rule }: Judged,
): Promise<OtherRules> {
  const rows = await db.query<Named & { rule: StoredRule }>(sql`
    select automation_id as "AutomationID", automation_type as "AutomationType", automation_name as "AutomationName", rule
    from automations where tenant = ${home.tenant} and home_id = ${home.homeId} and enabled and automation_id <> ${id}
    order by lower(automation_name), automation_id`)
  const rules = [{ id, rule }, ...rows.map((row) => ({ id: row.AutomationID, rule: row.rule }))]
  const targets = await loadTargets(
    db,
    home,
    rules.flatMap((one) => actionLists(one.rule).flatMap(({ actions }) => actions)),
  )
  return {
    targets,
    own: id,
    names: new Map(rows.map(({ rule: _rule, ...named }) => [named.AutomationID, named])),
    acting: rules.map((one) => ({
      id: one.id,
      conditions: one.rule.Conditions,
      schedule: one.rule.Schedule,
      sets: setBy(one.rule.Actions, targets),
    })),
    linked: rules.flatMap((one) =>
      one.rule.Conditions
        ? [{ id: one.id, conditions: one.rule.Conditions, sets: effectsOf(one.rule, targets) }]
        : [],
    ),
  }
}

const setBy = (actions: readonly Action[], targets: Targets) =>
  expandActions(actions, targets).flatMap(({ uid, values }) =>
    setFieldsOf({ PeripheralUID: uid, Values: values }),
  )

/** What a rule sets, at its end too: what is restored can be anything. */
function effectsOf({ Actions, EndActions, EndDuration }: StoredRule, targets: Targets): Effect[] {
  const sets = setBy(Actions, targets)
  if (EndDuration === 0) return sets
  if (EndActions !== 'restore') return [...sets, ...setBy(EndActions, targets)]
  return [...sets, ...sets.map(({ PeripheralUID, path }) => ({ PeripheralUID, path }))]
}

/** The loops that the judged rule is part of: the ids of the others in each. */
export const loopsWith = ({ own, linked }: Pick<OtherRules, 'own' | 'linked'>): string[][] =>
  findLoops(linked)
    .filter((ids) => ids.includes(own))
    .map((ids) => ids.filter((id) => id !== own))
