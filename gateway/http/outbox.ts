import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../kernel/errors.ts'

/** GET /outbox/<token>: unsent emails, for operators with the link from the server's console. */
export function serveMailOutbox(
  app: FastifyInstance,
  outbox: { page(token: string): Promise<string | undefined> } | undefined,
): void {
  if (!outbox) return
  app.get<{ Params: { token: string } }>('/outbox/:token', async (request, reply) => {
    const page = await outbox.page(request.params.token)
    if (page === undefined) throw new GatewayError('NOT_FOUND', 'There is no such page')
    return reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
      .send(page)
  })
}
