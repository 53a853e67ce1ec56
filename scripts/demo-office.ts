import { homeTariff, type HomeTariff } from '../contract/tariffs/home-tariff-calls.ts'
import { bookings } from '../contract/bookings/calls.ts'
import { conferenceRoom } from '../contract/bookings/conference-room.ts'
import { type OpeningHours, placeFacts } from '../contract/homes/place-facts-calls.ts'
import { home as homeResource, type HomeWithRooms } from '../contract/homes/home.ts'
import { type Meeting, MEETINGS } from '../simulator/scenarios/office.ts'
import type { Story, WrongTerms } from '../simulator/demo/story.ts'
import { isWorkday, localTime, startOfDay } from '../simulator/scenarios/taiwan.ts'
import type { Call } from './api.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const nextQuarter = (at: number): number => Math.ceil(at / QUARTER) * QUARTER

const TERMS = {
  ValidThrough: null,
  Capacities: {},
  Phases: 'three',
  PowerFactor: null,
  BillingDay: 1,
  BillingMonths: 1,
  FirstMonth: 1,
  FeedIn: null,
} as const satisfies Partial<HomeTariff>

/** Correct tariffs of the demo's homes by name, in the order of the company's plan. */
const TARIFFS: Readonly<Record<string, Omit<HomeTariff, 'ValidFrom'>>> = {
  內湖總部: { ...TERMS, PlanID: 'commercial_two_stage', Capacities: { regular: 185 }, PowerFactor: 96 },
  台中精機園區工廠: { ...TERMS, PlanID: 'hv_three_stage', Capacities: { regular: 370 }, PowerFactor: 96 },
  // Less than its chargers draw together: a contract guard enforces it.
  高雄分公司: { ...TERMS, PlanID: 'commercial_two_stage', Capacities: { regular: 60 }, PowerFactor: 95 },
  // Generation of its roof plant beyond the site's own use is sold.
  台南物流中心: {
    ...TERMS,
    PlanID: 'commercial_two_stage',
    Capacities: { regular: 70 },
    PowerFactor: 96,
    FeedIn: 4.1,
  },
}

/** Area of homes without parking, m². */
const AREAS: Readonly<Record<string, number>> = {
  內湖總部: 5_200,
  台中精機園區工廠: 7_600,
  高雄分公司: 1_500,
  台南物流中心: 4_800,
}

/** Opening hours of rooms, by home and room: the sorting area is in use until the last truck has left. */
const HOURS: Readonly<Record<string, Readonly<Record<string, OpeningHours>>>> = {
  台南物流中心: { 理貨區: [{ Weekdays: [1, 2, 3, 4, 5], From: 480, To: 1200, Days: 'workdays' }] },
}

/** Meeting rooms: name, home, people, equipment, and the name of their room in the home if it differs. */
const ROOMS = [
  ['三樓大會議室', '內湖總部', 16, '投影機、視訊會議、白板'],
  ['五樓小會議室', '內湖總部', 6, '電視、白板'],
  ['訪客接待室', '內湖總部', 4, '電視'],
  ['廠務會議室', '台中精機園區工廠', 10, '投影機、白板'],
  ['品管討論室', '台中精機園區工廠', 6, '顯微鏡投影、白板'],
  ['高雄會議室', '高雄分公司', 8, '視訊會議', '會議室'],
  ['物流中心洽談室', '台南物流中心', 6, '電視', '洽談室'],
] as const

const WEEKS_OF_SERIES = 8
const ATTENDEES = ['owner@demo.example', 'facility@demo.example']

/**
 * Creates tariffs, areas and opening hours of the demo's homes, and meeting rooms with bookings of this week and the next; existing
 * records stay unchanged.
 *
 * now         epoch ms
 * worldStart  world time at the start if it differs from now: on a day off, that day's meetings are booked
 * wrong       wrong contract terms of homes
 */
export async function seedOffice(
  call: Call,
  now: number,
  { worldStart = now, wrong = {} }: { worldStart?: number | undefined; wrong?: Story['terms'] } = {},
): Promise<void> {
  const homes = await call(homeResource.operations.list, {})
  for (const home of homes) {
    const { HomeID, HomeName } = home
    await seedPlaces(call, home)
    const terms = TARIFFS[HomeName] && withWrongTerms(TARIFFS[HomeName], wrong[HomeName])
    if (!terms || (await call(homeTariff.listHomeTariff, { HomeID })).length > 0) continue
    const ValidFrom = `${new Date(now).getUTCFullYear() - 2}-01-01`
    // The office has an old supply contract: low voltage with more than 100 kW.
    await call(homeTariff.updateHomeTariff, { HomeID, Tariffs: [{ ...terms, ValidFrom }], Sure: true })
  }
  const known = await call(conferenceRoom.operations.list, {})
  for (const [ConferenceRoomName, HomeName, Capacity, Equipment, RoomName = ConferenceRoomName] of ROOMS)
    if (!known.some((room) => room.ConferenceRoomName === ConferenceRoomName)) {
      const home = homes.find((one) => one.HomeName === HomeName)
      known.push(
        await call(conferenceRoom.operations.create, {
          ConferenceRoomName,
          HomeID: home?.HomeID ?? null,
          RoomID: home?.RoomList.find((room) => room.RoomName === RoomName)?.RoomID ?? null,
          Capacity,
          Equipment,
        }),
      )
    }
  const roomOf = new Map(
    ROOMS.map(([ConferenceRoomName, , , , RoomName = ConferenceRoomName]) => [
      RoomName,
      known.find((room) => room.ConferenceRoomName === ConferenceRoomName)?.ConferenceRoomID,
    ]),
  )
  await seedBookings(call, roomOf, now, worldStart)
}

/** Sets area and opening hours of a home without a start date, unless it has facts already. */
async function seedPlaces(call: Call, { HomeID, HomeName, RoomList }: HomeWithRooms): Promise<void> {
  if ((await call(placeFacts.listPlaceFact, { HomeID })).length > 0) return
  const always = { HomeID, From: null }
  const area = AREAS[HomeName]
  if (area) await call(placeFacts.setPlaceFact, { ...always, RoomID: null, Fact: 'area', Value: area })
  for (const { RoomID, RoomName } of RoomList) {
    const hours = HOURS[HomeName]?.[RoomName]
    if (hours) await call(placeFacts.setPlaceFact, { ...always, RoomID, Fact: 'hours', Value: hours })
  }
}

const withWrongTerms = (
  terms: Omit<HomeTariff, 'ValidFrom'>,
  { regular, PowerFactor }: WrongTerms = {},
): Omit<HomeTariff, 'ValidFrom'> => ({
  ...terms,
  ...(regular !== undefined && { Capacities: { regular } }),
  ...(PowerFactor !== undefined && { PowerFactor }),
})

/** Books the week's meetings in each week that has none yet; the past cannot be booked. */
async function seedBookings(
  call: Call,
  roomOf: ReadonlyMap<string, string | undefined>,
  now: number,
  worldStart: number,
): Promise<void> {
  const today = startOfDay(now)
  const monday = today - ((localTime(now).weekday + 6) % 7) * DAY
  const upcoming = { StartTimestamp: now, EndTimestamp: monday + 14 * DAY }
  const known = await call(bookings.getByStartTimestamp, upcoming)
  const book = async (meeting: Meeting, day: number, Until?: string): Promise<boolean> => {
    const { RoomName, hour, minutes, Subject, Host } = meeting
    const EndTimestamp = day + (hour * 60 + minutes) * MINUTE
    // For a meeting in progress, the rest is booked.
    const StartTimestamp = Math.max(day + hour * 60 * MINUTE, nextQuarter(now + MINUTE))
    const ConferenceRoomID = roomOf.get(RoomName)
    if (!ConferenceRoomID || EndTimestamp - StartTimestamp < QUARTER) return false
    await call(bookings.add, {
      ConferenceRoomID,
      StartTimestamp,
      EndTimestamp,
      Subject,
      Host,
      Attendees: ATTENDEES,
      ...(Until !== undefined && { Repeat: { Every: 'week', Interval: 1, Weekdays: [], Until } }),
    })
    return true
  }
  const series = MEETINGS.filter((meeting) => meeting.series)
  const single = MEETINGS.filter((meeting) => !meeting.series)
  for (const week of [0, 7]) {
    const from = monday + week * DAY
    const isBooked = known.some(
      ({ StartTimestamp, Subject }) =>
        StartTimestamp >= from &&
        StartTimestamp < from + 7 * DAY &&
        single.some((one) => one.Subject === Subject),
    )
    if (isBooked) continue
    for (const meeting of single) {
      const day = from + (meeting.weekday - 1) * DAY
      if (isWorkday(localTime(day))) await book(meeting, day)
    }
    if (week === 0 && !isWorkday(localTime(today)) && startOfDay(worldStart) !== today)
      for (const meeting of single)
        if (meeting.weekday === localTime(worldStart).weekday) await book(meeting, today)
  }
  const Until = new Date(now + WEEKS_OF_SERIES * 7 * DAY).toISOString().slice(0, 10)
  for (const meeting of series) {
    if (known.some(({ Subject }) => Subject === meeting.Subject)) continue
    for (const week of [0, 7, 14])
      if (await book(meeting, monday + (week + meeting.weekday - 1) * DAY, Until)) break
  }
}
