import { dateOf, onWall } from '../../contract/rules/booking-clock.ts'
import type { Mail } from '../outsides.ts'
import { type CalendarBooking, calendarOf } from './calendar.ts'

/** A booking with its room as both were when the letter was written. */
export type LetterBooking = CalendarBooking & { TimeZone: string }

export type LetterKind = 'invite' | 'cancel' | 'remind'

const WORDS = {
  'zh-TW': {
    invite: (what: string) => `會議邀請：${what}`,
    cancel: (what: string) => `會議取消：${what}`,
    remind: (what: string) => `會議提醒：${what}`,
    room: '會議室',
    when: '時間',
    host: '主持人',
    bookedBy: '預約人',
  },
  'en-US': {
    invite: (what: string) => `Invitation: ${what}`,
    cancel: (what: string) => `Cancelled: ${what}`,
    remind: (what: string) => `Reminder: ${what}`,
    room: 'Room',
    when: 'When',
    host: 'Host',
    bookedBy: 'Booked by',
  },
}

/** A letter on a booking in the reader's language (zh-TW unless known), with the event for a calendar; a reminder has none. */
export function letterOf(
  kind: LetterKind,
  to: string,
  booking: LetterBooking,
  { language, now }: { language: string | null; now: number },
): Parameters<Mail['send']>[0] {
  const words = WORDS[language === 'en-US' ? 'en-US' : 'zh-TW']
  const when = `${clockOf(booking.StartTimestamp, booking.TimeZone)} – ${clockOf(booking.EndTimestamp, booking.TimeZone)} (${booking.TimeZone})`
  const lines = [
    booking.Subject,
    '',
    `${words.when}: ${when}`,
    `${words.room}: ${booking.Room}`,
    ...(booking.Host ? [`${words.host}: ${booking.Host}`] : []),
    `${words.bookedBy}: ${booking.BookedByEmail}`,
    ...(booking.Description ? ['', booking.Description] : []),
  ]
  const method = kind === 'cancel' ? 'CANCEL' : 'REQUEST'
  return {
    to,
    subject: words[kind](booking.Subject).replace(/[\r\n]+/g, ' '),
    text: lines.join('\n'),
    ...(kind !== 'remind' && { calendar: { method, content: calendarOf([booking], { method, now }) } }),
  }
}

function clockOf(timestamp: number, zone: string): string {
  const { day, minute } = onWall(timestamp, zone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${dateOf(day)} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
