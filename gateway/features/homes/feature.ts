import type { Feature } from '../../deps.ts'
import { homeListHandlers } from './home-lists.ts'
import { homeHandlers } from './home.ts'
import { roomHandlers } from './room.ts'

/** Homes and their rooms. */
export const homes = () =>
  ({
    handlers: { home: homeHandlers, homeLists: homeListHandlers, room: roomHandlers },
  }) satisfies Feature
