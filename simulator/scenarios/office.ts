import { chance, wander } from './random.ts'
import { isWorkday, localTime, outdoor, ramp } from './taiwan.ts'

/** A weekly meeting; hours are local time in Taiwan. */
export interface Meeting {
  RoomName: string
  /** 1 Monday to 5 Friday. */
  weekday: number
  /** Hours since midnight. */
  hour: number
  minutes: number
  Subject: string
  Host: string
  /** Booked as one series rather than week by week. */
  series?: true
}

type Row = readonly [weekday: number, hour: number, minutes: number, Subject: string, Host: string]

const PLAN: Readonly<Record<string, readonly Row[]>> = {
  三樓大會議室: [
    [1, 14, 90, '產品規格審查', '黃建宏'],
    [2, 10, 120, '客戶簡報：宏達機電', '林志明'],
    [3, 15.5, 90, '季度預算檢討', '王淑芬'],
    [4, 13.5, 60, '能源管理月會', '陳怡君'],
    [5, 15, 60, '部門週報', '王淑芬'],
  ],
  五樓小會議室: [
    [1, 10, 60, '面試', '張雅婷'],
    [2, 16, 45, '專案同步', '黃建宏'],
    [3, 11, 60, '設計討論', '黃建宏'],
    [4, 15, 60, '韌體評審', '黃建宏'],
    [5, 9.5, 90, '供應商議價', '林志明'],
  ],
  訪客接待室: [
    [2, 14, 60, '合作洽談', '林志明'],
    [4, 10.5, 45, '稽核員接待', '陳怡君'],
  ],
  會議室: [
    [1, 11, 60, '南區業務會議', '林志明'],
    [3, 14.5, 90, '產品示範', '林志明'],
    [5, 10, 60, '維修案例討論', '李俊傑'],
  ],
  洽談室: [[2, 10, 60, '貨主月度檢討', '李俊傑']],
  廠務會議室: [
    [2, 8.5, 30, '交班會議', '陳怡君'],
    [3, 14, 120, '能源稽核：Northwind Energy', '陳怡君'],
    [4, 9, 60, '設備保養排程', '李俊傑'],
  ],
}

/** Meetings of the demo's week by room. The demo books them, and its simulated meeting rooms are occupied during them. */
export const MEETINGS: readonly Meeting[] = [
  ...Object.entries(PLAN).flatMap(([RoomName, rows]) =>
    rows.map(([weekday, hour, minutes, Subject, Host]) => ({
      RoomName,
      weekday,
      hour,
      minutes,
      Subject,
      Host,
    })),
  ),
  {
    RoomName: '三樓大會議室',
    weekday: 1,
    hour: 9.5,
    minutes: 30,
    Subject: '週一晨會',
    Host: '陳怡君',
    series: true,
  },
]

const byRoom = new Map<string, Meeting[]>()
for (const meeting of MEETINGS)
  byRoom.set(meeting.RoomName, [...(byRoom.get(meeting.RoomName) ?? []), meeting])

/** Whether a room is occupied only during meetings. */
export const isMeetingRoom = (room: string): boolean => byRoom.has(room)

/** Minutes before the start at which the first people arrive, and maximum minutes before the end at which the last leave. */
const EARLY = 5
const SHORTER = 10

/** The meeting for which people are in a room at a time (epoch ms); undefined if there is none. */
export function meetingAt(seed: number, room: string, at: number): Meeting | undefined {
  const held = byRoom.get(room)
  if (!held) return undefined
  const time = localTime(at)
  if (!isWorkday(time)) return undefined
  return held.find(({ weekday, hour, minutes }) => {
    if (weekday !== time.weekday) return false
    const randomFor = (what: string) => chance(seed, room, time.day, hour, what)
    const from = hour - (EARLY * randomFor('early')) / 60
    const until = hour + (minutes - SHORTER * randomFor('over')) / 60
    return time.hour >= from && time.hour < until
  })
}

const MINUTE = 60_000

/**
 * Share of an office room's people who are present: they arrive around nine, go out or nap at noon, leave between six and
 * eight; on weekends people are occasionally in for some hours.
 *
 * key      the room; its days and habits are derived from it
 * returns  0 to 1
 */
function staff(seed: number, key: string, at: number): number {
  const time = localTime(at)
  const randomFor = (what: string) => chance(seed, key, time.day, what)
  if (!isWorkday(time)) {
    if (randomFor('weekend') > 0.12) return 0
    const from = 10 + 3 * randomFor('from')
    return time.hour > from && time.hour < from + 3 ? 0.15 : 0
  }
  const arrive = 8.5 + 0.8 * randomFor('arrive')
  const leave = 18 + 1.5 * randomFor('leave')
  const there = ramp(time.hour, arrive, arrive + 0.75) * (1 - ramp(time.hour, leave, leave + 0.75))
  const lunch = 0.6 * ramp(time.hour, 12, 12.2) * (1 - ramp(time.hour, 13.2, 13.5))
  const share = there * (1 - lunch) * (0.8 + 0.2 * wander(seed, key, at, 20 * MINUTE))
  return share < 0.03 ? 0 : share
}

/** Cleaners, as a share of a room's people. */
const CLEANERS = 0.1

/** Whether a room is being cleaned: for ten minutes between seven and half past on a workday. */
function isCleaned(seed: number, key: string, at: number): boolean {
  const time = localTime(at)
  if (!isWorkday(time) || time.hour < 7 || time.hour > 7.5) return false
  const from = 7 + chance(seed, key, time.day, 'cleaning') / 3
  return time.hour >= from && time.hour < from + 1 / 6
}

function peopleIn(seed: number, room: string, at: number): number {
  const cleaners = isCleaned(seed, room, at) ? CLEANERS : 0
  if (!isMeetingRoom(room)) return Math.max(staff(seed, room, at), cleaners)
  return meetingAt(seed, room, at) ? 0.6 + 0.3 * wander(seed, room, at, 20 * MINUTE) : cleaners
}

/** Cache of the last answers by room: all devices of a building query the same time. */
const latest = { seed: NaN, at: NaN, rooms: new Map<string, number>() }

/**
 * Share of an office room's people who are in it, cleaners included, 0 to 1; in a meeting room, during a meeting. Everything that
 * depends on people derives from it: lights, motion, air, air conditioners and sockets.
 */
export function presence(seed: number, room: string, at: number): number {
  if (latest.seed !== seed || latest.at !== at) {
    Object.assign(latest, { seed, at })
    latest.rooms.clear()
  }
  let people = latest.rooms.get(room)
  if (people === undefined) latest.rooms.set(room, (people = peopleIn(seed, room, at)))
  return people
}

const mean = (rooms: readonly string[], of: (room: string) => number): number =>
  rooms.reduce((sum, room) => sum + of(room), 0) / Math.max(1, rooms.length)

/** Mean presence of the rooms that a device serves, 0 to 1; a meeting room without a meeting does not count. */
const presenceIn = (seed: number, rooms: readonly string[], at: number): number =>
  mean(
    rooms.filter((room) => !isMeetingRoom(room) || presence(seed, room, at) > 0),
    (room) => presence(seed, room, at),
  )

/** Lights go on with the first person; at noon most offices go dark for the nap. */
export function officeLights(seed: number, room: string, at: number): number {
  const people = presence(seed, room, at)
  if (people === 0) return 0
  const { hour } = localTime(at)
  if (hour > 12.3 && hour < 13.3 && !isMeetingRoom(room)) return chance(seed, room, 'naps') < 0.7 ? 0 : 0.5
  return people < 0.3 ? 0.5 : 1
}

/** Whether there is motion: more likely with more people; none in an empty room. */
export const officeMotion = (seed: number, room: string, at: number): boolean =>
  chance(seed, room, 'walk', Math.floor(at / (MINUTE / 2))) < 0.05 + presence(seed, room, at) * 0.85 &&
  presence(seed, room, at) > 0

/** Opening of a room's door for some seconds as people pass; most often when they arrive, eat and leave. */
export function entrance(seed: number, room: string, at: number): boolean {
  if (presence(seed, room, at) === 0) return false
  const { hour } = localTime(at)
  const rush = (peak: number) => Math.exp(-((hour - peak) ** 2) / 0.18)
  const likely = 0.08 + 0.5 * (rush(9) + rush(12.1) + rush(13.3) + rush(18.4))
  return chance(seed, room, 'door', Math.floor(at / 15_000)) < likely
}

/** A door that opens rarely, of a plant room or a fire exit: for staff by day, for a guard's round at night. */
export function serviceDoor(seed: number, key: string, at: number): boolean {
  const time = localTime(at)
  const isDay = isWorkday(time) && time.hour > 7 && time.hour < 19
  return chance(seed, key, 'service door', Math.floor(at / MINUTE)) < (isDay ? 0.01 : 0.001)
}

/** Cooling demand by occupancy, 0 to 1: a few people demand as much as many. */
const demandOf = (seed: number, rooms: readonly string[], at: number): number =>
  ramp(presenceIn(seed, rooms, at), 0, 0.3)

/**
 * Share of its rated power that an air conditioner draws: fans while the served rooms are occupied, compressors
 * by the outdoor temperature, cycling every dozen minutes at part load.
 */
export function airConditioning(seed: number, key: string, rooms: readonly string[], at: number): number {
  const heat = ramp(outdoor(seed, at), 21, 34)
  const cycle = 0.75 + 0.5 * wander(seed, key, at, 6 * MINUTE)
  return Math.min(1, 0.015 + demandOf(seed, rooms, at) * (0.1 + 0.85 * heat * cycle))
}

/** Sockets: refrigerators and standby at night, computers and the copier of the people present by day. */
export const sockets = (seed: number, key: string, rooms: readonly string[], at: number): number =>
  Math.min(1, 0.12 + 0.75 * presenceIn(seed, rooms, at) + 0.1 * wander(seed, key, at, 3 * MINUTE))

/** Servers, with a load nearly independent of the time of day. */
export const servers = (seed: number, key: string, rooms: readonly string[], at: number): number =>
  0.78 + 0.1 * wander(seed, key, at, 30 * MINUTE) + 0.08 * presenceIn(seed, rooms, at)

/** An elevator draws 3 % at rest and travels in bursts of half a minute, more often with more people. */
export function lift(seed: number, key: string, rooms: readonly string[], at: number): number {
  const isTravelling =
    chance(seed, key, 'ride', Math.floor(at / (MINUTE / 2))) < 0.02 + 0.5 * presenceIn(seed, rooms, at)
  return isTravelling ? 0.5 + 0.5 * wander(seed, key, at, 15_000) : 0.03
}

/** A conveyor runs while people sort, with more load the more of them do, and stops without them. */
export function conveyor(seed: number, key: string, rooms: readonly string[], at: number): number {
  const people = presenceIn(seed, rooms, at)
  return people === 0 ? 0.02 : 0.25 + 0.5 * people + 0.15 * wander(seed, key, at, 4 * MINUTE)
}
