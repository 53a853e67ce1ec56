import { CalendarOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { bookings } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE, MINUTE, type Period } from '../../../contract/time/booking.ts'
import { useMay, useMe } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { timeOn } from './use-room-words.ts'
import type { RoomBookings as Booked } from './use-room-bookings.ts'

/** Number of bookings listed, and minutes of a booking from now on. */
const MAX_SHOWN_BOOKINGS = 3
const QUICK_BOOKING_MINUTES = 30

/** Next bookings of a room, and a button that books it now if it is free long enough. */
export function RoomBookingList({ booked, now }: { booked: Booked; now: number }) {
  const t = useT()
  const language = useLanguage()
  const may = useMay('conference_room', 'Create')
  const upcoming = booked.bookings?.filter(({ EndTimestamp }) => EndTimestamp > now)
  const isFree = ({ ConferenceRoomID, Active }: ConferenceRoomWithClock) =>
    Active &&
    upcoming !== undefined &&
    !upcoming.some(
      (booking) =>
        booking.ConferenceRoomID === ConferenceRoomID &&
        booking.StartTimestamp < startNow(now) + QUICK_BOOKING_MINUTES * MINUTE,
    )
  const zone = booked.places[0]?.TimeZone ?? DEFAULT_ZONE
  const span = ({ StartTimestamp, EndTimestamp }: Period) =>
    `${formatWhen(StartTimestamp, language, zone)} – ${timeOn(EndTimestamp, zone)}`
  return (
    <section className={page.tightStack} aria-label={t('building:bookings')}>
      <h3 className={page.hint}>{t('building:bookings')}</h3>
      {upcoming === undefined && <p className={page.note}>{t('building:unknown')}</p>}
      {upcoming?.length === 0 && <p className={page.note}>{t('building:noBooking')}</p>}
      <ul className={`${page.rows} ${page.spreadRows}`}>
        {upcoming?.slice(0, MAX_SHOWN_BOOKINGS).map((booking) => (
          <li key={booking.RecordID}>
            <span>{booking.Hidden ? t('building:private') : booking.Subject}</span>
            <span className={page.figures}>{span(booking)}</span>
          </li>
        ))}
      </ul>
      {may &&
        booked.places.filter(isFree).map((place) => <BookNow key={place.ConferenceRoomID} place={place} />)}
    </section>
  )
}

/** A booking begins with the current minute. */
const startNow = (now: number) => now - (now % MINUTE)

function BookNow({ place }: { place: ConferenceRoomWithClock }) {
  const t = useT()
  const email = useMe()?.Email
  const adding = useAction(bookings.add)
  if (email === undefined) return null
  const book = () => {
    const StartTimestamp = startNow(gatewayNow())
    const EndTimestamp = StartTimestamp + QUICK_BOOKING_MINUTES * MINUTE
    void adding.run(
      {
        ConferenceRoomID: place.ConferenceRoomID,
        StartTimestamp,
        EndTimestamp,
        Subject: t('building:quickSubject'),
        Attendees: [email],
      },
      () => t('building:booked', { end: timeOn(EndTimestamp, place.TimeZone) }),
    )
  }
  return (
    <Button
      icon={<CalendarOutlined />}
      loading={adding.busy}
      aria-label={t('building:bookNowOf', { room: place.ConferenceRoomName })}
      onClick={book}
    >
      {t('building:bookNow')}
    </Button>
  )
}
