import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineResource } from '../kernel/define-resource.ts'
import { HomeID, Name, TimeZone } from '../kernel/scalars.ts'
import { RoomKey, RoomWithContents } from './room.ts'

/** Maximum number of rooms created together with a home. */
export const MOST_ROOMS_AT_ONCE = 50

/**
 * Site (area) of the company (§3).
 *
 * ThreadNetworkKey     32 hexadecimal digits, or null without a Thread network
 * Latitude, Longitude  position in degrees, north and east positive, for sunrise and sunset; both, or both null if not entered
 */
export const Home = z.object({
  HomeID,
  HomeName: Name,
  TimeZone,
  ThreadNetworkKey: credential(z.string().regex(/^[0-9a-fA-F]{32}$/)).nullable(),
  Latitude: z.number().min(-90, 'tooSmall').max(90, 'tooBig').nullable(),
  Longitude: z.number().min(-180, 'tooSmall').max(180, 'tooBig').nullable(),
})
export type Home = z.infer<typeof Home>

/** Home with its rooms, as returned by ListHome (§3). */
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
    // A user with access to a home need not have access to its rooms, nor to its Thread key, which opens the home's mesh network.
    add: HomeKey,
    update: Home.omit({ ThreadNetworkKey: true }),
    remove: HomeKey,
    // The home's room events duplicate those of rooms, because §7 lists both.
    addRoom: RoomKey,
    updateRoom: RoomKey,
    removeRoom: RoomKey,
  },
  operations: {
    list: {
      path: '/ListHome',
      summary:
        'Homes of the company with their rooms, by name; empty for callers without a right on any feature of homes.',
      // The header needs the names of homes for every user, regardless of rights (§2).
      access: 'signed-in',
      sites: 'mixed',
      input: z.object({}),
      results: z.array(HomeWithRooms),
      shows: ['room', 'thing', 'peripheral'],
      inPlace: true,
    },
    create: {
      path: '/CreateHome',
      summary: "Adds a home with its default room (RoomID 0), named in the caller's language.",
      sites: 'company',
      input: Home.pick({ HomeName: true, TimeZone: true }).extend({
        DefaultRoomName: Name.default('預設房間'),
        /** Additional rooms to create with the home; requires the right to create rooms. */
        RoomNames: z.array(Name).max(MOST_ROOMS_AT_ONCE).default([]),
        Latitude: Home.shape.Latitude.default(null),
        Longitude: Home.shape.Longitude.default(null),
      }),
      aliases: { timezone: 'TimeZone' },
      results: HomeWithRooms,
      errors: ['CONFLICT', 'PERMISSION_DENIED'],
    },
    update: {
      path: '/UpdateHomeInfo',
      summary:
        "Changes a home's name, time zone, Thread key or position; omitted fields keep their values. A position with one coordinate is rejected (required). Rejected if a field differs from its value in Seen.",
      input: HomeKey.extend(Described.partial().shape).extend({
        Seen: Described.omit({ ThreadNetworkKey: true }).partial().optional(),
      }),
      aliases: { timezone: 'TimeZone' },
      results: Home,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteHome',
      summary: 'Deletes a home with its rooms, hubs, devices and stored readings.',
      input: HomeKey,
      results: HomeKey,
      errors: ['NOT_FOUND'],
    },
  },
})
