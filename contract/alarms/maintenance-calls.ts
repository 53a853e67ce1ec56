import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis, PeripheralUID, requiredText, ThingName } from '../kernel/scalars.ts'

export const MAX_MAINTENANCE_MS = 90 * 86_400_000

/** Scope of maintenance: one device, a hub with its devices, or a whole home. */
export const MAINTENANCE_SCOPES = ['device', 'hub', 'home'] as const

/** Period in which a device, a hub or a home is not monitored because people work on it. It ends automatically. */
export const Maintenance = z.object({
  MaintenanceID: z.uuid(),
  HomeID,
  Scope: z.enum(MAINTENANCE_SCOPES),
  /** A PeripheralUID, a ThingName or the HomeID, by Scope. */
  Subject: z.union([PeripheralUID, ThingName, HomeID]),
  Until: Millis,
  Reason: requiredText(500),
  By: z.string(),
  StartedAt: Millis,
})
export type Maintenance = z.infer<typeof Maintenance>

const Key = Maintenance.pick({ HomeID: true, MaintenanceID: true })

export const maintenances = {
  listMaintenance: defineEndpoint({
    path: '/ListMaintenance',
    summary:
      'Active maintenance periods of a home, or of all homes of the company if HomeID is absent; the earliest end first.',
    access: right('device', 'Read'),
    input: z.object({ HomeID: HomeID.optional() }),
    results: z.array(Maintenance),
    errors: ['NOT_FOUND'],
    shows: ['maintenance', 'home'],
  }),
  startMaintenance: defineEndpoint({
    path: '/StartMaintenance',
    summary:
      'Puts a device, a hub with its devices, or a home into maintenance until a time at most 90 days from now: meanwhile only fire and smoke alarms from devices that still report need attention. Rejected if it is already in maintenance.',
    access: right('device', 'Update'),
    input: Maintenance.pick({ HomeID: true, Scope: true, Subject: true, Until: true, Reason: true }),
    results: Maintenance,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['maintenance'],
  }),
  endMaintenance: defineEndpoint({
    path: '/EndMaintenance',
    summary: 'Ends a maintenance period early. Rejected if it has already ended.',
    access: right('device', 'Update'),
    input: Key,
    results: Key,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['maintenance', 'alarm'],
  }),
}
