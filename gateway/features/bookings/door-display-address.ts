import type { FastifyInstance } from 'fastify'
import { OK } from '../../../contract/kernel/errors.ts'
import { DoorAction, type RoomDoor } from '../../../contract/bookings/door-display.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { CALL_HEADERS } from '../../http/security-headers.ts'

interface DoorDisplays {
  show(token: string): Promise<RoomDoor>
  act(token: string, action: DoorAction, caller: { ip: string; requestId: string }): Promise<void>
}

/** GET /room-door/<token> answers what the page at a room's door shows, POST checks in or releases; the token is the right to. */
export function serveDoorDisplays(app: FastifyInstance, { show, act }: DoorDisplays): void {
  app.get<{ Params: { token: string } }>('/room-door/:token', async (request, reply) =>
    reply.headers(CALL_HEADERS).send({ status: { code: OK }, results: await show(request.params.token) }),
  )
  // The token is checked before anything of the body is read.
  const onRequest = async ({ params }: { params: unknown }) => {
    await show((params as { token: string }).token)
  }
  app.post<{ Params: { token: string } }>('/room-door/:token', { onRequest }, async (request, reply) => {
    const action = DoorAction.safeParse(request.body)
    if (!action.success) throw new GatewayError('INVALID', 'The request is not valid')
    await act(request.params.token, action.data, { ip: request.ip, requestId: request.id })
    return reply
      .headers(CALL_HEADERS)
      .send({ status: { code: OK }, results: await show(request.params.token) })
  })
}
