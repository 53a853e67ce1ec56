import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createSealer } from '../../lib/seal.ts'
import { floorHandlers } from './floor.ts'
import { homeHandlers, createThreadKeys } from './home.ts'
import type { FloorPorts, RoomPorts } from './ports.ts'
import { roomHandlers } from './room.ts'

export const homes = (deps: Deps, ports: RoomPorts & FloorPorts) => {
  const threadKeys = createThreadKeys({ ...deps, sealer: createSealer(deps.config.secret, 'thread keys') })
  return {
    handlers: { home: homeHandlers(threadKeys), room: roomHandlers(ports), floor: floorHandlers(ports) },
    prepare: threadKeys.sealStored,
  } satisfies Feature
}
