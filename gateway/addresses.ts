import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { createDoors } from './features/bookings/doors.ts'
import { createFeeds } from './features/bookings/feeds.ts'
import type { Events } from './events.ts'
import { MAX_BYTES } from './features/uploads/uploads.ts'
import { writeAudit } from './lib/write-audit.ts'
import { serveBookingFeeds } from './features/bookings/feed-address.ts'
import { serveCameras } from './features/cameras/address.ts'
import { serveImages } from './features/uploads/address.ts'
import { serveOperation } from './http/operation.ts'
import { serveOtaFiles } from './features/ota/address.ts'
import { serveOutbox } from './http/outbox.ts'
import { servePool } from './features/identity/address.ts'
import type { RateLimits } from './http/rate-limits.ts'
import { serveReference } from './http/reference/addresses.ts'
import { serveRoomDoors } from './features/bookings/door-address.ts'
import { serveWeb } from './http/web.ts'
import type { GatewayParts, Pool } from './parts.ts'
import { createAsyncApi } from './http/reference/asyncapi.ts'
import { createOpenApi } from './http/reference/openapi.ts'
import { createReferencePage } from './http/reference/page.ts'
import type { Rooms } from './rooms.ts'

export interface AddressParts extends Pick<
  GatewayParts,
  'db' | 'broker' | 'clock' | 'files' | 'outbox' | 'config'
> {
  pool: Pool
  rooms: Rooms
  events: Events
  limits: RateLimits
  registry: Registry
  /** Whether the gateway is ending. */
  closing(): boolean
}

/** Mounts every address that is not a call: pool, files, cameras, calendars, doors, reference, operation and the pages. */
export function serveAddresses(app: FastifyInstance, parts: AddressParts): void {
  const { db, broker, clock, files, config, rooms, events } = parts
  const { identity, poolId } = parts.pool
  servePool(app, identity, poolId, parts.limits)
  serveImages(app, { ...rooms.uploads, files, maxBytes: MAX_BYTES })
  serveCameras(app, rooms.cameras)
  serveOtaFiles(app, rooms.firmwareLibrary)
  serveBookingFeeds(app, createFeeds({ db, clock }))
  serveRoomDoors(app, createDoors({ db, events, clock, writeAudit }))
  serveOutbox(app, parts.outbox)
  serveReference(app, {
    openApi: () => createOpenApi(config.version),
    asyncApi: () => createAsyncApi(config.version),
    page: () => createReferencePage(config.version),
  })
  serveOperation(app, {
    database: () => db.ping(),
    broker: () => broker.healthy(),
    closing: parts.closing,
    registry: parts.registry,
    metricsToken: config.metricsToken,
  })
  serveWeb(app, {
    directory: config.webDirectory,
    publicUrl: config.publicUrl,
    config: async (origin) => ({
      ...(await identity.webConfig(origin)),
      ApiKey: config.apiKey,
      Hub: config.hubAddress,
    }),
  })
}
