import { beforeEach, expect, it } from 'vitest'
import type { AnyEndpoint, ResultsOf, RequestOf } from '../../contract/kernel/define-endpoint.ts'
import { homeTariff } from '../../contract/tariffs/home-tariff-calls.ts'
import { bookings as bookingCalls } from '../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../contract/bookings/conference-room.ts'
import { placeFacts } from '../../contract/homes/place-facts-calls.ts'
import { home } from '../../contract/homes/home.ts'
import { taipowerPlan } from '../../contract/tariffs/taipower-plans.ts'
import type { Call } from '../../scripts/api.ts'
import { seedOffice } from '../../scripts/demo-office.ts'
import { demoCompany } from '../../simulator/demo/demo.ts'

type Booking = RequestOf<typeof bookingCalls.add>
type Room = RequestOf<typeof conferenceRoom.operations.create>

const homes = demoCompany.homes.map(({ HomeName, rooms: names }, i) => ({
  HomeID: `home-${i}`,
  HomeName,
  RoomList: names.map((RoomName, RoomID) => ({ RoomID, RoomName })),
}))
let rooms: (Room & { ConferenceRoomID: string })[]
let bookings: Booking[]
let facts: RequestOf<typeof placeFacts.setPlaceFact>[]
let tariffs: Map<string, RequestOf<typeof homeTariff.updateHomeTariff>['Tariffs']>

/** Fake gateway with only the calls that the demo makes; inputs are validated against the contract. */
const call: Call = async <E extends AnyEndpoint>(endpoint: E, input: RequestOf<E>) => {
  endpoint.input.parse(input)
  return answer(endpoint.path, input) as ResultsOf<E>
}
function answer(path: string, input: unknown): unknown {
  switch (path) {
    case home.operations.list.path:
      return homes
    case homeTariff.listHomeTariff.path:
      return tariffs.get((input as { HomeID: string }).HomeID) ?? []
    case homeTariff.updateHomeTariff.path: {
      const { HomeID, Tariffs } = input as RequestOf<typeof homeTariff.updateHomeTariff>
      return tariffs.set(HomeID, Tariffs).get(HomeID)
    }
    case placeFacts.listPlaceFact.path:
      return facts.filter((one) => one.HomeID === (input as { HomeID: string }).HomeID)
    case placeFacts.setPlaceFact.path:
      facts.push(input as RequestOf<typeof placeFacts.setPlaceFact>)
      return []
    case conferenceRoom.operations.list.path:
      return [...rooms]
    case conferenceRoom.operations.create.path: {
      const room = {
        ...(input as Room),
        ConferenceRoomID: `00000000-0000-4000-8000-00000000000${rooms.length}`,
      }
      rooms.push(room)
      return room
    }
    case bookingCalls.getByStartTimestamp.path: {
      const { StartTimestamp, EndTimestamp } = input as RequestOf<typeof bookingCalls.getByStartTimestamp>
      return bookings.filter((one) => one.StartTimestamp < EndTimestamp && one.EndTimestamp > StartTimestamp)
    }
    case bookingCalls.add.path:
      bookings.push(input as Booking)
      return []
    default:
      throw new Error(`Not expected: ${path}`)
  }
}

beforeEach(() => {
  rooms = []
  bookings = []
  facts = []
  tariffs = new Map()
})

const WEDNESDAY = Date.parse('2026-11-18T09:30:00+08:00')
const SUNDAY = Date.parse('2026-11-22T07:00:00+08:00')
const DAY = 86_400_000

it('gives every home a plan that there is, and makes seven meeting rooms', async () => {
  await seedOffice(call, WEDNESDAY)
  const plans = [...tariffs.values()].flat().map(({ PlanID }) => PlanID)
  expect(plans).toEqual([
    'commercial_two_stage',
    'hv_three_stage',
    'commercial_two_stage',
    'commercial_two_stage',
  ])
  expect(plans.every(taipowerPlan)).toBe(true)
  expect(rooms).toHaveLength(7)
})

it('says once how large each home is, and when the hall of the warehouse is open', async () => {
  await seedOffice(call, WEDNESDAY)
  await seedOffice(call, WEDNESDAY)
  const warehouse = homes.find(({ HomeName }) => HomeName === '台南物流中心')
  const hall = warehouse?.RoomList.find(({ RoomName }) => RoomName === '理貨區')
  expect(facts.filter(({ Fact }) => Fact === 'area')).toHaveLength(homes.length)
  expect(facts.filter(({ Fact }) => Fact === 'hours')).toEqual([
    {
      HomeID: warehouse?.HomeID,
      RoomID: hall?.RoomID,
      Fact: 'hours',
      Value: [{ Weekdays: [1, 2, 3, 4, 5], From: 480, To: 1200, Days: 'workdays' }],
      From: null,
    },
  ])
})

it('books six rooms in what is left of this week and in the next, one booking every week', async () => {
  await seedOffice(call, WEDNESDAY)
  expect(new Set(bookings.map(({ ConferenceRoomID }) => ConferenceRoomID)).size).toBe(6)
  expect(bookings.every(({ StartTimestamp }) => StartTimestamp > WEDNESDAY)).toBe(true)
  expect(bookings.some(({ StartTimestamp }) => StartTimestamp < WEDNESDAY + DAY)).toBe(true)
  expect(bookings.some(({ StartTimestamp }) => StartTimestamp > WEDNESDAY + 7 * DAY)).toBe(true)
  expect(bookings.filter(({ Repeat }) => Repeat).map(({ Subject }) => Subject)).toEqual(['週一晨會'])
})

it('books no room twice at a time', async () => {
  await seedOffice(call, SUNDAY)
  for (const [i, one] of bookings.entries())
    for (const other of bookings.slice(i + 1))
      expect(
        one.ConferenceRoomID !== other.ConferenceRoomID ||
          one.EndTimestamp <= other.StartTimestamp ||
          other.EndTimestamp <= one.StartTimestamp,
      ).toBe(true)
})

const today = () => bookings.filter(({ StartTimestamp }) => StartTimestamp < SUNDAY + 17 * 3_600_000)

it('books nothing on a day off', async () => {
  await seedOffice(call, SUNDAY)
  expect(today()).toHaveLength(0)
})

it('has bookings on a day off where the buildings live on a workday', async () => {
  await seedOffice(call, SUNDAY, { worldStart: Date.parse('2026-11-20T10:00:00+08:00') })
  expect(today().map(({ Subject }) => Subject)).toEqual(['部門週報', '供應商議價', '維修案例討論'])
})

it('books the rest of a meeting that is being held', async () => {
  await seedOffice(call, Date.parse('2026-11-18T11:20:00+08:00'))
  const [held] = bookings.filter(({ Subject }) => Subject === '設計討論')
  expect(held?.StartTimestamp).toBe(Date.parse('2026-11-18T11:30:00+08:00'))
  expect(held?.EndTimestamp).toBe(Date.parse('2026-11-18T12:00:00+08:00'))
})

it('books the week that has come since', async () => {
  await seedOffice(call, WEDNESDAY)
  const before = bookings.length
  await seedOffice(call, WEDNESDAY + 7 * DAY)
  const added = bookings.slice(before)
  expect(added.length).toBeGreaterThan(10)
  expect(added.every(({ StartTimestamp }) => StartTimestamp > WEDNESDAY + 11 * DAY)).toBe(true)
})

it('adds nothing the second time', async () => {
  await seedOffice(call, WEDNESDAY)
  const [before, made] = [bookings.length, rooms.length]
  await seedOffice(call, WEDNESDAY + 3_600_000)
  expect(bookings).toHaveLength(before)
  expect(rooms).toHaveLength(made)
})
