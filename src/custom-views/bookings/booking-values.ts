import dayjs, { type Dayjs } from 'dayjs'
import type { SeenReservation } from '../../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { atWall, onWall } from '../../../contract/rules/booking-clock.ts'
import { formatDay } from '../../../contract/rules/periods.ts'
import type { BookingRepeat } from '../../../contract/rules/booking-series.ts'
import type { Period } from '../../../contract/rules/booking.ts'

/** What the form holds. Date and times are those of the room's wall, whatever the browser's clock says. */
export interface BookingValues {
  ConferenceRoomID?: string | undefined
  date: Dayjs
  start: Dayjs
  end: Dayjs
  Subject?: string | undefined
  Attendees: string[]
  Host?: string | undefined
  Description?: string | undefined
  Private: boolean
  every: 'never' | BookingRepeat['Every']
  interval: number
  weekdays: number[]
  until: Dayjs
}

const DAY = 86_400_000
/** How long a series goes on unless somebody says so. */
const WEEKS = 4

/** The day of the calendar that a date picker shows, as days since 1970-01-01. */
export const dayPicked = (date: Dayjs): number => Date.UTC(date.year(), date.month(), date.date()) / DAY

const minutePicked = (time: Dayjs): number => time.hour() * 60 + time.minute()

const timeOf = (minute: number): Dayjs =>
  dayjs('2000-01-01')
    .hour(Math.floor(minute / 60))
    .minute(minute % 60)

/** The form's period on the room's clock; an end that is not after the start is on the next day. */
export function periodOf({ date, start, end }: BookingValues, zone: string): Period {
  const day = dayPicked(date)
  const [from, to] = [minutePicked(start), minutePicked(end)]
  return {
    StartTimestamp: atWall(day, from, zone),
    EndTimestamp: atWall(to > from ? day : day + 1, to, zone),
  }
}

/** Whether clocks that go forward leave out the time that was picked: the moment meant shows another one. */
export const leftOut = (picked: Dayjs, timestamp: number, zone: string): boolean =>
  onWall(timestamp, zone).minute !== minutePicked(picked)

/** Whether the period goes on after midnight. */
export const overnight = ({ start, end }: Pick<BookingValues, 'start' | 'end'>): boolean =>
  minutePicked(end) <= minutePicked(start)

/** Whether two forms mean the same times of the same room. */
export const sameTimes = (a: BookingValues, b: BookingValues): boolean =>
  a.ConferenceRoomID === b.ConferenceRoomID &&
  dayPicked(a.date) === dayPicked(b.date) &&
  minutePicked(a.start) === minutePicked(b.start) &&
  minutePicked(a.end) === minutePicked(b.end)

/** What of a form follows its date: the only weekday of a series, and its last day, which is never before the first. */
export function alongWith(
  date: Dayjs,
  before: Dayjs,
  { weekdays, until }: Pick<BookingValues, 'weekdays' | 'until'>,
): Pick<BookingValues, 'weekdays' | 'until'> {
  const only = weekdays.length === 1 && weekdays[0] === before.day()
  return {
    weekdays: only ? [date.day()] : weekdays,
    until: until.isBefore(date, 'day') ? date.add(WEEKS, 'week') : until,
  }
}

/** What a form sends of a booking. */
export type SentBooking = Pick<
  SeenReservation,
  | 'ConferenceRoomID'
  | 'StartTimestamp'
  | 'EndTimestamp'
  | 'Subject'
  | 'Attendees'
  | 'Host'
  | 'Description'
  | 'Private'
>

/**
 * What of a booking a form changed: what is left alone stays, also where somebody else has just changed it, and in each booking
 * of a series as it is there.
 *
 * before  the booking as the form began with it
 */
export function changesOf(before: SeenReservation, sent: SentBooking): Partial<SentBooking> {
  const { StartTimestamp, EndTimestamp, ...words } = sent
  const moved = StartTimestamp !== before.StartTimestamp || EndTimestamp !== before.EndTimestamp
  const changed = Object.entries(words).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof words]),
  )
  return { ...Object.fromEntries(changed), ...(moved && { StartTimestamp, EndTimestamp }) }
}

/** How the form wants it repeated; undefined once only. */
export function repeatOf({ every, interval, weekdays, until }: BookingValues): BookingRepeat | undefined {
  if (every === 'never') return undefined
  return {
    Every: every,
    Interval: interval,
    Weekdays: every === 'week' ? weekdays : [],
    Until: formatDay(dayPicked(until)),
  }
}

/** What the form begins with, for a period of a room or for a booking that is changed. */
export function valuesFor(
  room: ConferenceRoomWithClock | undefined,
  period: Period,
  zone: string,
  booking: SeenReservation | undefined,
  own: { email: string; name: string },
): BookingValues {
  const [from, to] = [onWall(period.StartTimestamp, zone), onWall(period.EndTimestamp, zone)]
  const date = dayjs(formatDay(from.day))
  return {
    ConferenceRoomID: room?.ConferenceRoomID,
    date,
    start: timeOf(from.minute),
    end: timeOf(to.minute),
    Subject: booking?.Subject,
    Attendees: booking?.Attendees ?? [own.email],
    Host: booking?.Host ?? own.name,
    Description: booking?.Description ?? '',
    Private: booking?.Private ?? false,
    every: 'never',
    interval: 1,
    weekdays: [date.day()],
    until: date.add(WEEKS, 'week'),
  }
}
