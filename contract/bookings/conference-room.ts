import { z } from 'zod'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { ConferenceRoomID, HomeID, Name, RoomID, Version } from '../kernel/scalars.ts'

/**
 * Conference room of the company (§3).
 *
 * Capacity      maximum number of people
 * HomeID        its home, or null; the room uses the home's time zone, else Asia/Taipei
 * RoomID        its room in that home, or null; its devices are used for the meetings
 * Active        whether it can be booked; existing bookings stay
 * ReleaseAfter  minutes without a check-in after which a booking ends automatically; 0 never
 */
export const ConferenceRoom = z.object({
  ConferenceRoomID,
  ConferenceRoomName: Name,
  Capacity: z.number().int().min(1, 'tooSmall').max(10_000, 'tooBig'),
  HomeID: HomeID.nullable(),
  RoomID: RoomID.nullable(),
  Equipment: z.string().trim().max(500, 'tooLong'),
  Active: z.boolean(),
  ReleaseAfter: z.number().int().min(0, 'tooSmall').max(240, 'tooBig'),
  Version,
})
export type ConferenceRoom = z.infer<typeof ConferenceRoom>

export const ConferenceRoomWithClock = ConferenceRoom.extend({ TimeZone: z.string() })
export type ConferenceRoomWithClock = z.infer<typeof ConferenceRoomWithClock>

export const ConferenceRoomKey = ConferenceRoom.pick({ ConferenceRoomID: true })

const Described = ConferenceRoom.omit({ ConferenceRoomID: true, Version: true })

export const conferenceRoom = defineResource({
  name: 'conferenceRoom',
  scope: 'company',
  feature: 'conference_room',
  record: ConferenceRoom,
  key: ['ConferenceRoomID'],
  events: eventsOf(ConferenceRoomKey, ConferenceRoomWithClock),
  operations: {
    list: {
      path: '/ListConferenceRoom',
      summary: "The company's conference rooms by name.",
      sites: 'mixed',
      input: z.object({}),
      results: z.array(ConferenceRoomWithClock),
      // The time zone is the home's.
      shows: ['home'],
    },
    create: {
      path: '/AddConferenceRoom',
      summary: 'Adds a conference room. At most 500.',
      sites: 'orCompany',
      input: Described.partial().required({ ConferenceRoomName: true, Capacity: true }),
      results: ConferenceRoomWithClock,
      errors: ['CONFLICT', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateConferenceRoom',
      summary:
        'Changes a conference room; omitted fields keep their values, but moving it to another home clears its room unless RoomID is given. Bookings do not change. Rejected if Version is given and outdated.',
      sites: 'record',
      input: ConferenceRoomKey.extend(Described.partial().shape).extend({ Version: Version.optional() }),
      results: ConferenceRoomWithClock,
      errors: ['CONFLICT', 'NOT_FOUND'],
      changes: ['automation'],
    },
    remove: {
      path: '/RemoveConferenceRoom',
      summary:
        'Deletes a conference room with its past bookings. Rejected if it has future bookings, unless CancelBookings is given: then they are cancelled and their attendees are notified.',
      sites: 'record',
      input: ConferenceRoomKey.extend({ CancelBookings: z.boolean().optional() }),
      results: ConferenceRoomKey,
      errors: ['CONFLICT', 'NOT_FOUND'],
      changes: ['automation'],
    },
  },
})
