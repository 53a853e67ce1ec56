import { homeTariff, type HomeTariff } from '../contract/procedures/home-tariff.ts'
import { bookings } from '../contract/procedures/bookings.ts'
import { conferenceRoom } from '../contract/resources/conference-room.ts'
import { home as homeResource } from '../contract/resources/home.ts'
import { isWorkday, localTime, startOfDay } from '../simulator/scenarios/taiwan.ts'
import type { Call } from './api.ts'

const DAY = 86_400_000
const MINUTE = 60_000

const TERMS = {
  ValidThrough: null,
  Capacities: {},
  Phases: 'three',
  PowerFactor: null,
  BillingDay: 1,
  BillingMonths: 1,
  FirstMonth: 1,
} as const satisfies Partial<HomeTariff>

/** What the demo's homes pay, by name, in the order of the company's plan. */
const TARIFFS: Readonly<Record<string, Omit<HomeTariff, 'ValidFrom'>>> = {
  內湖總部: { ...TERMS, PlanID: 'commercial_two_stage', Capacities: { regular: 140 }, PowerFactor: 92 },
  台中精機園區工廠: { ...TERMS, PlanID: 'hv_three_stage', Capacities: { regular: 330 }, PowerFactor: 96 },
  高雄分公司: { ...TERMS, PlanID: 'commercial_standard', BillingMonths: 2 },
}

/** Meeting rooms: name, home, people, equipment. */
const ROOMS = [
  ['三樓大會議室', '內湖總部', 16, '投影機、視訊會議、白板'],
  ['五樓小會議室', '內湖總部', 6, '電視、白板'],
  ['訪客接待室', '內湖總部', 4, '電視'],
  ['廠務會議室', '台中精機園區工廠', 10, '投影機、白板'],
  ['品管討論室', '台中精機園區工廠', 6, '顯微鏡投影、白板'],
  ['高雄會議室', '高雄分公司', 8, '視訊會議'],
] as const

/** Bookings of a week: room, weekday, start, minutes, subject, host. */
const BOOKINGS = [
  ['三樓大會議室', 1, 14, 90, '產品規格審查', '黃建宏'],
  ['三樓大會議室', 2, 10, 120, '客戶簡報：宏達機電', '林志明'],
  ['三樓大會議室', 4, 13.5, 60, '能源管理月會', '陳怡君'],
  ['三樓大會議室', 5, 15, 60, '部門週報', '王淑芬'],
  ['五樓小會議室', 1, 10, 60, '面試', '張雅婷'],
  ['五樓小會議室', 2, 16, 45, '專案同步', '黃建宏'],
  ['五樓小會議室', 3, 11, 60, '設計討論', '黃建宏'],
  ['五樓小會議室', 5, 9.5, 90, '供應商議價', '林志明'],
  ['廠務會議室', 2, 8.5, 30, '交班會議', '陳怡君'],
  ['廠務會議室', 3, 14, 120, '能源稽核：Northwind Energy', '陳怡君'],
  ['廠務會議室', 4, 9, 60, '設備保養排程', '李俊傑'],
] as const
const WEEKLY = ['三樓大會議室', 1, 9.5, 30, '週一晨會', '陳怡君'] as const
const WEEKS_OF_SERIES = 8
/** The weekday whose bookings are made for a first visit on a day off as well. */
const SHOWN_ON_DAYS_OFF = 2
const ATTENDEES = ['owner@demo.example', 'facility@demo.example']

/** Gives the demo's homes tariffs, and its people meeting rooms with bookings of this week and the next; what there is stays. */
export async function seedOffice(call: Call, now: number): Promise<void> {
  const homes = await call(homeResource.operations.list, {})
  for (const { HomeID, HomeName } of homes) {
    const terms = TARIFFS[HomeName]
    if (!terms || (await call(homeTariff.listHomeTariff, { HomeID })).length > 0) continue
    const ValidFrom = `${new Date(now).getUTCFullYear() - 2}-01-01`
    await call(homeTariff.updateHomeTariff, { HomeID, Tariffs: [{ ...terms, ValidFrom }] })
  }
  const known = await call(conferenceRoom.operations.list, {})
  for (const [ConferenceRoomName, HomeName, Capacity, Equipment] of ROOMS)
    if (!known.some((room) => room.ConferenceRoomName === ConferenceRoomName)) {
      const HomeID = homes.find((home) => home.HomeName === HomeName)?.HomeID ?? null
      known.push(
        await call(conferenceRoom.operations.create, { ConferenceRoomName, HomeID, Capacity, Equipment }),
      )
    }
  const roomOf = new Map(known.map((room) => [room.ConferenceRoomName, room.ConferenceRoomID]))
  await seedBookings(call, roomOf, now)
}

/** Bookings, unless there are some already in the coming two weeks; the past cannot be booked. */
async function seedBookings(call: Call, roomOf: ReadonlyMap<string, string>, now: number): Promise<void> {
  const coming = { StartTimestamp: now, EndTimestamp: now + 14 * DAY }
  if ((await call(bookings.getByStartTimestamp, coming)).length > 0) return
  const today = startOfDay(now)
  const monday = today - ((localTime(now).weekday + 6) % 7) * DAY
  const book = async (
    [room, , hour, minutes, Subject, Host]: (typeof BOOKINGS)[number] | typeof WEEKLY,
    day: number,
    Until?: string,
  ): Promise<boolean> => {
    const StartTimestamp = day + hour * 60 * MINUTE
    const ConferenceRoomID = roomOf.get(room)
    if (!ConferenceRoomID || StartTimestamp < now + MINUTE) return false
    await call(bookings.add, {
      ConferenceRoomID,
      StartTimestamp,
      EndTimestamp: StartTimestamp + minutes * MINUTE,
      Subject,
      Host,
      Attendees: ATTENDEES,
      ...(Until !== undefined && { Repeat: { Every: 'week', Interval: 1, Weekdays: [], Until } }),
    })
    return true
  }
  for (const booking of BOOKINGS)
    for (const week of [0, 7]) {
      const day = monday + (week + booking[1] - 1) * DAY
      if (isWorkday(localTime(day))) await book(booking, day)
    }
  // The buildings of the demo have office hours whatever day it is, and so have their rooms.
  if (!isWorkday(localTime(today)))
    for (const booking of BOOKINGS) if (booking[1] === SHOWN_ON_DAYS_OFF) await book(booking, today)
  const Until = new Date(now + WEEKS_OF_SERIES * 7 * DAY).toISOString().slice(0, 10)
  for (const week of [0, 7, 14]) if (await book(WEEKLY, monday + (week + WEEKLY[1] - 1) * DAY, Until)) return
}
