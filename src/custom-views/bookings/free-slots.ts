import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { MINUTE, type Period } from '../../../contract/time/booking.ts'
import { toEpoch, weekdayOf } from '../../../contract/time/periods.ts'
import { minuteOf, type MinuteRange } from './grid-geometry.ts'

/** Step to which a start is rounded up. */
const QUARTER = 15 * MINUTE
/** Working hours in the room's time zone, in minutes since midnight. */
const WORKING_HOURS: MinuteRange = { from: 8 * 60, to: 19 * 60 }

/** Free period of a room, as the gateway returns it. */
export type FreePeriod = Period & { ConferenceRoomID: string }

/** Free periods of one room. */
export interface RoomSlots {
  room: ConferenceRoomWithClock
  periods: Period[]
}

export const isWorkday = (day: number): boolean => weekdayOf(day) % 6 !== 0

/** Period of a day in which free slots are offered. */
export const workingPeriod = (day: number, zone: string): Period => ({
  StartTimestamp: toEpoch(day, WORKING_HOURS.from, zone),
  EndTimestamp: toEpoch(day, WORKING_HOURS.to, zone),
})

/** Working hours of a day; none on weekends. */
export const workingRange = (day: number): MinuteRange | undefined =>
  isWorkday(day) ? WORKING_HOURS : undefined

/**
 * Slots of a day within the working hours, by room: each free period offers its beginning and the full hours after it.
 *
 * free     in any order; rooms are returned in the order of their first slot
 * minutes  length of a slot
 */
export function slotsOn(
  day: number,
  free: readonly FreePeriod[],
  rooms: readonly ConferenceRoomWithClock[],
  minutes: number,
  now: number,
): RoomSlots[] {
  const slots = rooms.flatMap((room) => {
    const hours = workingPeriod(day, room.TimeZone)
    const periods = free
      .filter(({ ConferenceRoomID }) => ConferenceRoomID === room.ConferenceRoomID)
      .flatMap((period) => {
        const end = Math.min(period.EndTimestamp, hours.EndTimestamp)
        const first = Math.max(period.StartTimestamp, hours.StartTimestamp, now)
        return startsFrom(minuteOf(Math.ceil(first / QUARTER) * QUARTER, day, room.TimeZone))
          .map((minute) => toEpoch(day, minute, room.TimeZone))
          .filter((start) => start + minutes * MINUTE <= end)
      })
      .toSorted((a, b) => a - b)
      .map((StartTimestamp) => ({ StartTimestamp, EndTimestamp: StartTimestamp + minutes * MINUTE }))
    return periods.length > 0 ? [{ room, periods }] : []
  })
  return slots.toSorted((a, b) => firstStart(a) - firstStart(b) || a.room.Capacity - b.room.Capacity)
}

/** A minute of the day and the full hours after it. */
function startsFrom(first: number): number[] {
  const starts = [first]
  for (let minute = nextHour(first); minute < WORKING_HOURS.to; minute = nextHour(minute)) starts.push(minute)
  return starts
}
const nextHour = (minute: number): number => Math.floor(minute / 60) * 60 + 60

const firstStart = ({ periods: [first] }: RoomSlots): number => first?.StartTimestamp ?? Infinity

/** The first slot of the given days; undefined if none of them has one. */
export function firstSlot(
  days: readonly number[],
  free: readonly FreePeriod[],
  rooms: readonly ConferenceRoomWithClock[],
  minutes: number,
  now: number,
): { room: ConferenceRoomWithClock; period: Period } | undefined {
  for (const day of days) {
    const [first] = slotsOn(day, free, rooms, minutes, now)
    const period = first?.periods[0]
    if (first && period) return { room: first.room, period }
  }
  return undefined
}
