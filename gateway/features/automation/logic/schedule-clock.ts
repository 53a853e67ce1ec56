import { toEpoch } from '../../../../contract/time/wall-time.ts'
import { dayOf, formatDay, parseDay, weekdayOf } from '../../../../contract/time/periods.ts'
import {
  isDayOf,
  isHolidayFor,
  timeOnDay,
  type Place,
} from '../../../../contract/automation/home-calendar.ts'
import type { Repeating, Single } from '../../../../contract/automation/schedule.ts'

export type ScheduleClock = Repeating | Single

/** Days that are searched for a run: all years whose holidays are known. One that has none in them never runs. */
const HORIZON = 5000

const isSingle = (schedule: ScheduleClock): schedule is Single => !('Weekdays' in schedule)

const firstDay = ({ From }: Repeating): number => (From === null ? -Infinity : parseDay(From))
const lastDay = ({ Through }: Repeating): number => (Through === null ? Infinity : parseDay(Through))

/** Whether a schedule runs on a day, apart from whether its moment comes on it. */
const isListed = (schedule: Repeating, day: number, place: Place): boolean =>
  schedule.Weekdays.includes(weekdayOf(day)) &&
  isDayOf(schedule.Days, day, place) &&
  !schedule.Except.includes(formatDay(day))

/** Whether it would run on a day, were that not an exception or a holiday. */
const isStruck = (schedule: Repeating, day: number, place: Place): boolean =>
  schedule.Weekdays.includes(weekdayOf(day)) &&
  (isHolidayFor(schedule.Days, day, place) ||
    (isDayOf(schedule.Days, day, place) && schedule.Except.includes(formatDay(day))))

/** The days on which a moment after `after` can come, in order. A moment by the sun may be on the wall's next day. */
function* daysAfter(schedule: Repeating, after: number, place: Place): Generator<number> {
  const first = Math.max(dayOf(after, place.zone) - 1, firstDay(schedule))
  const last = Math.min(first + HORIZON, lastDay(schedule))
  for (let day = first; day <= last; day++) yield day
}

/**
 * When a schedule runs next.
 *
 * after    epoch ms; a run at that very moment is not next
 * returns  epoch ms, or undefined when it does not run any more
 * special  a time that clocks leave out in spring is as much later as they go, and of a time that comes twice in autumn the first
 *          is meant (`atWall`); days without that sunrise or sunset have no run
 */
export function nextRun(schedule: ScheduleClock, after: number, place: Place): number | undefined {
  if (isSingle(schedule)) return schedule.At > after ? schedule.At : undefined
  for (const day of daysAfter(schedule, after, place)) {
    const at = isListed(schedule, day, place) ? timeOnDay(schedule.At, day, place) : undefined
    if (at !== undefined && at > after) return at
  }
  return undefined
}

/** Whether a schedule has a run at a moment: a home's zone, place or holidays may have changed since that was computed. */
export const isDue = (schedule: ScheduleClock, at: number, place: Place): boolean =>
  nextRun(schedule, at - 1, place) === at

/**
 * Whether a schedule by the sun would run on the day that runs, were there that sunrise or sunset.
 *
 * now      epoch ms
 * returns  when the day began, epoch ms; undefined where its moment comes, or it does not run on that day anyway
 */
export function sunlessDay(schedule: ScheduleClock, now: number, place: Place): number | undefined {
  if (isSingle(schedule) || typeof schedule.At === 'number') return undefined
  const day = dayOf(now, place.zone)
  if (day < firstDay(schedule) || day > lastDay(schedule) || !isListed(schedule, day, place)) return undefined
  return timeOnDay(schedule.At, day, place) === undefined ? toEpoch(day, 0, place.zone) : undefined
}

/** The runs of a schedule after `from` up to and including `to`, both epoch ms, in order. */
export function runsBetween(schedule: ScheduleClock, from: number, to: number, place: Place): number[] {
  const runs: number[] = []
  for (
    let at = nextRun(schedule, from, place);
    at !== undefined && at <= to;
    at = nextRun(schedule, at, place)
  )
    runs.push(at)
  return runs
}

/** A time that is shown of a schedule, epoch ms; Struck when its day is an exception or a holiday: no run. */
export interface ShownRun {
  At: number
  Struck: boolean
}

/**
 * What an editor shows of a schedule.
 *
 * after    epoch ms
 * count    most runs
 * returns  its next runs, and before the last of them the first days that are left out, at most as many
 */
export function nextRuns(schedule: ScheduleClock, after: number, count: number, place: Place): ShownRun[] {
  if (isSingle(schedule)) return schedule.At > after ? [{ At: schedule.At, Struck: false }] : []
  const shown: ShownRun[] = []
  let [runs, struck] = [0, 0]
  for (const day of daysAfter(schedule, after, place)) {
    if (runs === count) break
    const Struck = !isListed(schedule, day, place)
    if (Struck && (struck === count || !isStruck(schedule, day, place))) continue
    const At = timeOnDay(schedule.At, day, place)
    if (At === undefined || At <= after) continue
    if (Struck) struck++
    else runs++
    shown.push({ At, Struck })
  }
  return shown
}

/**
 * The last run that was due while nothing ran.
 *
 * from, now  epoch ms; a run at `from` was not missed, one at `now` is
 * grace      seconds that a run may be late
 * returns    when it was due and whether it may still run, or undefined when none was due
 */
export function latestMissed(
  schedule: ScheduleClock,
  { from, now, grace }: { from: number; now: number; grace: number },
  place: Place,
): { at: number; isInGrace: boolean } | undefined {
  const at = lastRun(schedule, from, now, place)
  return at === undefined ? undefined : { at, isInGrace: now - at <= grace * 1000 }
}

function lastRun(schedule: ScheduleClock, from: number, now: number, place: Place): number | undefined {
  const isDue = (at: number | undefined): at is number => at !== undefined && at > from && at <= now
  if (isSingle(schedule)) return isDue(schedule.At) ? schedule.At : undefined
  const first = Math.max(dayOf(from, place.zone) - 1, firstDay(schedule))
  const last = Math.min(dayOf(now, place.zone) + 1, lastDay(schedule))
  for (let day = last; day >= first; day--) {
    const at = isListed(schedule, day, place) ? timeOnDay(schedule.At, day, place) : undefined
    if (isDue(at)) return at
  }
  return undefined
}
