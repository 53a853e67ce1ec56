import { type Period, periodProblem } from '../../../contract/time/booking.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Removes duplicate addresses. */
export const deduplicate = (addresses: readonly string[]): string[] => [...new Set(addresses)]

export const periodOf = ({ StartTimestamp, EndTimestamp }: Period): Period => ({
  StartTimestamp,
  EndTimestamp,
})

const invalid = (problem: NonNullable<ReturnType<typeof periodProblem>>) =>
  new GatewayError('INVALID', 'The period cannot be booked', { [problem.field]: problem.reason })

/** Errors: INVALID with the invalid field. */
export function checkPeriods(periods: readonly Period[], now: number): void {
  for (const period of periods) {
    const problem = periodProblem(period, now)
    if (problem) throw invalid(problem)
  }
}

/** Checks a moved booking: one in progress may get another end, but no other start in the past. Errors: INVALID with the invalid field. */
export function checkMoved(before: Period, after: Period, now: number): void {
  const began = before.StartTimestamp === after.StartTimestamp && before.StartTimestamp <= now
  const problem = periodProblem(after, began ? before.StartTimestamp : now)
  if (problem) throw invalid(problem)
  if (after.EndTimestamp <= now) throw invalid({ field: 'EndTimestamp', reason: 'past' })
}
