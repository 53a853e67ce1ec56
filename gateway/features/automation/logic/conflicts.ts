import { isPeriodOpen, nextPeriodChange } from './period-schedule.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import { conjunctionsOf, isSatisfiable } from './satisfiable.ts'
import { nextRun, type ScheduleClock } from './schedule-clock.ts'
import type { SetField } from '../../../../contract/automation/set-fields.ts'

/** A rule, its actions expanded to devices as things stand now; it has conditions or a schedule. */
export interface ActingRule {
  id: string
  conditions?: Conditions | undefined
  schedule?: ScheduleClock | undefined
  sets: readonly SetField[]
  /** When it was made, epoch ms; left out of one that is not saved yet. */
  madeAt?: number | undefined
}

/**
 * Two rules that set a field of a device differently: the later one wins.
 *
 * at  when their schedules meet next, epoch ms; null of conditions that can be true at once
 */
export interface Conflict {
  ids: [string, string]
  PeripheralUID: string
  path: string
  at: number | null
  /** Of schedules: the id of the one that comes later then, or at the same moment was made later. */
  wins?: string
}

/** Schedules meet when they run within a minute. */
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Days in which a meeting of schedules is looked for, and one of periods. */
const MEET_WITHIN = { schedules: 366, periods: 70 }

/** The first field that two rules set differently. */
const conflictingField = (a: ActingRule, b: ActingRule): SetField | undefined =>
  a.sets.find((one) =>
    b.sets.some(
      ({ PeripheralUID, path, value }) =>
        PeripheralUID === one.PeripheralUID && path === one.path && !isSame(value, one.value),
    ),
  )
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Whether conditions of two rules can hold at once, whatever the clock shows. */
const canBothHold = (a: Conditions, b: Conditions): boolean =>
  conjunctionsOf(a).some((one) => conjunctionsOf(b).some((other) => isSatisfiable([...one, ...other])))

/** Whether two rules are awake at once within the next weeks. */
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

/** When two schedules next run within a minute, and by how many ms `a` is later; undefined when they do not within a year. */
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

/** Above 0 when a rule was made after another: what runs at one moment runs in the order in which it was made. */
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
    const met = meetingOf(a.schedule, b.schedule, now, place)
    if (!met) return undefined
    const isLater = (met.later || madeLater(a, b)) > 0
    return { ...found(met.at), wins: isLater ? a.id : b.id }
  }
  if (!a.conditions || !b.conditions || !canBothHold(a.conditions, b.conditions)) return undefined
  return canBothBeAwake(a.conditions, b.conditions, now, place) ? found(null) : undefined
}

/**
 * Pairs of rules that set a field differently and can be true at once, or whose schedules meet. A schedule and a rule on
 * conditions are none: which of them is later is what they are for.
 *
 * about  only those of this rule
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
