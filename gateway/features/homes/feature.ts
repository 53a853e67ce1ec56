import type { Feature } from '../../deps.ts'
import { homeHandlers } from './home.ts'
import type { RoomPorts } from './ports.ts'
import { roomHandlers } from './room.ts'

/** Homes and their rooms. */
export const homes = (ports: RoomPorts) =>
  ({ handlers: { home: homeHandlers, room: roomHandlers(ports) } }) satisfies Feature
