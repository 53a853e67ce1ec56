import { z } from 'zod'
import { defineResource } from '../kernel/define-resource.ts'
import { HomeID, Name, TimeZone } from '../kernel/scalars.ts'
import { Room, RoomKey, RoomWithContents } from './room.ts'

/** A site (area) of the company (§3). ThreadNetworkKey is 32 hexadecimal digits, or null where no Thread network is set up. */
export const Home = z.object({
  HomeID,
  HomeName: Name,
  TimeZone,
  ThreadNetworkKey: z
    .string()
    .regex(/^[0-9a-fA-F]{32}$/)
    .nullable(),
})
export type Home = z.infer<typeof Home>

/** A home with its rooms, as ListHome carries it (§3). */
export const HomeWithRooms = Home.extend({ RoomList: z.array(RoomWithContents) })
export type HomeWithRooms = z.infer<typeof HomeWithRooms>

const Described = Home.omit({ HomeID: true })

export const HomeKey = Home.pick({ HomeID: true })
export type HomeKey = z.infer<typeof HomeKey>

export const home = defineResource({
  name: 'home',
  scope: 'company',
  feature: 'home',
  record: Home,
  key: ['HomeID'],
  events: {
    add: HomeWithRooms,
    // Everybody hears of homes, and the Thread key opens a home's mesh network.
    update: Home.omit({ ThreadNetworkKey: true }),
    remove: HomeKey,
    // A home's room events repeat the room's own, as §7 lists both.
    addRoom: Room,
    updateRoom: Room,
    removeRoom: RoomKey,
  },
  eventAccess: 'signed-in',
  operations: {
    list: {
      path: '/ListHome',
      summary: "The company's homes with their rooms, by name.",
      // The header needs the homes' names whatever a person may administer (§2).
      access: 'signed-in',
      input: z.object({}),
      results: z.array(HomeWithRooms),
      shows: ['room', 'thing', 'peripheral'],
      inPlace: true,
    },
    create: {
      path: '/CreateHome',
      summary: 'Adds a home with its default room (RoomID 0), named in the language of whoever adds it.',
      input: Home.pick({ HomeName: true, TimeZone: true }).extend({
        DefaultRoomName: Name.default('預設房間'),
      }),
      results: HomeWithRooms,
      errors: ['CONFLICT'],
    },
    update: {
      path: '/UpdateHomeInfo',
      summary:
        "Changes a home's name, time zone or Thread key; fields left out stay. Refused if a field says something else than in Seen.",
      input: HomeKey.extend(Described.partial().shape).extend({
        Seen: Described.omit({ ThreadNetworkKey: true }).partial().optional(),
      }),
      results: Home,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteHome',
      summary: 'Deletes a home with its rooms, hubs and devices; stored readings go with it.',
      input: HomeKey,
      results: HomeKey,
      errors: ['NOT_FOUND'],
    },
  },
})
