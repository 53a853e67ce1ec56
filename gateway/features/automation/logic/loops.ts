import type { Condition, Conditions } from '../../../../contract/automation/condition.ts'
import { conjunctionsOf, isSatisfiable } from './satisfiable.ts'
import type { SetField } from '../../../../contract/automation/action.ts'
import { evaluateCondition } from '../../../../contract/automation/evaluate-conditions.ts'

/** A field that a rule sets; value undefined if it can be anything, as for a restored one. */
export type Effect = Omit<SetField, 'value'> & { value?: unknown }

/**
 * A rule with conditions, its actions expanded to devices.
 *
 * sets  fields that its actions and end actions set
 */
export interface LinkedRule {
  id: string
  conditions: Conditions
  sets: readonly Effect[]
}

const isAbout = ({ PeripheralUID, Field }: Condition, set: Effect): boolean =>
  PeripheralUID === set.PeripheralUID && Field === set.path

/** Whether a condition can hold, or fail to, after its field was set. */
function canHold(condition: Condition, { value }: Effect): boolean {
  if (condition.Logical === 'changed' || value === undefined) return true
  return typeof value === 'number' && evaluateCondition(condition, value, true) === true
}
function canFail(condition: Condition, { value }: Effect): boolean {
  if (condition.Logical === 'changed' || value === undefined) return true
  return typeof value === 'number' && evaluateCondition(condition, value, false) === false
}

/**
 * Whether setting a field can make a rule fire: a condition depends on it, and a conjunction of the conditions can then hold.
 * Fields arrive one by one, so other fields that were set with it are ignored.
 */
const startsBy = (rule: LinkedRule, set: Effect): boolean =>
  conjunctionsOf(rule.conditions).some(
    (all) =>
      all.some((condition) => isAbout(condition, set)) &&
      all.every((condition) => !isAbout(condition, set) || canHold(condition, set)) &&
      isSatisfiable(all.filter((condition) => !isAbout(condition, set))),
  )

/** Whether setting a field can make a rule's conditions false, without which it does not fire again. */
const endsBy = ({ conditions }: LinkedRule, set: Effect): boolean =>
  conditions.PeripheralUIDs.some((condition) => isAbout(condition, set) && canFail(condition, set))

/** Whether a rule can fire again while its conditions stay true. */
const firesWhileTrue = ({ conditions }: LinkedRule): boolean =>
  conditions.Repeat || conditions.PeripheralUIDs.some(({ Logical }) => Logical === 'changed')

/**
 * Rules that may start each other endlessly: each makes the next fire, and one of them makes its conditions false again. Every
 * loop is found; a found one may never occur, for example if other conditions prevent it.
 *
 * returns  ids of each loop, in the order of the rules
 */
export function findLoops(rules: readonly LinkedRule[]): string[][] {
  const bySubject = new Map<string, LinkedRule[]>()
  for (const rule of rules)
    for (const key of new Set(
      rule.conditions.PeripheralUIDs.map(({ PeripheralUID, Field }) => `${PeripheralUID} ${Field}`),
    ))
      bySubject.set(key, [...(bySubject.get(key) ?? []), rule])
  const starts = new Map<LinkedRule, Set<LinkedRule>>()
  const ends = new Map<LinkedRule, Set<LinkedRule>>()
  for (const rule of rules) {
    const reachable = rule.sets.flatMap((set) =>
      (bySubject.get(`${set.PeripheralUID} ${set.path}`) ?? []).map((other) => [set, other] as const),
    )
    starts.set(rule, new Set(reachable.flatMap(([set, other]) => (startsBy(other, set) ? [other] : []))))
    ends.set(rule, new Set(reachable.flatMap(([set, other]) => (endsBy(other, set) ? [other] : []))))
  }
  const lastingRules = lastingOf(rules, starts, ends)
  return cyclesOf([...lastingRules], (rule) =>
    [...(starts.get(rule) ?? [])].filter((next) => lastingRules.has(next)),
  ).map((cycle) => rules.filter((rule) => cycle.includes(rule)).map(({ id }) => id))
}

/** Rules that can fire endlessly: the rules that start them, and those that make their conditions false, can too. */
function lastingOf(
  rules: readonly LinkedRule[],
  starts: ReadonlyMap<LinkedRule, ReadonlySet<LinkedRule>>,
  ends: ReadonlyMap<LinkedRule, ReadonlySet<LinkedRule>>,
): Set<LinkedRule> {
  const lastingRules = new Set(rules)
  for (let before = -1; before !== lastingRules.size;) {
    before = lastingRules.size
    for (const rule of lastingRules) {
      const isStarted = [...lastingRules].some((other) => starts.get(other)?.has(rule))
      const isEnded = firesWhileTrue(rule) || [...lastingRules].some((other) => ends.get(other)?.has(rule))
      if (!isStarted || !isEnded) lastingRules.delete(rule)
    }
  }
  return lastingRules
}

/** Strongly connected components with a cycle (Tarjan's algorithm). */
function cyclesOf<Node>(nodes: readonly Node[], next: (node: Node) => Node[]): Node[][] {
  const found: Node[][] = []
  const stack: Node[] = []
  const index = new Map<Node, number>()
  const low = new Map<Node, number>()
  const onStack = new Set<Node>()
  const visit = (node: Node): number => {
    const own = index.size
    index.set(node, own)
    stack.push(node)
    onStack.add(node)
    let lowest = own
    for (const other of next(node))
      if (!index.has(other)) lowest = Math.min(lowest, visit(other))
      else if (onStack.has(other)) lowest = Math.min(lowest, index.get(other) ?? lowest)
    low.set(node, lowest)
    if (lowest === own) {
      const cycle = stack.splice(stack.indexOf(node))
      for (const one of cycle) onStack.delete(one)
      if (cycle.length > 1 || next(node).includes(node)) found.push(cycle)
    }
    return lowest
  }
  for (const node of nodes) if (!index.has(node)) visit(node)
  return found
}
