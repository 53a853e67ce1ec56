import { dayOf, weekdayOf } from '../../../../contract/time/periods.ts'
import { isDayOf, timeOnDay, type Place } from '../../../../contract/automation/home-calendar.ts'
import type { Window } from '../../../../contract/automation/schedule.ts'

/** Days within which the next turn of a period is looked for. */
const LOOK_AHEAD = 35
const DAY = 86_400_000

interface Span {
  from: number
  to: number
}

/** When a window that begins on a day is open; undefined where it does not begin on it, or is left out by a change of the clock. */
function spanOn(window: Window, day: number, place: Place): Span | undefined {
  if (!window.Weekdays.includes(weekdayOf(day)) || !isDayOf(window.Days, day, place)) return undefined
  const from = timeOnDay(window.From, day, place)
  let to = timeOnDay(window.To, day, place)
  if (from === undefined || to === undefined) return undefined
  const isByClock = typeof window.From === 'number' && typeof window.To === 'number'
  if (isByClock ? window.To <= window.From : to <= from) to = timeOnDay(window.To, day + 1, place)
  return to !== undefined && to > from ? { from, to } : undefined
}

/** The spans of all windows that begin on the days around a moment, by their beginning. One lasts two days at most. */
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
 * at  epoch ms; a window is open from its From up to, not including, its To
 */
export const isPeriodOpen = (period: readonly Window[], at: number, place: Place): boolean =>
  period.length === 0 || spansFrom(period, at, 1, place).some(({ from, to }) => from <= at && at < to)

/**
 * When an automation falls asleep or awakes next.
 *
 * returns  epoch ms after `at`; where it does not turn within 35 days the moment that far on, at which to ask again;
 *          undefined without windows: it is always awake
 */
export function nextPeriodChange(period: readonly Window[], at: number, place: Place): number | undefined {
  if (period.length === 0) return undefined
  const horizon = at + LOOK_AHEAD * DAY
  const spans = spansFrom(period, at, LOOK_AHEAD + 1, place)
  let end = at
  // Windows that touch or overlap are open as one.
  for (const { from, to } of spans) if (from <= end && to > end) end = to
  if (end > at) return Math.min(end, horizon)
  return Math.min(spans.find(({ from }) => from > at)?.from ?? horizon, horizon)
}
