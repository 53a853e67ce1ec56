import type { Deps, Feature } from '../../deps.ts'
import { writeAudit } from '../../lib/write-audit.ts'
import { bookingJobs } from './bookings.ts'
import { bookingHandlers } from './calls.ts'
import { conferenceRoomHandlers } from './conference-room.ts'
import { serveRoomDoors } from './door-address.ts'
import { createDoors } from './doors.ts'
import { serveBookingFeeds } from './feed-address.ts'
import { createFeeds } from './feeds.ts'

/** Conference rooms and their bookings. */
export const bookings = (deps: Deps) =>
  ({
    handlers: { conferenceRoom: conferenceRoomHandlers, bookings: bookingHandlers },
    addresses(app) {
      serveBookingFeeds(app, createFeeds(deps))
      serveRoomDoors(app, createDoors({ ...deps, writeAudit }))
    },
    jobs: bookingJobs(deps),
  }) satisfies Feature
