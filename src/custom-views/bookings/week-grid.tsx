import { useLayoutEffect, useRef, useState, type CSSProperties } from 'react'
import type { SeenReservation } from '../../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { onWall } from '../../../contract/rules/booking-clock.ts'
import type { Period } from '../../../contract/rules/booking.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { useNow } from '../../ui/use-now.ts'
import { dayText } from './booking-words.ts'
import styles from './bookings.module.css'
import { createCarrier } from './carrier.ts'
import { stretchOf } from './grid-geometry.ts'
import { Track } from './track.tsx'

/** Pixels of an hour, and the hour that stands at the top at first. */
const HOUR_HEIGHT = 56
const FIRST_HOUR = 8

interface Props {
  room: ConferenceRoomWithClock
  /** Of this room. */
  bookings: readonly SeenReservation[]
  /** Days since 1970-01-01 of its Monday. */
  firstDay: number
  mayBook: boolean
  book: (room: ConferenceRoomWithClock, period: Period) => void
  open: (booking: SeenReservation) => void
}

/** A week of one room on its own clock: a column for each day. */
export function WeekGrid({ room, bookings, firstDay, mayBook, book, open }: Props) {
  const t = useT()
  const language = useLanguage()
  const frame = useRef<HTMLDivElement>(null)
  const [carrier] = useState(createCarrier)
  const [said, say] = useState('')
  const today = onWall(useNow(), room.TimeZone).day
  // Walking through weeks leaves the hours where the person put them.
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollTop = FIRST_HOUR * HOUR_HEIGHT
  }, [])
  const days = Array.from({ length: 7 }, (_, i) => firstDay + i)
  return (
    <>
      <p className={styles.hint} id="grid-help">
        {t(mayBook ? 'bookings:grid.help' : 'bookings:grid.helpReadOnly')}
      </p>
      <div
        ref={frame}
        className={styles.week}
        data-tracks=""
        style={{ '--hour': `${HOUR_HEIGHT}px` } as CSSProperties}
      >
        <div className={styles.days} aria-hidden="true">
          <i className={styles.corner} />
          {days.map((day) => (
            <span key={day} className={day === today ? styles.today : ''}>
              {dayText(day, language)}
            </span>
          ))}
        </div>
        <div className={styles.columns}>
          <div className={styles.clock} aria-hidden="true">
            {HOURS.map((hour) => (
              <span key={hour} style={{ top: hour * HOUR_HEIGHT }}>
                {`${String(hour).padStart(2, '0')}:00`}
              </span>
            ))}
          </div>
          {days.map((day) => (
            <Track
              key={day}
              room={room}
              day={day}
              bookings={bookings}
              axis="y"
              hour={HOUR_HEIGHT}
              label={t('bookings:grid.column', {
                day: dayText(day, language),
                count: bookings.filter((booking) => stretchOf(booking, day, room.TimeZone)).length,
              })}
              mayBook={mayBook && room.Active}
              carrier={carrier}
              book={book}
              open={open}
              say={say}
            />
          ))}
        </div>
      </div>
      <div className={styles.said} role="status">
        {said}
      </div>
    </>
  )
}

/** Midnight stands at the edge. */
const HOURS = Array.from({ length: 23 }, (_, i) => i + 1)
