import { z } from 'zod'
import { right } from '../features.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeWithRooms } from '../resources/home.ts'
import { RoomWithContents } from '../resources/room.ts'

/** Lists that every signed-in screen needs to draw its frame: the header's homes and the menu's rooms. */
export const homeLists = {
  /** Signed-in only: the header needs the homes' names whatever a person may administer (§2). */
  listHome: defineEndpoint({
    path: '/ListHome',
    summary: "The company's homes with their rooms, by name.",
    access: 'signed-in',
    input: z.object({}),
    results: z.array(HomeWithRooms),
    shows: ['home', 'room', 'thing', 'peripheral'],
    inPlace: true,
  }),
  listRoom: defineEndpoint({
    path: '/ListRoom',
    summary: "Rooms of all the company's homes.",
    access: right('room', 'Read'),
    input: z.object({}),
    results: z.array(RoomWithContents),
    shows: ['room', 'home', 'thing', 'peripheral'],
  }),
}
