import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createIsGranted } from '../../domain/identity/grant.ts'
import { createSealer } from '../../lib/seal.ts'
import { allowNetworks } from '../../lib/guarded-request.ts'
import { cameraAndIrHandlers } from './camera-and-ir.ts'
import { createCameras, type Cameras } from './cameras.ts'
import { createHlsAdapter } from './hls.ts'
import type { CameraPorts } from './ports.ts'
import { createRequest } from './request.ts'
import type { FastifyInstance } from 'fastify'

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
    registerRoutes: (app) => serveCameras(app, streams),
  } satisfies Feature
}

/**
 * Serves GET /camera/<ticket>/<part>, which passes a camera's stream through. The ticket is the right to watch one camera for some hours,
 * so that players need not sign in.
 */
function serveCameras(app: FastifyInstance, cameras: Pick<Cameras, 'fetchPart'>): void {
  app.get<{ Params: { ticket: string; part: string } }>('/camera/:ticket/:part', async (request, reply) => {
    const { contentType, body } = await cameras.fetchPart(request.params.ticket, request.params.part)
    return reply
      .headers({
        'content-type': contentType,
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      .send(body instanceof Uint8Array ? Buffer.from(body) : body)
  })
}
