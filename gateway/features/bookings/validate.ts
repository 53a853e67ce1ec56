import { type Period, periodProblem } from '../../../contract/time/booking.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Who is named twice, perhaps in another case, attends once. */
export const deduplicate = (addresses: readonly string[]): string[] => [...new Set(addresses)]

export const periodOf = ({ StartTimestamp, EndTimestamp }: Period): Period => ({
  StartTimestamp,
  EndTimestamp,
})

const invalid = (problem: NonNullable<ReturnType<typeof periodProblem>>) =>
  new GatewayError('INVALID', 'The period cannot be booked', { [problem.field]: problem.reason })

/** Errors: INVALID with the field at fault. */
export function checkPeriods(periods: readonly Period[], now: number): void {
  for (const period of periods) {
    const problem = periodProblem(period, now)
    if (problem) throw invalid(problem)
  }
}

/** A booking under way may end at another time, but not begin at one that has passed. Errors: INVALID with the field at fault. */
export function checkMoved(before: Period, after: Period, now: number): void {
  const began = before.StartTimestamp === after.StartTimestamp && before.StartTimestamp <= now
  const problem = periodProblem(after, began ? before.StartTimestamp : now)
  if (problem) throw invalid(problem)
  if (after.EndTimestamp <= now) throw invalid({ field: 'EndTimestamp', reason: 'past' })
}
