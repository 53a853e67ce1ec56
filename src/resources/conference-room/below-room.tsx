import type { FC } from 'react'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { RoomLinks } from './room-links.tsx'
import { RoomOffers } from './room-offers.tsx'

/** Below the form of a meeting room: its addresses, and what its bookings may set off. */
export const BelowRoom: FC<{ record: ConferenceRoomWithClock }> = ({ record }) => (
  <>
    <RoomLinks record={record} />
    <RoomOffers room={record} />
  </>
)
