import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { writeAudit } from '../../domain/audit/write-audit.ts'
import { moveDueBookingLetters } from '../../deliveries/legacy.ts'
import { createDeliveryWorker, type DeliveryWorkerDeps } from '../../deliveries/worker.ts'
import type { Job } from '../../kernel/feature.ts'
import { createBookingMailSender } from './booking-mail-sender.ts'
import { bookingJob, POLL_INTERVAL_MS } from './bookings.ts'
import { bookingHandlers } from './calls.ts'
import { conferenceRoomHandlers } from './conference-room.ts'
import type { BookingPorts } from './ports.ts'
import { createDoorDisplays } from './door-displays.ts'
import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../kernel/errors.ts'
import { OK } from '../../../contract/kernel/errors.ts'
import { DoorAction, type RoomDoor } from '../../../contract/bookings/door-display.ts'
import { CALL_HEADERS } from '../../http/security-headers.ts'
import { Booking } from '../../../contract/bookings/calls.ts'
import { redactBooking } from './store.ts'
import type { Clock } from '../../kernel/ports.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { feedOf } from './calendar.ts'
import { readLink } from './link-calls.ts'

/** Period that a feed covers backwards, in ms: calendar programs keep earlier events. */
const FEED_HISTORY_MS = 31 * 86_400_000
const MAX_FEED_BOOKINGS = 2_000

interface Feeds {
  /** Calendar of a secret address; undefined if the address does not exist or is no longer valid. */
  calendar(token: string): Promise<string | undefined>
}

/** Calendar feeds. The address grants access, so a person's feed ends with their account or their right. */
function createCalendarFeeds({ db, clock }: { db: Db; clock: Clock }): Feeds {
  const read = (tenant: string, where: Sql) =>
    db.query<Booking & { Room: string }>(sql`
      select ${columnsOf(Booking, 'b')}, r.conference_room_name as "Room"
      from reservations b join conference_rooms r using (tenant, conference_room_id)
      where b.tenant = ${tenant} and b.end_timestamp > ${clock.now() - FEED_HISTORY_MS} and ${where}
      order by b.start_timestamp limit ${MAX_FEED_BOOKINGS}`)

  return {
    async calendar(token) {
      const link = await readLink(db, token)
      if (!link || link.kind === 'door') return undefined
      const now = clock.now()
      if (link.kind === 'person') {
        const own = JSON.stringify([link.email])
        const bookings = await read(
          link.tenant,
          sql`(b.booked_by_email = ${link.email} or b.attendees @> ${own}::jsonb)`,
        )
        return feedOf(bookings, { name: link.email ?? '', now })
      }
      const bookings = await read(link.tenant, sql`b.conference_room_id = ${link.roomId}`)
      const shown = bookings.map(({ Room, ...booking }) => ({
        ...(booking.Private ? { ...redactBooking(booking), Subject: Room } : booking),
        Room,
      }))
      return feedOf(shown, { name: link.roomName ?? '', now })
    },
  }
}

/** Bookings feature: conference rooms and their bookings. */
export function bookings(deps: Deps, ports: BookingPorts) {
  const mails = createBookingMails(deps)
  return {
    handlers: { conferenceRoom: conferenceRoomHandlers(ports), bookings: bookingHandlers(ports) },
    registerRoutes(app) {
      serveCalendarFeeds(app, createCalendarFeeds(deps))
      serveDoorDisplays(app, createDoorDisplays({ ...deps, ...ports, writeAudit }))
    },
    jobs: [bookingJob({ ...deps, ...ports }), mails.job],
    close: mails.close,
  } satisfies Feature
}

/** Sends emails on bookings, apart from other jobs, so that a slow mail server delays neither releases nor reminders. */
export function createBookingMails(
  deps: DeliveryWorkerDeps & Parameters<typeof createBookingMailSender>[0],
): { job: Job; close(): Promise<void> } {
  const worker = createDeliveryWorker(deps, createBookingMailSender(deps))
  return {
    job: {
      name: 'mails on bookings',
      intervalMs: POLL_INTERVAL_MS,
      async run() {
        await moveDueBookingLetters(deps.db, deps.clock.now())
        await worker.sendDue()
      },
    },
    close: worker.close,
  }
}

/** GET /booking-feeds/<token>.ics returns a calendar that programs subscribe to; the token grants access. */
function serveCalendarFeeds(
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

interface DoorDisplays {
  show(token: string): Promise<RoomDoor>
  act(token: string, action: DoorAction, caller: { ip: string; requestId: string }): Promise<void>
}

/** GET /room-door/<token> returns the content of the page at a room's door, POST checks in or releases; the token grants access. */
function serveDoorDisplays(app: FastifyInstance, { show, act }: DoorDisplays): void {
  app.get<{ Params: { token: string } }>('/room-door/:token', async (request, reply) =>
    reply.headers(CALL_HEADERS).send({ status: { code: OK }, results: await show(request.params.token) }),
  )
  // Authorize before parsing the body.
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
