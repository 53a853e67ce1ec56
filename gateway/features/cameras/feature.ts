import type { Deps, Feature } from '../../kernel/deps.ts'
import { createIsGranted } from '../../domain/identity/grant.ts'
import { createSealer } from '../../lib/sealer.ts'
import { serveCameras } from './address.ts'
import { allowNetworks } from '../../lib/allowed-addresses.ts'
import { cameraAndIrHandlers } from './camera-and-ir.ts'
import { createCameras } from './cameras.ts'
import { createHlsAdapter } from './hls.ts'
import type { CameraPorts } from './ports.ts'
import { createRequest } from './request.ts'

/** Cameras and infrared remotes. */
export function cameras({ db, clock, config, identity, keyFor }: Deps, ports: CameraPorts) {
  const streams = createCameras({
    db,
    clock,
    sealer: createSealer(config.secret, 'cameras'),
    key: keyFor('camera addresses'),
    isGranted: createIsGranted(identity),
    adapters: [createHlsAdapter(createRequest(allowNetworks(config.cameraNetworks ?? '')))],
  })
  return {
    handlers: { cameraAndIr: cameraAndIrHandlers(streams, ports) },
    addresses: (app) => serveCameras(app, streams),
  } satisfies Feature
}
