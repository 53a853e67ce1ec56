import type { FastifyInstance } from 'fastify'
import type { Cameras } from './cameras.ts'

/**
 * GET /camera/<ticket>/<part> passes a camera's stream on. The ticket is the right to watch, so that players need not
 * sign in; it is for one camera and some hours.
 */
export function serveCameras(app: FastifyInstance, cameras: Pick<Cameras, 'fetchPart'>): void {
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
