import {
  useMemo,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type FC,
  type ReactNode,
} from 'react'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { Track, type TrackProps } from './track.tsx'
import { type KeyboardSelection, createKeyboardSelection } from './grid-geometry.ts'

/** Hour at the edge at first, and pixels of the previous one that stay visible. */
const FIRST_HOUR = 8
const BEFORE = 10

interface GridFrameProps {
  axis: TrackProps['axis']
  hour: number
  className: string | undefined
  mayBook: boolean
  /** Renders the tracks, with the shared keyboard selection and screen reader announcements. */
  children: (shared: { carrier: KeyboardSelection; announce: (text: string) => void }) => ReactNode
}

/** Frame of both calendars: hint on how to book, scrolling hours, and a live region for the keyboard position. */
export const GridFrame: FC<GridFrameProps> = ({ axis, hour, className, mayBook, children }) => {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  const [carrier] = useState(createKeyboardSelection)
  const [announcement, announce] = useState('')
  // Changing the day keeps the scroll position.
  useLayoutEffect(() => {
    if (frame.current) frame.current[axis === 'x' ? 'scrollLeft' : 'scrollTop'] = FIRST_HOUR * hour - BEFORE
  }, [axis, hour])
  return (
    <>
      <p className={page.hint} id="grid-help">
        {t(mayBook ? 'bookings:grid.help' : 'bookings:grid.helpReadOnly')}
      </p>
      <div
        ref={frame}
        className={className}
        data-tracks=""
        style={{ '--hour': `${hour}px` } as CSSProperties}
      >
        {children({ carrier, announce })}
      </div>
      <div className={styles.said} role="status">
        {announcement}
      </div>
    </>
  )
}

/** Width of an hour in pixels: a quarter hour fits a line of vertical text. */
const HOUR_WIDTH = 80

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
  const byRoom = useMemo(() => {
    const lists = new Map<string, BookingWithDetails[]>()
    for (const booking of bookings) {
      const list = lists.get(booking.ConferenceRoomID)
      if (list) list.push(booking)
      else lists.set(booking.ConferenceRoomID, [booking])
    }
    return lists
  }, [bookings])
  return (
    <GridFrame axis="x" hour={HOUR_WIDTH} className={`${page.card} ${styles.grid}`} mayBook={mayBook}>
      {({ carrier, announce }) => (
        <>
          <div className={styles.hours} aria-hidden="true">
            <i className={styles.corner} />
            {HOURS.map((hour) => (
              <span key={hour} style={{ left: hour * HOUR_WIDTH }}>
                {clock(hour)}
              </span>
            ))}
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
                    {t('bookings:people', { count: room.Capacity })}
                    {!room.Active && ` · ${t('bookings:closed')}`}
                  </small>
                </div>
                <Track
                  room={room}
                  day={day}
                  bookings={roomBookings}
                  axis="x"
                  hour={HOUR_WIDTH}
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

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
