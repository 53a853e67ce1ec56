import { z } from 'zod'
import { topics } from './channels/table.ts'
import { Permission } from './kernel/permissions.ts'
import { defineChannel } from './kernel/define-channel.ts'
import type { EventSchemas } from './kernel/define-resource.ts'
import type { Entity } from './kernel/entities.ts'
import { CognitoId, ConferenceRoomID, HomeID, RequestID } from './kernel/scalars.ts'
import { CompanyProfile } from './people/company-calls.ts'
import { BookingKey, BookingWithDetails } from './bookings/calls.ts'
import { Firmware, FirmwareKey } from './devices/ota-calls.ts'
import { PersonalConfig } from './people/personal-calls.ts'
import * as resources from './resources.ts'
import { DiscoveredPeripheral } from './devices/peripheral.ts'
import { ScannerKey } from './access-control/scanner.ts'

type RecordEvents = { [N in keyof typeof resources]: (typeof resources)[N]['events'] }
const recordEvents = Object.fromEntries(
  Object.values(resources).map(({ name, events }) => [name, events]),
) as RecordEvents

/**
 * Schemas of every data-change event (§7): of records, and of data that calls compute results from. `changeAccess` is the right needed to
 * receive them.
 */
export const dataChanges = {
  ...recordEvents,
  conferenceRoom: {
    ...recordEvents.conferenceRoom,
    // A new or changed booking, with the details that every subscriber may see.
    addBooking: BookingWithDetails,
    removeBooking: BookingKey.extend({ ConferenceRoomID }),
  },
  discovery: { add: DiscoveredPeripheral },
  // Energy prices or emission factors changed: tariffs of one home, or with HomeID null the values that apply to all homes.
  pricing: { update: z.object({ HomeID: HomeID.nullable() }) },
  // Metered energy of a home changed by user action: a correction, a decision, an import, or the undoing of one.
  metering: { update: z.object({ HomeID }) },
  // The quarantined readings of a home changed: some were added, or no longer await a decision.
  quarantinedReading: { update: z.object({ HomeID }) },
  firmware: { add: Firmware, remove: FirmwareKey },
  scanEvent: { add: ScannerKey },
  company: { update: CompanyProfile },
  alarm: { update: z.object({ HomeID }) },
  // A report was closed or reopened; HomeID is null for a report of the company.
  report: { update: z.object({ HomeID: HomeID.nullable() }) },
  // Loads of a home were shed or restored.
  shedding: { update: z.object({ HomeID }) },
  // Findings of a home changed: by computation, by a user or by a measurement.
  finding: { update: z.object({ HomeID }) },
  automationPause: { update: z.object({ HomeID }) },
  // Maintenance of a device, hub or home began or ended.
  maintenance: { update: z.object({ HomeID }) },
} as const satisfies Record<Entity, EventSchemas>

type Changes = typeof dataChanges
/** Event name, e.g. 'room.add' or 'peripheral.update'. */
export type DataChangeName = { [E in Entity]: `${E}.${keyof Changes[E] & string}` }[Entity]
export type DataChangePayload<N extends DataChangeName> = N extends `${infer E extends Entity}.${infer V}`
  ? V extends keyof Changes[E]
    ? Changes[E][V] extends z.ZodType
      ? z.infer<Changes[E][V]>
      : never
    : never
  : never

/** Schema of an event's record; undefined if there is no such event. */
export const dataChangeSchema = (entity: string, event: string): z.ZodType | undefined =>
  (dataChanges as Record<string, Record<string, z.ZodType>>)[entity]?.[event]

export const dataChange = defineChannel(
  topics.dataChange,
  z.object({ Record: z.unknown(), By: CognitoId.nullable(), RequestID: RequestID.nullable() }),
)

/** Sent to one person: their permissions changed, or they were deleted or disabled; the screen then signs out (§4). */
export const userPermission = defineChannel(
  topics.userPermission,
  z.union([z.object({ Permissions: z.array(Permission) }), z.object({ Deleted: z.literal(true) })]),
)

/** Sent to one person: results of asynchronous requests, and settings changed on another of their screens. */
export const userResponse = defineChannel(topics.userResponse, z.object({ PersonalConfig }))
