import type { Feature } from '../../deps.ts'
import { floorHandlers } from './floor.ts'
import { homeHandlers } from './home.ts'
import type { FloorPorts, RoomPorts } from './ports.ts'
import { roomHandlers } from './room.ts'

/** Homes, their rooms, and the floors that these are on. */
export const homes = (ports: RoomPorts & FloorPorts) =>
  ({
    handlers: { home: homeHandlers, room: roomHandlers(ports), floor: floorHandlers(ports) },
  }) satisfies Feature
