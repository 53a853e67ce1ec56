import { useMemo, useState, type CSSProperties, type FC, type ReactNode } from 'react'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { formatMinute } from '../../../contract/time/periods.ts'
import { Track } from './track.tsx'
import { useMeetingRoomWords } from '../../domain/booking/use-meeting-room-words.ts'
import {
  type KeyboardSelection,
  type MinuteRange,
  createKeyboardSelection,
  hoursWith,
  minuteRangeOf,
  percentOf,
} from './grid-geometry.ts'

interface GridFrameProps {
  hours: MinuteRange
  className: string | undefined
  /** Renders the tracks, with the shared keyboard selection and screen reader announcements. */
  children: (shared: { carrier: KeyboardSelection; announce: (text: string) => void }) => ReactNode
}

/** Frame of both calendars, with a live region for the keyboard position. */
export const GridFrame: FC<GridFrameProps> = ({ hours, className, children }) => {
  const [carrier] = useState(createKeyboardSelection)
  const [announcement, announce] = useState('')
  return (
    <>
      <div
        className={`${page.card} ${className}`}
        data-tracks=""
        style={{ '--hours': (hours.to - hours.from) / 60 } as CSSProperties}
      >
        {children({ carrier, announce })}
      </div>
      <div className={`${page.muted} ${styles.said}`} role="status">
        {announcement}
      </div>
    </>
  )
}

/** Full hours of a grid with their position, except the last one. */
export const hourMarks = (hours: MinuteRange): { minute: number; at: string }[] =>
  Array.from({ length: (hours.to - hours.from) / 60 }, (_, i) => {
    const minute = hours.from + i * 60
    return { minute, at: percentOf(minute, hours) }
  })

/** Hours of a grid with these bookings; the same object as long as they are the same. */
export function useHours(busy: readonly MinuteRange[]): MinuteRange {
  const { from, to } = hoursWith(busy)
  return useMemo(() => ({ from, to }), [from, to])
}

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  bookings: readonly BookingWithDetails[]
  day: number
  mayBook: boolean
  book: (room: ConferenceRoomWithClock, period: Period) => void
  open: (booking: BookingWithDetails) => void
  showWeek: (room: ConferenceRoomWithClock) => void
}

const NONE: readonly BookingWithDetails[] = []

/** A day of several rooms: one row per room, in its time zone. */
export function BookingGrid({ rooms, bookings, day, mayBook, book, open, showWeek }: Props) {
  const t = useT()
  const { siteOf } = useMeetingRoomWords(rooms)
  const byRoom = useMemo(() => {
    const lists = new Map<string, BookingWithDetails[]>()
    for (const booking of bookings) {
      const list = lists.get(booking.ConferenceRoomID)
      if (list) list.push(booking)
      else lists.set(booking.ConferenceRoomID, [booking])
    }
    return lists
  }, [bookings])
  const busy = useMemo(
    () =>
      rooms.flatMap(({ ConferenceRoomID, TimeZone }) =>
        (byRoom.get(ConferenceRoomID) ?? NONE).flatMap(
          (booking) => minuteRangeOf(booking, day, TimeZone) ?? [],
        ),
      ),
    [rooms, byRoom, day],
  )
  const hours = useHours(busy)
  return (
    <GridFrame hours={hours} className={styles.grid}>
      {({ carrier, announce }) => (
        <>
          <div className={styles.hours} aria-hidden="true">
            <i className={styles.corner} />
            <div>
              {hourMarks(hours).map(({ minute, at }) => (
                <span key={minute} style={{ left: at }}>
                  {formatMinute(minute)}
                </span>
              ))}
            </div>
          </div>
          {rooms.map((room) => {
            const roomBookings = byRoom.get(room.ConferenceRoomID) ?? NONE
            return (
              <div key={room.ConferenceRoomID} className={styles.line}>
                <div className={styles.room}>
                  <button
                    type="button"
                    title={room.ConferenceRoomName}
                    aria-label={t('bookings:weekOf', { room: room.ConferenceRoomName })}
                    onClick={() => showWeek(room)}
                  >
                    {room.ConferenceRoomName}
                  </button>
                  <small>
                    {[
                      siteOf(room),
                      t('bookings:people', { count: room.Capacity }),
                      !room.Active && t('bookings:closed'),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                </div>
                <Track
                  room={room}
                  day={day}
                  bookings={roomBookings}
                  axis="x"
                  hours={hours}
                  label={t('bookings:grid.line', {
                    room: room.ConferenceRoomName,
                    count: roomBookings.length,
                  })}
                  mayBook={mayBook && room.Active}
                  carrier={carrier}
                  book={book}
                  open={open}
                  announce={announce}
                />
              </div>
            )
          })}
        </>
      )}
    </GridFrame>
  )
}
