import type { EditedCondition } from './draft.ts'

/** The limits of a measure; null for none. */
interface Limits {
  upper: number | null
  lower: number | null
}

/** A condition of an alarm as a person sets it. */
export function limitsOf({ Logical, Status, Upper }: EditedCondition): Limits {
  if (Logical === 'outside') return { lower: Status, upper: Upper }
  return Logical === '<' || Logical === '<=' ? { lower: Status, upper: null } : { lower: null, upper: Status }
}

/** The condition that is true beyond these limits; without any it waits for an upper one. */
export function withLimits(condition: EditedCondition, { upper, lower }: Limits): EditedCondition {
  if (upper !== null && lower !== null)
    return { ...condition, Logical: 'outside', Status: lower, Upper: upper, Clear: null }
  const before = limitsOf(condition)
  const isSame = (before.lower === null) === (lower === null)
  return {
    ...condition,
    Logical: lower === null ? '>' : '<',
    Status: lower ?? upper,
    Upper: null,
    // Of another limit it would lie on the wrong side.
    Clear: isSame ? condition.Clear : null,
  }
}
