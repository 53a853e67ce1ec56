import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { OK } from '../../../contract/kernel/errors.ts'
import { MAX_FIRMWARE_BYTES } from '../../../contract/devices/ota-calls.ts'
import { CALL_HEADERS } from '../../http/security-headers.ts'

export interface OtaFileOptions {
  /** Rejects unless the ticket allows a file of this length. */
  assertUpload(ticket: string, length: number | undefined): Promise<void>
  receive(ticket: string, source: Readable): Promise<object>
  open(ticket: string, from: number): Promise<{ stream: Readable; size: number; sha256: string }>
}

interface Ticketed {
  Params: { ticket: string }
}

/**
 * Serves /ota-files/<ticket>: PUT uploads a firmware file; GET downloads it to a hub, which has no session, and supports
 * `Range: bytes=n-` for resuming. Files are streamed, never kept whole in memory.
 */
export function serveOtaFiles(app: FastifyInstance, { assertUpload, receive, open }: OtaFileOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

    scope.put<Ticketed>('/ota-files/:ticket', {
      bodyLimit: MAX_FIRMWARE_BYTES,
      config: { slow: true } as object,
      onRequest: async ({ params, headers }) => {
        const length = headers['content-length']
        await assertUpload(params.ticket, length === undefined ? undefined : Number(length))
      },
      handler: async (request, reply) => {
        const results = await receive(request.params.ticket, (request.body ?? request.raw) as Readable)
        return reply.headers(CALL_HEADERS).send(JSON.stringify({ status: { code: OK }, results }))
      },
    })

    scope.get<Ticketed>('/ota-files/:ticket', {
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const from = Number(/^bytes=(\d{1,15})-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
        const { stream, size, sha256 } = await open(request.params.ticket, from)
        if (from >= size) {
          stream.destroy()
          return reply.code(416).header('content-range', `bytes */${size}`).send()
        }
        if (from > 0) reply.code(206).header('content-range', `bytes ${from}-${size - 1}/${size}`)
        return reply
          .headers({
            'content-type': 'application/octet-stream',
            'content-length': size - from,
            'accept-ranges': 'bytes',
            'cache-control': 'no-store',
            etag: `"${sha256}"`,
          })
          .send(stream)
      },
    })
  })
}
