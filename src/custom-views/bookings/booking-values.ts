import dayjs, { type Dayjs } from 'dayjs'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { formatDay, toEpoch, toWallTime } from '../../../contract/time/periods.ts'
import type { BookingRepeat } from '../../../contract/bookings/booking-series.ts'
import type { Period } from '../../../contract/time/booking.ts'
import type { ComparedPart } from '../../record-kit/use-tracked-record.ts'

/** Values of the form. Date and times are in the room's time zone, not the browser's. */
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
/** Default length of a series, in weeks. */
const WEEKS = 4

/** Day shown in a date picker, as days since 1970-01-01. */
export const dayPicked = (date: Dayjs): number => Date.UTC(date.year(), date.month(), date.date()) / DAY

const minutePicked = (time: Dayjs): number => time.hour() * 60 + time.minute()

const timeOf = (minute: number): Dayjs =>
  dayjs('2000-01-01')
    .hour(Math.floor(minute / 60))
    .minute(minute % 60)

/** Period of the form in the room's time zone; an end that is not after the start is on the next day. */
export function periodOf({ date, start, end }: BookingValues, zone: string): Period {
  const day = dayPicked(date)
  const [from, to] = [minutePicked(start), minutePicked(end)]
  return {
    StartTimestamp: toEpoch(day, from, zone),
    EndTimestamp: toEpoch(to > from ? day : day + 1, to, zone),
  }
}

/** Whether daylight saving skips the picked time, so that its timestamp shows another one. */
export const isSkippedByDst = (date: Dayjs, timestamp: number, zone: string): boolean =>
  toWallTime(timestamp, zone).minute !== minutePicked(date)

/** Whether the period ends on the next day. */
export const overnight = ({ start, end }: Pick<BookingValues, 'start' | 'end'>): boolean =>
  minutePicked(end) <= minutePicked(start)

/** Room and times of the form. */
export type BookingTimes = Pick<BookingValues, 'ConferenceRoomID' | 'date' | 'start' | 'end'>

export const hasSameTimes = (a: BookingTimes, b: BookingTimes): boolean =>
  a.ConferenceRoomID === b.ConferenceRoomID &&
  dayPicked(a.date) === dayPicked(b.date) &&
  minutePicked(a.start) === minutePicked(b.start) &&
  minutePicked(a.end) === minutePicked(b.end)

/** Fields that follow the date: the only weekday of a series, and its last day, which is never before the first. */
export function fieldsFollowingDate(
  date: Dayjs,
  before: Dayjs,
  { weekdays, until }: Pick<BookingValues, 'weekdays' | 'until'>,
): Pick<BookingValues, 'weekdays' | 'until'> {
  const isStartDayOnly = weekdays.length === 1 && weekdays[0] === before.day()
  return {
    weekdays: isStartDayOnly ? [date.day()] : weekdays,
    until: until.isBefore(date, 'day') ? date.add(WEEKS, 'week') : until,
  }
}

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

/** Parts of a booking that are compared and resolved as a unit: room and times together, each other field by itself. */
export const BOOKING_PARTS: readonly ComparedPart<BookingWithDetails>[] = [
  ['ConferenceRoomID', 'StartTimestamp', 'EndTimestamp'],
  ['Subject'],
  ['Attendees'],
  ['Host'],
  ['Description'],
  ['Private'],
]

/**
 * Booking of a form's values.
 *
 * zone     time zone of the form's room
 * booking  the booking to change: unchanged times keep its timestamps, because an hour repeated by daylight saving is ambiguous
 */
export function sentOf(values: BookingValues, zone: string, booking?: BookingWithDetails): SentBooking {
  const isUnchanged = booking && hasSameTimes(values, timesFor(booking.ConferenceRoomID, booking, zone))
  const { StartTimestamp, EndTimestamp } = isUnchanged ? booking : periodOf(values, zone)
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

/** Repetition of the form; undefined if there is none. */
export function repeatOf({ every, interval, weekdays, until }: BookingValues): BookingRepeat | undefined {
  if (every === 'never') return undefined
  return {
    Every: every,
    Interval: interval,
    Weekdays: every === 'week' ? weekdays : [],
    Until: formatDay(dayPicked(until)),
  }
}

/** Form values for a period in the room's time zone. */
export function timesFor(ConferenceRoomID: string | undefined, period: Period, zone: string): BookingTimes {
  const [from, to] = [toWallTime(period.StartTimestamp, zone), toWallTime(period.EndTimestamp, zone)]
  return {
    ConferenceRoomID,
    date: dateOf(from.day),
    start: timeOf(from.minute),
    end: timeOf(to.minute),
  }
}

/** The date of a day, as a date picker shows it. */
export const dateOf = (day: number): Dayjs => dayjs(formatDay(day))

/** Initial values of the form, for a period of a room or for a booking to change. */
export function valuesFor(
  room: ConferenceRoomWithClock | undefined,
  period: Period,
  zone: string,
  booking: BookingWithDetails | undefined,
  person: { email: string; name: string },
): BookingValues {
  const times = timesFor(room?.ConferenceRoomID, period, zone)
  const { date } = times
  return {
    ...times,
    Subject: booking?.Subject,
    Attendees: booking?.Attendees ?? [person.email],
    Host: booking?.Host ?? person.name,
    Description: booking?.Description ?? '',
    Private: booking?.Private ?? false,
    every: 'never',
    interval: 1,
    weekdays: [date.day()],
    until: date.add(WEEKS, 'week'),
  }
}
