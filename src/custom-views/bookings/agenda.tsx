import { Button } from 'antd'
import type { SeenReservation } from '../../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { Nothing } from '../../ui/crud/states.tsx'
import { periodText } from './booking-words.ts'
import styles from './bookings.module.css'

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  bookings: readonly SeenReservation[]
  open: (booking: SeenReservation) => void
  /** Why there is none. */
  empty: string
  next?: React.ReactNode
}

/** Bookings one beneath the other, by start: the calendar of a phone, and one's own list. */
export function Agenda({ rooms, bookings, open, empty, next }: Props) {
  const t = useT()
  const language = useLanguage()
  const byId = new Map(rooms.map((room) => [room.ConferenceRoomID, room]))
  const shown = bookings.filter(({ ConferenceRoomID }) => byId.has(ConferenceRoomID))
  if (shown.length === 0) return <Nothing why={empty} next={next} />
  return (
    <ul className={styles.agenda}>
      {shown.map((booking) => {
        const room = byId.get(booking.ConferenceRoomID) as ConferenceRoomWithClock
        return (
          <li key={booking.RecordID}>
            <Button block onClick={() => open(booking)} className={styles.entry}>
              <strong>{booking.Hidden ? t('bookings:private') : booking.Subject}</strong>
              <span>{periodText(booking, room.TimeZone, language)}</span>
              <span className={styles.muted}>
                {room.ConferenceRoomName}
                {booking.SeriesID !== null && ` · ${t('bookings:repeated')}`}
                {booking.CheckedInAt !== null && ` · ${t('bookings:checkedIn')}`}
                {booking.ReleasedAt !== null && ` · ${t('bookings:released')}`}
              </span>
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
