import { z } from 'zod'
import { Permission, right, type Access } from './kernel/permissions.ts'
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

type OfRecords = {
  [N in keyof typeof resources]: Pick<(typeof resources)[N], 'events'> & { access: Access }
}
const ofRecords = Object.fromEntries(
  Object.values(resources).map(({ name, eventAccess, events }) => [name, { access: eventAccess, events }]),
) as OfRecords

/**
 * Every data-change event (§7): of records, and of data that calls compute results from. `access` is the right needed to receive
 * it.
 */
export const dataChanges = {
  ...ofRecords,
  conferenceRoom: {
    access: ofRecords.conferenceRoom.access,
    events: {
      ...ofRecords.conferenceRoom.events,
      // A new or changed booking, with the details that every subscriber may see.
      addBooking: BookingWithDetails,
      removeBooking: BookingKey.extend({ ConferenceRoomID }),
    },
  },
  discovery: { access: right('device', 'Create'), events: { add: DiscoveredPeripheral } },
  // Energy prices or emission factors changed: tariffs of one home, or with HomeID null the values that apply to all homes.
  pricing: {
    access: right('electricity', 'Read'),
    events: { update: z.object({ HomeID: HomeID.nullable() }) },
  },
  // Metered energy of a home changed by user action: a correction, a decision, an import, or the undoing of one.
  metering: { access: right('electricity', 'Read'), events: { update: z.object({ HomeID }) } },
  // The quarantined readings of a home changed: some were added, or no longer await a decision.
  quarantinedReading: { access: right('electricity', 'Read'), events: { update: z.object({ HomeID }) } },
  firmware: { access: right('ota', 'Read'), events: { add: Firmware, remove: FirmwareKey } },
  scanEvent: { access: right('access_control_scanner', 'Read'), events: { add: ScannerKey } },
  company: { access: 'signed-in', events: { update: CompanyProfile } },
  alarm: { access: 'alarms', events: { update: z.object({ HomeID }) } },
  // A report was closed or reopened; HomeID is null for a report of the company.
  report: {
    access: right('electricity', 'Read'),
    events: { update: z.object({ HomeID: HomeID.nullable() }) },
  },
  // Loads of a home were shed or restored.
  shedding: { access: right('power_meter_alarm', 'Read'), events: { update: z.object({ HomeID }) } },
  // Findings of a home changed: by computation, by a user or by a measurement.
  finding: { access: right('electricity', 'Read'), events: { update: z.object({ HomeID }) } },
  automationPause: { access: 'homes', events: { update: z.object({ HomeID }) } },
  // Maintenance of a device, hub or home began or ended.
  maintenance: { access: right('device', 'Read'), events: { update: z.object({ HomeID }) } },
} as const satisfies Record<Entity, { access: Access; events: EventSchemas }>

type Changes = typeof dataChanges
/** Event name, e.g. 'room.add' or 'peripheral.update'. */
export type DataChangeName = { [E in Entity]: `${E}.${keyof Changes[E]['events'] & string}` }[Entity]
export type DataChangePayload<N extends DataChangeName> = N extends `${infer E extends Entity}.${infer V}`
  ? V extends keyof Changes[E]['events']
    ? Changes[E]['events'][V] extends z.ZodType
      ? z.infer<Changes[E]['events'][V]>
      : never
    : never
  : never

/** Schema of an event's record; undefined if there is no such event. */
export const dataChangeSchema = (entity: string, event: string): z.ZodType | undefined =>
  (dataChanges as Record<string, { events: Record<string, z.ZodType> }>)[entity]?.events[event]

export const dataChange = defineChannel({
  template: '{rootId}/datachange/{entity}/{event}',
  summary:
    'A record was added, changed or removed. By is the CognitoId of the user who changed it, null for the gateway; RequestID is that of the call, null if the call had none.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.object({ Record: z.unknown(), By: CognitoId.nullable(), RequestID: RequestID.nullable() }),
})

/** Sent to one person: their permissions changed, or they were deleted or disabled; the screen then signs out (§4). */
export const userPermission = defineChannel({
  template: '{rootId}/user/{cognitoId}/permission',
  summary: "The user's permissions changed, or the user was deleted.",
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.union([z.object({ Permissions: z.array(Permission) }), z.object({ Deleted: z.literal(true) })]),
})

/** Sent to one person: results of asynchronous requests, and settings changed on another of their screens. */
export const userResponse = defineChannel({
  template: '{rootId}/user/{cognitoId}/response',
  summary: 'A message to the user: an answered request or changed personal settings.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.object({ PersonalConfig }),
})
