import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../kernel/errors.ts'

/** GET /booking-feeds/<token>.ics is a calendar that programs subscribe to; the token is the right to read it. */
export function serveCalendarFeeds(
  app: FastifyInstance,
  { calendar }: { calendar(token: string): Promise<string | undefined> },
): void {
  app.get<{ Params: { file: string } }>('/booking-feeds/:file', async (request, reply) => {
    const token = /^([\w-]{20,64})\.ics$/.exec(request.params.file)?.[1]
    const text = token === undefined ? undefined : await calendar(token)
    if (text === undefined) throw new GatewayError('NOT_FOUND', 'There is no such calendar')
    return reply
      .headers({
        'content-type': 'text/calendar; charset=utf-8',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .send(text)
  })
}
