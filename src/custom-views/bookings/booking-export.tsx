import type { FC } from 'react'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { LazyListExport } from '../../record-kit/export/lazy-list-export.tsx'

interface Props {
  name: string
  bookings: readonly BookingWithDetails[] | undefined
  rooms: readonly ConferenceRoomWithClock[] | undefined
}

/** Exports bookings to a file, in the time zone of the first one's room; private bookings show only room and time. */
export const BookingExport: FC<Props> = ({ name, bookings, rooms }) => {
  const t = useT()
  const byId = new Map(rooms?.map((room) => [room.ConferenceRoomID, room]))
  const knownBookings = rooms && bookings?.filter(({ ConferenceRoomID }) => byId.has(ConferenceRoomID))
  return (
    <LazyListExport<BookingWithDetails>
      name={name}
      right={{ feature: 'conference_room', operation: 'Export' }}
      zone={byId.get(knownBookings?.[0]?.ConferenceRoomID ?? '')?.TimeZone ?? DEFAULT_ZONE}
      rows={knownBookings}
      columns={[
        {
          title: t('bookings:form.room'),
          of: (row) => byId.get(row.ConferenceRoomID)?.ConferenceRoomName ?? null,
        },
        { title: t('bookings:form.start'), at: (row) => row.StartTimestamp },
        { title: t('bookings:form.end'), at: (row) => row.EndTimestamp },
        {
          title: t('bookings:form.subject'),
          of: (row) => (row.Hidden ? t('bookings:private') : row.Subject),
        },
        { title: t('bookings:form.host'), of: (row) => row.Host },
        { title: t('bookings:form.attendees'), of: (row) => row.Attendees.join('; ') },
        { title: t('bookings:bookedBy'), of: (row) => row.BookedByEmail },
        { title: t('bookings:checkedIn'), at: (row) => row.CheckedInAt },
        { title: t('bookings:released'), at: (row) => row.ReleasedAt },
      ]}
    />
  )
}
