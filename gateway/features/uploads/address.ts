import type { FastifyInstance } from 'fastify'
import { OK } from '../../../contract/kernel/errors.ts'
import { GatewayError } from '../../errors.ts'
import type { Files } from '../../ports.ts'
import { CALL_HEADERS } from '../../http/security-headers.ts'

export interface ImageOptions {
  /** Rejects unless the ticket is valid. */
  requireTicket(ticket: string): Promise<void>
  receive(ticket: string, contentType: string | undefined, bytes: Uint8Array): Promise<{ ImageUrl: string }>
  files: Files
  /** Largest picture in bytes. */
  maxBytes: number
}

/** PUT /uploads/<ticket> takes a picture, GET /images/<key> gives it: its key is unguessable and never used again. */
export function serveImages(
  app: FastifyInstance,
  { requireTicket, receive, files, maxBytes }: ImageOptions,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    )
    // Megabytes of a stranger are not even taken in.
    scope.addHook('onRequest', async ({ params }) => requireTicket((params as { ticket: string }).ticket))
    scope.put<{ Params: { ticket: string } }>('/uploads/:ticket', async (request, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const results = await receive(request.params.ticket, request.headers['content-type'], bytes)
      return reply.headers(CALL_HEADERS).send(JSON.stringify({ status: { code: OK }, results }))
    })
  })

  app.get<{ Params: { '*': string } }>('/images/*', async (request, reply) => {
    const image = await files.get(request.params['*'])
    if (!image?.contentType.startsWith('image/'))
      throw new GatewayError('NOT_FOUND', 'This picture does not exist')
    return reply
      .headers({
        'content-type': image.contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      .send(image.bytes)
  })
}
