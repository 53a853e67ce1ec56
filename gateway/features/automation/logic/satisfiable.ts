import type { Condition, Conditions } from '../../../../contract/automation/condition.ts'
import { evaluateCondition } from '../../../../contract/automation/evaluate-conditions.ts'

/** Conditions as alternatives (disjunctive normal form): in each, all conditions must hold. */
export const conjunctionsOf = ({ PeripheralUIDs, Logical }: Conditions): readonly (readonly Condition[])[] =>
  Logical === 'AND' ? [PeripheralUIDs] : PeripheralUIDs.map((condition) => [condition])

/** Whether some values make all conditions hold at once; a condition within its hysteresis may still hold. */
export function isSatisfiable(conditions: readonly Condition[]): boolean {
  const byField = new Map<string, Condition[]>()
  for (const condition of conditions) {
    if (condition.Logical === 'changed') continue
    const key = `${condition.PeripheralUID} ${condition.Field}`
    byField.set(key, [...(byField.get(key) ?? []), condition])
  }
  return [...byField.values()].every((list) =>
    candidates(list).some((value) => list.every((condition) => evaluateCondition(condition, value, true))),
  )
}

/** One value of each interval in which no comparison changes: the bounds, values between them, and outside. */
function candidates(conditions: readonly Condition[]): number[] {
  const bounds = conditions
    .flatMap(({ Status, Clear }) => [
      ...(Array.isArray(Status) ? Status : [Status]),
      ...(Clear === undefined ? [] : [Clear]),
    ])
    .toSorted((a, b) => a - b)
  const between = bounds.map((bound, i) => (bound + (bounds[i + 1] ?? bound + 2)) / 2)
  return [...bounds, ...between, (bounds[0] ?? 0) - 1]
}
