import { z } from 'zod'
import { Millis, RecordID } from '../kernel/scalars.ts'

/** Content of a room's door page: today's bookings that are not over, private ones without texts. */
export const RoomDoor = z.object({
  ConferenceRoomName: z.string(),
  Capacity: z.number(),
  TimeZone: z.string(),
  /** Gateway time, because tablet clocks are often wrong. */
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

/** Actions at the door: check in, or end the booking and release the room. */
export const DoorAction = z.object({ RecordID, Action: z.enum(['checkIn', 'release']) }).strict()
export type DoorAction = z.infer<typeof DoorAction>

/** Time before the start from which a check-in is possible, in ms. */
export const CHECK_IN_LEAD_MS = 15 * 60_000
