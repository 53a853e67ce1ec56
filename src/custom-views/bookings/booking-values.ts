import dayjs, { type Dayjs } from 'dayjs'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { toEpoch, toWallTime } from '../../../contract/time/wall-time.ts'
import { formatDay } from '../../../contract/time/periods.ts'
import type { BookingRepeat } from '../../../contract/bookings/booking-series.ts'
import type { Period } from '../../../contract/time/booking.ts'
import type { ComparedPart } from '../../record-kit/compare-parts.ts'

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
const dayPicked = (date: Dayjs): number => Date.UTC(date.year(), date.month(), date.date()) / DAY

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
    StartTimestamp: toEpoch(day, from, zone),
    EndTimestamp: toEpoch(to > from ? day : day + 1, to, zone),
  }
}

/** Whether clocks that go forward leave out the time that was picked: the moment meant shows another one. */
export const isSkippedByDst = (picked: Dayjs, timestamp: number, zone: string): boolean =>
  toWallTime(timestamp, zone).minute !== minutePicked(picked)

/** Whether the period goes on after midnight. */
export const overnight = ({ start, end }: Pick<BookingValues, 'start' | 'end'>): boolean =>
  minutePicked(end) <= minutePicked(start)

/** Room, day and times of a form. */
type Times = Pick<BookingValues, 'ConferenceRoomID' | 'date' | 'start' | 'end'>

/** Whether two forms mean the same times of the same room. */
const sameTimes = (a: Times, b: Times): boolean =>
  a.ConferenceRoomID === b.ConferenceRoomID &&
  dayPicked(a.date) === dayPicked(b.date) &&
  minutePicked(a.start) === minutePicked(b.start) &&
  minutePicked(a.end) === minutePicked(b.end)

/** What of a form follows its date: the only weekday of a series, and its last day, which is never before the first. */
export function fieldsFollowingDate(
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
  BookingWithDetails,
  | 'ConferenceRoomID'
  | 'StartTimestamp'
  | 'EndTimestamp'
  | 'Subject'
  | 'Attendees'
  | 'Host'
  | 'Description'
  | 'Private'
>

/** What of a booking is changed, seen and decided on together: where and when it is, and each of its words alone. */
export const BOOKING_PARTS: readonly ComparedPart<BookingWithDetails>[] = [
  ['ConferenceRoomID', 'StartTimestamp', 'EndTimestamp'],
  ['Subject'],
  ['Attendees'],
  ['Host'],
  ['Description'],
  ['Private'],
]

/**
 * What a form says of a booking.
 *
 * zone     where the form's room is
 * booking  the one that is changed: times that nobody touched stay its own, as of a time that comes twice the form knows only one
 */
export function sentOf(values: BookingValues, zone: string, booking?: BookingWithDetails): SentBooking {
  const kept = booking && sameTimes(values, timesFor(booking.ConferenceRoomID, booking, zone))
  const { StartTimestamp, EndTimestamp } = kept ? booking : periodOf(values, zone)
  return {
    ConferenceRoomID: values.ConferenceRoomID ?? '',
    StartTimestamp,
    EndTimestamp,
    Subject: values.Subject ?? '',
    Attendees: values.Attendees,
    Host: values.Host ?? '',
    Description: values.Description ?? '',
    Private: values.Private,
  }
}

/** The values of a form for these fields of a booking. */
export function valuesOf(
  booking: BookingWithDetails,
  fields: readonly (keyof BookingWithDetails)[],
  zone: string,
): Partial<BookingValues> {
  const words = ['Subject', 'Attendees', 'Host', 'Description', 'Private'] as const
  return {
    ...(fields.includes('StartTimestamp') && timesFor(booking.ConferenceRoomID, booking, zone)),
    ...Object.fromEntries(words.filter((name) => fields.includes(name)).map((name) => [name, booking[name]])),
  }
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

/** A period on a room's clock, as the form's fields hold it. */
function timesFor(ConferenceRoomID: string | undefined, period: Period, zone: string): Times {
  const [from, to] = [toWallTime(period.StartTimestamp, zone), toWallTime(period.EndTimestamp, zone)]
  return {
    ConferenceRoomID,
    date: dayjs(formatDay(from.day)),
    start: timeOf(from.minute),
    end: timeOf(to.minute),
  }
}

/** What the form begins with, for a period of a room or for a booking that is changed. */
export function valuesFor(
  room: ConferenceRoomWithClock | undefined,
  period: Period,
  zone: string,
  booking: BookingWithDetails | undefined,
  own: { email: string; name: string },
): BookingValues {
  const times = timesFor(room?.ConferenceRoomID, period, zone)
  const { date } = times
  return {
    ...times,
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
