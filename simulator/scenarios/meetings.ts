import { chance } from './random.ts'
import { isWorkday, localTime } from './taiwan.ts'

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
    const luck = (what: string) => chance(seed, room, time.day, hour, what)
    const from = hour - (EARLY * luck('early')) / 60
    const until = hour + (minutes - SHORTER * luck('over')) / 60
    return time.hour >= from && time.hour < until
  })
}
