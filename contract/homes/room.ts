import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { HomeID, Name, PeripheralUID, RoomID, ThingName } from '../kernel/scalars.ts'

/** Room of one home. RoomID 0 is the home's default room: it always exists and cannot be deleted (§3). */
export const Room = z.object({ HomeID, RoomID, RoomName: Name })
export type Room = z.infer<typeof Room>

/** Room with its devices and hubs, as in lists (§3). */
export const RoomWithContents = Room.extend({
  PeripheralList: z.array(PeripheralUID),
  ThingNameList: z.array(ThingName),
})
export type RoomWithContents = z.infer<typeof RoomWithContents>

export const RoomKey = Room.pick({ HomeID: true, RoomID: true })
export type RoomKey = z.infer<typeof RoomKey>

export const room = defineResource({
  name: 'room',
  scope: 'home',
  feature: 'room',
  record: Room,
  key: ['HomeID', 'RoomID'],
  events: eventsOf(RoomKey, Room),
  operations: {
    list: {
      path: '/GetRoombyHomeId',
      summary: 'Rooms of one home with their hubs and devices, default room first.',
      input: Room.pick({ HomeID: true }),
      results: z.array(RoomWithContents),
      errors: ['NOT_FOUND'],
      shows: ['thing', 'peripheral'],
    },
    create: {
      path: '/CreateRoom',
      summary: 'Adds a room to a home; the gateway assigns the RoomID.',
      input: Room.omit({ RoomID: true }),
      results: Room,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    update: {
      path: '/UpdateRoomInfo',
      summary: 'Renames a room. Rejected if its name differs from Seen.',
      input: Room.extend({ Seen: Room.pick({ RoomName: true }).partial().optional() }),
      results: Room,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteRoom',
      summary:
        'Deletes a room; its devices move to the default room. Also requires device_control Control if scenes or automations set the lights or climate of one of the two rooms.',
      input: RoomKey,
      results: RoomKey,
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
      changes: ['thing', 'peripheral', 'scene', 'automation', 'conferenceRoom', 'floor'],
    },
  },
})

/** Room calls in addition to the CRUD ones. */
export const roomCalls = {
  listOfCompany: defineEndpoint({
    path: '/ListRoom',
    summary: 'Rooms of all homes of the company.',
    access: right('room', 'Read'),
    sites: 'mixed',
    input: z.object({}),
    results: z.array(RoomWithContents),
    shows: ['room', 'home', 'thing', 'peripheral'],
  }),
}
