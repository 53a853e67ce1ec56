import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { periodText, timesOn } from './booking-words.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'

interface ListProps {
  rooms: readonly ConferenceRoomWithClock[]
  bookings: readonly BookingWithDetails[]
  /** Day of the list: bookings within it show their times only. Days since 1970-01-01. */
  day?: number
  open: (booking: BookingWithDetails) => void
}

interface Props extends ListProps {
  empty: string
  next?: React.ReactNode
}

/** Bookings as a list by start: the calendar on phones, and "my bookings". */
export function Agenda({ empty, next, ...props }: Props) {
  const { rooms, bookings } = props
  return bookings.some((booking) => roomOf(booking, rooms)) ? (
    <AgendaList {...props} />
  ) : (
    <EmptyState drawing="booking" message={empty} next={next} />
  )
}

/** The list without an empty state; skips bookings of rooms that are not in `rooms`. */
export function AgendaList({ rooms, bookings, day, open }: ListProps) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  return (
    <ul className={`${page.tightStack} ${styles.agenda}`}>
      {bookings.map((booking) => {
        const room = roomOf(booking, rooms)
        if (!room) return null
        return (
          <li key={booking.RecordID}>
            <button
              type="button"
              onClick={() => open(booking)}
              className={styles.entry}
              aria-current={booking.StartTimestamp <= now && now < booking.EndTimestamp ? 'time' : undefined}
            >
              {day !== undefined && <b>{timesOn(day, booking, room.TimeZone, language)}</b>}
              <strong>{booking.Hidden ? t('bookings:private') : booking.Subject}</strong>
              {day === undefined && <span>{periodText(booking, room.TimeZone, language)}</span>}
              <span className={page.hint}>
                {room.ConferenceRoomName}
                {booking.SeriesID !== null && ` · ${t('bookings:repeated')}`}
                {booking.CheckedInAt !== null && ` · ${t('bookings:checkedIn')}`}
                {booking.ReleasedAt !== null && ` · ${t('bookings:released')}`}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

const roomOf = (booking: BookingWithDetails, rooms: readonly ConferenceRoomWithClock[]) =>
  rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === booking.ConferenceRoomID)
