import type { Automation } from '../../../../contract/automation/automation.ts'
import type { ActingRule } from '../logic/conflicts.ts'
import { type Effect, findLoops, type LinkedRule } from '../logic/loops.ts'
import { setFieldsOf, type Action } from '../../../../contract/automation/action.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { expandActions, loadTargets, type LoadedTargets } from '../targets/targets.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { actionLists, type RuleOfAutomation } from './stored-rule.ts'
import type { EngineHomeKey } from './ports.ts'

export type RuleReference = Pick<Automation, 'AutomationID' | 'AutomationType' | 'AutomationName'>

/** Rule that is checked before it is saved; id undefined for a new one. */
interface RuleUnderCheck {
  id: string | undefined
  rule: RuleOfAutomation
}

/** Rules of a home and the fields that they set at present. */
export interface OtherRules {
  targets: LoadedTargets
  own: string
  names: ReadonlyMap<string, RuleReference>
  acting: readonly ActingRule[]
  linked: readonly LinkedRule[]
}

type Row = RuleReference & { rule: RuleOfAutomation; madeAt: number }

/** Id of a rule that is not saved yet. */
const NEW = ''

/** Checked rule together with the enabled rules of its home. */
export async function readOtherRules(
  db: Db,
  home: EngineHomeKey,
  { id = NEW, rule }: RuleUnderCheck,
): Promise<OtherRules> {
  const rows = (await readEnabled(db, home)).filter(({ AutomationID }) => AutomationID !== id)
  const [own] = await db.query<{ madeAt: number }>(sql`select created_at as "madeAt" from automations
    where tenant = ${home.tenant} and automation_id = ${id}`)
  const rules = [
    { id, rule, madeAt: own?.madeAt },
    ...rows.map((row) => ({ id: row.AutomationID, rule: row.rule, madeAt: row.madeAt })),
  ]
  const targets = await targetsOf(db, home, rules)
  return {
    targets,
    own: id,
    names: namesOf(rows),
    acting: rules.map((one) => ({
      id: one.id,
      conditions: one.rule.Conditions,
      schedule: one.rule.Schedule,
      sets: setBy(one.rule.Actions, targets),
      madeAt: one.madeAt,
    })),
    linked: linkedOf(rules, targets),
  }
}

/** Loops among the enabled rules of a home: the ids of each loop, and the rules' names. */
async function readLoops(
  db: Db,
  home: EngineHomeKey,
): Promise<{ loops: string[][]; names: ReadonlyMap<string, RuleReference> }> {
  const rows = await readEnabled(db, home)
  const rules = rows.map((row) => ({ id: row.AutomationID, rule: row.rule }))
  return { loops: findLoops(linkedOf(rules, await targetsOf(db, home, rules))), names: namesOf(rows) }
}

const readEnabled = (db: Db, { tenant, homeId }: EngineHomeKey) =>
  db.query<Row>(sql`
    select automation_id as "AutomationID", automation_type as "AutomationType", automation_name as "AutomationName", rule,
      created_at as "madeAt"
    from automations where tenant = ${tenant} and home_id = ${homeId} and enabled
    order by lower(automation_name), automation_id`)

const targetsOf = (
  db: Db,
  home: EngineHomeKey,
  rules: readonly { rule: RuleOfAutomation }[],
): Promise<LoadedTargets> =>
  loadTargets(
    db,
    home,
    rules.flatMap(({ rule }) => actionLists(rule).flatMap(({ actions }) => actions)),
  )

const namesOf = (rows: readonly Row[]): Map<string, RuleReference> =>
  new Map(rows.map(({ rule: _rule, madeAt: _at, ...named }) => [named.AutomationID, named]))

const linkedOf = (
  rules: readonly { id: string; rule: RuleOfAutomation }[],
  targets: LoadedTargets,
): LinkedRule[] =>
  rules.flatMap(({ id, rule }) =>
    rule.Conditions ? [{ id, conditions: rule.Conditions, sets: effectsOf(rule, targets) }] : [],
  )

const setBy = (actions: readonly Action[], targets: LoadedTargets) =>
  expandActions(actions, targets).flatMap(({ uid, values }) =>
    setFieldsOf({ PeripheralUID: uid, Values: values }),
  )

/** Fields that a rule sets, including at its end; a restored value can be anything. */
function effectsOf({ Actions, EndActions, EndDuration }: RuleOfAutomation, targets: LoadedTargets): Effect[] {
  const sets = setBy(Actions, targets)
  if (EndDuration === 0) return sets
  if (EndActions !== 'restore') return [...sets, ...setBy(EndActions, targets)]
  return [...sets, ...sets.map(({ PeripheralUID, path }) => ({ PeripheralUID, path }))]
}

/** Loops that the checked rule is part of: the ids of the others in each. */
export const loopsWith = ({ own, linked }: Pick<OtherRules, 'own' | 'linked'>): string[][] =>
  findLoops(linked)
    .filter((ids) => ids.includes(own))
    .map((ids) => ids.filter((id) => id !== own))

/** Rejects a rule that may start itself again, directly or through others. Errors: INVALID with loop at AcceptLoop. */
export async function assertNoLoop(
  db: Db,
  home: { tenant: string; homeId: string },
  checkedRule: RuleUnderCheck,
): Promise<void> {
  if (!checkedRule.rule.Conditions) return
  const rules = await readOtherRules(db, home, checkedRule)
  const [loop] = loopsWith(rules)
  if (!loop) return
  const names = loop.flatMap((id) => rules.names.get(id)?.AutomationName ?? [])
  const text = names.length > 0 ? `It and ${names.join(', ')} may start each other` : 'It may start itself'
  throw new GatewayError('INVALID', `${text} again and again`, { AcceptLoop: 'loop' })
}

/**
 * Makes a change of groups, scenes or their targets, and rejects it if automations can then start each other in a new loop. Loops
 * that were accepted when saved remain.
 *
 * field   field of the error
 * errors  INVALID with startsLoop; the transaction must not continue
 */
export async function assertNoNewLoop(
  db: Db,
  home: { tenant: string; homeId: string },
  field: 'Actions' | 'PeripheralList' | 'New',
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await readLoops(db, home)
  await change()
  const { loops, names } = await readLoops(db, home)
  const newLoop = loops.find((ids) => !before.loops.some((old) => ids.every((id) => old.includes(id))))
  if (!newLoop) return
  const named = newLoop.flatMap((id) => names.get(id)?.AutomationName ?? []).join(', ')
  throw new GatewayError('INVALID', `${named} may start each other again and again`, {
    [field]: 'startsLoop',
  })
}
