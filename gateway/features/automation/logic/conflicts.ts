import { isPeriodOpen, nextPeriodChange, nextRun, type ScheduleClock } from './schedule-clock.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import { conjunctionsOf, isSatisfiable } from './satisfiable.ts'
import type { SetField } from '../../../../contract/automation/action.ts'

/** A rule with conditions or a schedule, its actions expanded to the present devices. */
export interface ActingRule {
  id: string
  conditions?: Conditions | undefined
  schedule?: ScheduleClock | undefined
  sets: readonly SetField[]
  /** Creation time, epoch ms; absent for a rule that is not saved yet. */
  madeAt?: number | undefined
}

/**
 * Two rules that set a field of a device to different values: the later one wins.
 *
 * at  next time that their schedules coincide, epoch ms; null for conditions that can be true at once
 */
export interface Conflict {
  ids: [string, string]
  PeripheralUID: string
  path: string
  at: number | null
  /** Id of the schedule that runs later then or, at the same time, was created later. */
  wins?: string
}

/** Schedules coincide if they run within a minute. */
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Days that are searched for coinciding schedules and for overlapping periods. */
const MEET_WITHIN = { schedules: 366, periods: 70 }

const conflictingField = (a: ActingRule, b: ActingRule): SetField | undefined =>
  a.sets.find((one) =>
    b.sets.some(
      ({ PeripheralUID, path, value }) =>
        PeripheralUID === one.PeripheralUID && path === one.path && !isSame(value, one.value),
    ),
  )
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Whether the conditions of two rules can hold at once, regardless of their periods. */
const canBothHold = (a: Conditions, b: Conditions): boolean =>
  conjunctionsOf(a).some((one) => conjunctionsOf(b).some((other) => isSatisfiable([...one, ...other])))

/** Whether the periods of two rules overlap within the searched days. */
function canBothBeAwake(a: Conditions, b: Conditions, now: number, place: Place): boolean {
  if (a.Period.length === 0 || b.Period.length === 0) return true
  const until = now + MEET_WITHIN.periods * DAY
  for (let at = now; at < until;) {
    if (isPeriodOpen(a.Period, at, place) && isPeriodOpen(b.Period, at, place)) return true
    at = Math.min(
      nextPeriodChange(a.Period, at, place) ?? until,
      nextPeriodChange(b.Period, at, place) ?? until,
    )
  }
  return false
}

/** Next time that two schedules run within a minute, and by how many ms `a` is later; undefined if none within a year. */
function meetingOf(
  a: ScheduleClock,
  b: ScheduleClock,
  now: number,
  place: Place,
): { at: number; later: number } | undefined {
  const until = now + MEET_WITHIN.schedules * DAY
  let [one, other] = [nextRun(a, now, place), nextRun(b, now, place)]
  while (one !== undefined && other !== undefined && Math.max(one, other) < until) {
    if (Math.abs(one - other) < MINUTE) return { at: Math.max(one, other), later: one - other }
    if (one < other) one = nextRun(a, one, place)
    else other = nextRun(b, other, place)
  }
  return undefined
}

/** Positive if `a` was created after `b`. Rules that run at the same time run in order of creation. */
const madeLater = (a: ActingRule, b: ActingRule): number =>
  a.madeAt === b.madeAt ? (a.id > b.id ? 1 : -1) : (a.madeAt ?? Infinity) - (b.madeAt ?? Infinity)

function conflictOf(a: ActingRule, b: ActingRule, now: number, place: Place): Conflict | undefined {
  const field = conflictingField(a, b)
  if (!field) return undefined
  const found = (at: number | null): Conflict => ({
    ids: [a.id, b.id],
    PeripheralUID: field.PeripheralUID,
    path: field.path,
    at,
  })
  if (a.schedule && b.schedule) {
    const meeting = meetingOf(a.schedule, b.schedule, now, place)
    if (!meeting) return undefined
    const isLater = (meeting.later || madeLater(a, b)) > 0
    return { ...found(meeting.at), wins: isLater ? a.id : b.id }
  }
  if (!a.conditions || !b.conditions || !canBothHold(a.conditions, b.conditions)) return undefined
  return canBothBeAwake(a.conditions, b.conditions, now, place) ? found(null) : undefined
}

/**
 * Pairs of rules that set a field to different values and can be true at once, or whose schedules coincide. A schedule and a rule
 * with conditions never conflict: either may override the other on purpose.
 *
 * about  limits the result to pairs with this rule
 * now    epoch ms
 */
export function findConflicts(
  rules: readonly ActingRule[],
  { now, place, about }: { now: number; place: Place; about?: string },
): Conflict[] {
  return rules.flatMap((a, i) =>
    rules.slice(i + 1).flatMap((b) => {
      if (about !== undefined && a.id !== about && b.id !== about) return []
      return conflictOf(a, b, now, place) ?? []
    }),
  )
}
