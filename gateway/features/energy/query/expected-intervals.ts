import { daysWithMoves, datedMembers } from './dated-members.ts'
import { type DayClock, type DayPlan, plansWithin } from './day-plans.ts'
import type { MeterGroups } from '../meters/meter-groups.ts'
import type { Member } from '../meters/members.ts'

/** Number of ended intervals of each slot that the meters of a line should have reported, from the day of their first reading. */
export function createExpectation(
  lines: MeterGroups,
  plans: readonly DayPlan[],
  clock: DayClock,
  slots: number,
  first: ReadonlyMap<number, number>,
) {
  const due = lines.keys.map(() => new Int32Array(slots))
  const isOne = lines.epochs.length === 1
  const cut = isOne ? new Set<number>() : daysWithMoves(lines.epochs, clock)
  const whole = cut.size === 0 ? plans : plans.filter(({ day }) => !cut.has(day))
  addDue(due, datedMembers(lines, clock), whole, first)
  const others = plans.filter(({ day }) => cut.has(day))
  if (others.length > 0)
    for (const epoch of lines.epochs) addDue(due, epoch.members, plansWithin(epoch, others, clock), first)
  return (line: number): Int32Array => due[line] as Int32Array
}

/** Adds the intervals that the members should have reported on some days. */
function addDue(
  due: readonly Int32Array[],
  members: readonly Member[],
  plans: readonly DayPlan[],
  first: ReadonlyMap<number, number>,
): void {
  const [earliest, last] = [plans[0]?.day, plans.at(-1)?.day]
  if (earliest === undefined || last === undefined) return
  const known = new Map<string, ReadonlyMap<number, number>>()
  for (const { meterId, line, removed, days } of members) {
    const day = first.get(meterId)
    if (removed || day === undefined) continue
    const from = Math.max(day, earliest, days?.[0] ?? earliest)
    const end = Math.min(last + 1, days?.[1] ?? Infinity)
    if (from >= end) continue
    const key = `${from} ${end}`
    const lengths = known.get(key) ?? lengthsWithin(from, end, plans)
    known.set(key, lengths)
    const sums = due[line] as Int32Array
    for (const [slot, length] of lengths) (sums[slot] as number) += length
  }
}

/** Number of ended intervals of each slot, between two days (`end` exclusive). */
function lengthsWithin(from: number, end: number, plans: readonly DayPlan[]): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>()
  for (const { day, ended, windows } of plans)
    if (day >= from && day < end)
      for (const window of windows)
        lengths.set(
          window.slot,
          (lengths.get(window.slot) ?? 0) + Math.max(0, Math.min(window.to, ended) - window.from),
        )
  return lengths
}
