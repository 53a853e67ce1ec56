import type { Feature } from '../../deps.ts'
import { homeHandlers } from './home.ts'
import { roomCallHandlers, roomHandlers } from './room.ts'

/** Homes and their rooms. */
export const homes = () =>
  ({
    handlers: { home: homeHandlers, room: { ...roomHandlers, ...roomCallHandlers } },
  }) satisfies Feature
