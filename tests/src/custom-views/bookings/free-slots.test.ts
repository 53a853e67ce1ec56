import { expect, it } from 'vitest'
import { MINUTE } from '../../../../contract/time/booking.ts'
import { parseDay, toEpoch } from '../../../../contract/time/periods.ts'
import { firstSlot, isWorkday, slotsOn } from '../../../../src/custom-views/bookings/free-slots.ts'
import { aConferenceRoom } from '../../../support/a-conference-room.ts'

const ZONE = 'Asia/Taipei'
const MONDAY = parseDay('2026-01-05')
const [small, large] = ['1', '2'].map((id) =>
  aConferenceRoom({
    ConferenceRoomID: `${id.repeat(8)}-1111-4111-8111-111111111111`,
    Capacity: Number(id) * 4,
    TimeZone: ZONE,
  }),
) as [ReturnType<typeof aConferenceRoom>, ReturnType<typeof aConferenceRoom>]
const at = (day: number, hour: number) => toEpoch(day, hour * 60, ZONE)
const free = (room: typeof small, from: number, until: number) => ({
  ConferenceRoomID: room.ConferenceRoomID,
  StartTimestamp: from,
  EndTimestamp: until,
})
const starts = (slots: ReturnType<typeof slotsOn>) =>
  slots.map(({ room, periods }) => [
    room.Capacity,
    periods.map(({ StartTimestamp }) => (StartTimestamp - at(MONDAY, 0)) / (60 * MINUTE)),
  ])

it('offers the beginning of each free period and the full hours after it, by room', () => {
  const periods = [
    free(small, at(MONDAY, 9.5), at(MONDAY, 12)),
    free(large, at(MONDAY, 0), at(MONDAY, 9)),
    free(large, at(MONDAY, 17), at(MONDAY, 24)),
  ]
  expect(starts(slotsOn(MONDAY, periods, [small, large], 60, 0))).toEqual([
    [8, [8, 17, 18]],
    [4, [9.5, 10, 11]],
  ])
  expect(starts(slotsOn(MONDAY, periods, [small, large], 120, 0))).toEqual([
    [4, [9.5, 10]],
    [8, [17]],
  ])
})

it('offers nothing in the past, and rounds up to a quarter hour', () => {
  const periods = [free(small, at(MONDAY, 0), at(MONDAY, 24))]
  const now = at(MONDAY, 16) + 5 * MINUTE
  expect(starts(slotsOn(MONDAY, periods, [small], 60, now))).toEqual([[4, [16.25, 17, 18]]])
  expect(slotsOn(MONDAY, periods, [small], 60, at(MONDAY, 18.5))).toEqual([])
})

it('finds the first free hour, in the smallest room that is free then', () => {
  const always = [large, small].map((room) => free(room, at(MONDAY, 0), at(MONDAY + 7, 0)))
  const atNight = at(MONDAY, 0) + 15 * MINUTE
  expect(firstSlot([MONDAY], always, [large, small], 60, atNight)).toEqual({
    room: small,
    period: { StartTimestamp: at(MONDAY, 8), EndTimestamp: at(MONDAY, 9) },
  })
  expect(firstSlot([MONDAY, MONDAY + 1], always, [large], 60, at(MONDAY, 20))?.period.StartTimestamp).toBe(
    at(MONDAY + 1, 8),
  )
  expect(firstSlot([MONDAY], always, [large], 60, at(MONDAY, 20))).toBeUndefined()
})

it('counts Mondays to Fridays as workdays', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((ahead) => isWorkday(MONDAY + ahead))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ])
})
