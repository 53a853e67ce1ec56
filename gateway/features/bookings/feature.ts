import type { Deps, Feature } from '../../kernel/deps.ts'
import { writeAudit } from '../../domain/audit/write-audit.ts'
import { bookingJobs } from './bookings.ts'
import { bookingHandlers } from './calls.ts'
import { conferenceRoomHandlers } from './conference-room.ts'
import type { BookingPorts } from './ports.ts'
import { serveDoorDisplays } from './door-display-address.ts'
import { createDoorDisplays } from './door-displays.ts'
import { serveCalendarFeeds } from './calendar-feed-address.ts'
import { createCalendarFeeds } from './calendar-feeds.ts'

/** Conference rooms and their bookings. */
export const bookings = (deps: Deps, ports: BookingPorts) =>
  ({
    handlers: { conferenceRoom: conferenceRoomHandlers(ports), bookings: bookingHandlers(ports) },
    addresses(app) {
      serveCalendarFeeds(app, createCalendarFeeds(deps))
      serveDoorDisplays(app, createDoorDisplays({ ...deps, ...ports, writeAudit }))
    },
    jobs: bookingJobs({ ...deps, ...ports }),
  }) satisfies Feature
