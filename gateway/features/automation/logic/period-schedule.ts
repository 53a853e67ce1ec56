import { dayOf, weekdayOf } from '../../../../contract/time/periods.ts'
import { isDayOf, timeOnDay, type Place } from '../../../../contract/automation/home-calendar.ts'
import type { Window } from '../../../../contract/automation/schedule.ts'

/** Days that are searched for the next change of a period. */
const LOOK_AHEAD = 35
const DAY = 86_400_000

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
  const horizon = at + LOOK_AHEAD * DAY
  const spans = spansFrom(period, at, LOOK_AHEAD + 1, place)
  let end = at
  // Windows that touch or overlap count as one.
  for (const { from, to } of spans) if (from <= end && to > end) end = to
  if (end > at) return Math.min(end, horizon)
  return Math.min(spans.find(({ from }) => from > at)?.from ?? horizon, horizon)
}
