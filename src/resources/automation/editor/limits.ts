import type { EditedCondition } from '../rules/draft.ts'

/** Limits of a measure; null for none. */
interface Limits {
  upper: number | null
  lower: number | null
}

/** Limits that a condition of an alarm expresses. */
export function limitsOf({ Logical, Status, Upper }: EditedCondition): Limits {
  if (Logical === 'outside') return { lower: Status, upper: Upper }
  return Logical === '<' || Logical === '<=' ? { lower: Status, upper: null } : { lower: null, upper: Status }
}

/** Condition that is true beyond the limits; without limits, an incomplete upper limit. */
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
    // The clear value would be on the wrong side of the other limit.
    Clear: isSame ? condition.Clear : null,
  }
}
