import { dayOf, formatDay, parseDay, weekdayOf, toEpoch, DAY_MS } from '../../../../contract/time/periods.ts'
import {
  isDayOf,
  isHolidayFor,
  timeOnDay,
  type Place,
} from '../../../../contract/automation/home-calendar.ts'
import type { Repeating, Single, BookingTrigger, Window } from '../../../../contract/automation/schedule.ts'
import type { Booking } from '../../../../contract/bookings/calls.ts'
import { MINUTE, type Period } from '../../../../contract/time/booking.ts'

export type ScheduleClock = Repeating | Single

/** Days that are searched for a run: all years with known holidays. A schedule without a run in them never runs. */
const HORIZON = 5000

const isSingle = (schedule: ScheduleClock): schedule is Single => !('Weekdays' in schedule)

const firstDay = ({ From }: Repeating): number => (From === null ? -Infinity : parseDay(From))
const lastDay = ({ Through }: Repeating): number => (Through === null ? Infinity : parseDay(Through))

/** Whether a schedule runs on a day, ignoring whether its time exists on that day. */
const isListed = (schedule: Repeating, day: number, place: Place): boolean =>
  schedule.Weekdays.includes(weekdayOf(day)) &&
  isDayOf(schedule.Days, day, place) &&
  !schedule.Except.includes(formatDay(day))

/** Whether an exception or a holiday prevents a run on a day. */
const isSkipped = (schedule: Repeating, day: number, place: Place): boolean =>
  schedule.Weekdays.includes(weekdayOf(day)) &&
  (isHolidayFor(schedule.Days, day, place) ||
    (isDayOf(schedule.Days, day, place) && schedule.Except.includes(formatDay(day))))

/** Days on which a time after `after` can occur, in order. A time relative to the sun may fall on the next calendar day. */
function* daysAfter(schedule: Repeating, after: number, place: Place): Generator<number> {
  const first = Math.max(dayOf(after, place.zone) - 1, firstDay(schedule))
  const last = Math.min(first + HORIZON, lastDay(schedule))
  for (let day = first; day <= last; day++) yield day
}

/**
 * Next run of a schedule.
 *
 * after    epoch ms, exclusive
 * returns  epoch ms, or undefined if it never runs again
 * special  a time that the clock skips in spring is shifted by the skip; of a time that occurs twice in autumn the first counts
 *          (`toEpoch`); days without that sunrise or sunset have no run
 */
export function nextRun(schedule: ScheduleClock, after: number, place: Place): number | undefined {
  if (isSingle(schedule)) return schedule.At > after ? schedule.At : undefined
  for (const day of daysAfter(schedule, after, place)) {
    const at = isListed(schedule, day, place) ? timeOnDay(schedule.At, day, place) : undefined
    if (at !== undefined && at > after) return at
  }
  return undefined
}

/** Whether a schedule has a run at a time: the home's zone, location or holidays may have changed since the run was computed. */
export const isDue = (schedule: ScheduleClock, at: number, place: Place): boolean =>
  nextRun(schedule, at - 1, place) === at

/**
 * Whether a schedule relative to the sun would run today if the sun rose or set.
 *
 * now      epoch ms
 * returns  start of the day, epoch ms; undefined if its time exists today, or it does not run today anyway
 */
export function sunlessDay(schedule: ScheduleClock, now: number, place: Place): number | undefined {
  if (isSingle(schedule) || typeof schedule.At === 'number') return undefined
  const day = dayOf(now, place.zone)
  if (day < firstDay(schedule) || day > lastDay(schedule) || !isListed(schedule, day, place)) return undefined
  return timeOnDay(schedule.At, day, place) === undefined ? toEpoch(day, 0, place.zone) : undefined
}

/** Runs of a schedule after `from`, up to and including `to`, both epoch ms, in order. */
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

/** A displayed run, epoch ms; Struck if an exception or a holiday prevents it. */
interface ShownRun {
  At: number
  Struck: boolean
}

/**
 * Runs of a schedule that an editor shows.
 *
 * after    epoch ms
 * count    maximum number of runs
 * returns  its next runs and, before the last of them, the first prevented ones, at most as many
 */
export function nextRuns(schedule: ScheduleClock, after: number, count: number, place: Place): ShownRun[] {
  if (isSingle(schedule)) return schedule.At > after ? [{ At: schedule.At, Struck: false }] : []
  const shown: ShownRun[] = []
  let [runs, skipped] = [0, 0]
  for (const day of daysAfter(schedule, after, place)) {
    if (runs === count) break
    const Struck = !isListed(schedule, day, place)
    if (Struck && (skipped === count || !isSkipped(schedule, day, place))) continue
    const At = timeOnDay(schedule.At, day, place)
    if (At === undefined || At <= after) continue
    if (Struck) skipped++
    else runs++
    shown.push({ At, Struck })
  }
  return shown
}

/**
 * Latest run that was due while the gateway was not running.
 *
 * from, now  epoch ms, `from` exclusive, `now` inclusive
 * grace      seconds by which a run may be late
 * returns    due time and whether it may still run, or undefined if none was due
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

/** Parts of a booking that determine its trigger times. */
export type BookedTime = Period & Pick<Booking, 'ReleasedAt'>

/**
 * Reference time of a booking for a trigger, epoch ms. A room is released when a booking ends: at its end, or earlier if a person
 * ends it at the door or nobody checks in.
 */
export const bookingMoment = (
  { When }: Pick<BookingTrigger, 'When'>,
  { StartTimestamp, EndTimestamp, ReleasedAt }: BookedTime,
): number => (When === 'release' ? (ReleasedAt ?? EndTimestamp) : StartTimestamp)

/** Due time of a trigger for a reference time, epoch ms: some minutes before or after it. */
export const dueFrom = (
  { When, Minutes }: Pick<BookingTrigger, 'When' | 'Minutes'>,
  moment: number,
): number => moment + (When === 'before' ? -Minutes : Minutes) * MINUTE

/** Due time of a trigger for a booking, epoch ms. */
export const dueOfBooking = (trigger: BookingTrigger, booking: BookedTime): number =>
  dueFrom(trigger, bookingMoment(trigger, booking))

/** Time before the start of a booking in which a detected presence already counts for it, ms. */
export const EARLY_PRESENCE_MS = 5 * MINUTE

/** Days that are searched for the next change of a period. */
const MAX_LOOK_AHEAD_DAYS = 35
interface Span {
  from: number
  to: number
}

/** Span of a window that begins on a day; undefined if none does, or a clock change skips it. */
function spanOn(window: Window, day: number, place: Place): Span | undefined {
  if (!window.Weekdays.includes(weekdayOf(day)) || !isDayOf(window.Days, day, place)) return undefined
  const from = timeOnDay(window.From, day, place)
  let to = timeOnDay(window.To, day, place)
  if (from === undefined || to === undefined) return undefined
  const isByClock = typeof window.From === 'number' && typeof window.To === 'number'
  if (isByClock ? window.To <= window.From : to <= from) to = timeOnDay(window.To, day + 1, place)
  return to !== undefined && to > from ? { from, to } : undefined
}

/** Spans of all windows that begin on the days around a time, by their start. A span lasts two days at most. */
function spansFrom(period: readonly Window[], at: number, days: number, place: Place): Span[] {
  const today = dayOf(at, place.zone)
  const spans: Span[] = []
  for (let day = today - 2; day <= today + days; day++)
    for (const window of period) {
      const span = spanOn(window, day, place)
      if (span) spans.push(span)
    }
  return spans.toSorted((a, b) => a.from - b.from)
}

/**
 * Whether an automation is awake: one of its windows is open, or it has none.
 *
 * at  epoch ms; a window includes its From and excludes its To
 */
export const isPeriodOpen = (period: readonly Window[], at: number, place: Place): boolean =>
  period.length === 0 || spansFrom(period, at, 1, place).some(({ from, to }) => from <= at && at < to)

/**
 * Next time that an automation's period opens or closes.
 *
 * returns  epoch ms after `at`; without a change within 35 days, the end of those, at which to call again; undefined without
 *          windows, as it is always awake
 */
export function nextPeriodChange(period: readonly Window[], at: number, place: Place): number | undefined {
  if (period.length === 0) return undefined
  const horizon = at + MAX_LOOK_AHEAD_DAYS * DAY_MS
  const spans = spansFrom(period, at, MAX_LOOK_AHEAD_DAYS + 1, place)
  let end = at
  // Windows that touch or overlap count as one.
  for (const { from, to } of spans) if (from <= end && to > end) end = to
  if (end > at) return Math.min(end, horizon)
  return Math.min(spans.find(({ from }) => from > at)?.from ?? horizon, horizon)
}
