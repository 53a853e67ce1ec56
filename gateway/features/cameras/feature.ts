import type { Deps, Feature } from '../../deps.ts'
import { createHolds } from '../../lib/holder.ts'
import { createSealer } from '../../lib/sealer.ts'
import { serveCameras } from './address.ts'
import { cameraAndIrHandlers } from './camera-and-ir.ts'
import { createCameras } from './cameras.ts'
import type { CameraPorts } from './ports.ts'

/** Cameras and infrared remotes. */
export function cameras({ db, clock, config, identity, keyFor }: Deps, ports: CameraPorts) {
  const streams = createCameras({
    db,
    clock,
    sealer: createSealer(config.secret, 'cameras'),
    key: keyFor('camera addresses'),
    holds: createHolds(identity),
  })
  return {
    handlers: { cameraAndIr: cameraAndIrHandlers(streams, ports) },
    addresses: (app) => serveCameras(app, streams),
  } satisfies Feature
}
