import { z } from 'zod'
import { Millis, RecordID } from '../kernel/scalars.ts'

/** What the page at a room's door shows: today's bookings that are not over. Private ones have no words. */
export const RoomDoor = z.object({
  ConferenceRoomName: z.string(),
  Capacity: z.number(),
  TimeZone: z.string(),
  /** The gateway's clock: that of a tablet is often wrong. */
  Now: Millis,
  Bookings: z.array(
    z.object({
      RecordID,
      StartTimestamp: Millis,
      EndTimestamp: Millis,
      Subject: z.string(),
      Host: z.string(),
      CheckedInAt: Millis.nullable(),
    }),
  ),
})
export type RoomDoor = z.infer<typeof RoomDoor>

/** What can be done at the door: say that a booking takes place, or end it and give the room free. */
export const DoorAction = z.object({ RecordID, Action: z.enum(['checkIn', 'release']) }).strict()
export type DoorAction = z.infer<typeof DoorAction>

/** From how long before its start people check in, in ms. */
export const CHECK_IN_LEAD_MS = 15 * 60_000
