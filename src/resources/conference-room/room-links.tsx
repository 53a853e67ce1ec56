import type { FC } from 'react'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { CalendarLink } from '../../domain/booking/calendar-link.tsx'

/** The addresses of a room's calendar and of its door. */
export const RoomLinks: FC<{ record: ConferenceRoomWithClock }> = ({ record: { ConferenceRoomID } }) => (
  <div style={{ display: 'grid', gap: 12 }}>
    <CalendarLink kind="room" roomId={ConferenceRoomID} />
    <CalendarLink kind="door" roomId={ConferenceRoomID} />
  </div>
)
