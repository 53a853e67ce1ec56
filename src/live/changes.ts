import { controlResponse } from '../../contract/channels/control.ts'
import {
  dataChange,
  dataChanges,
  dataChangeSchema,
  userPermission,
  userResponse,
} from '../../contract/channels/data-change.ts'
import { otaResponse } from '../../contract/channels/ota.ts'
import { shadowGetAccepted, shadowUpdateAccepted } from '../../contract/channels/shadow.ts'
import { status, statusChange } from '../../contract/channels/status.ts'
import { decide, type Access } from '../../contract/features.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { Entity } from '../../contract/kernel/entities.ts'
import { accessControl } from '../../contract/procedures/access-control.ts'
import { bills } from '../../contract/procedures/bills.ts'
import { meterCorrections } from '../../contract/procedures/meter-corrections.ts'
import { meterData } from '../../contract/procedures/meter-data.ts'
import { meterImports } from '../../contract/procedures/meter-import.ts'
import type { PersonalConfig } from '../../contract/procedures/personal.ts'
import { bookings } from '../../contract/procedures/bookings.ts'
import type { Me } from '../../contract/procedures/session.ts'
import { conferenceRoom } from '../../contract/resources/conference-room.ts'
import { department } from '../../contract/resources/department.ts'
import { employee } from '../../contract/resources/employee.ts'
import { scanner } from '../../contract/resources/scanner.ts'
import { visitor } from '../../contract/resources/visitor.ts'
import { user as userResource } from '../../contract/resources/user.ts'
import { subjectOf } from '../data/session.ts'
import type { AnyChange } from '../data/apply-change.ts'

/** Why the person must sign in again (§4): both end in a dialog and a sign-out. */
export type ForcedSignOut = 'permissionsChanged' | 'userDeleted'

/**
 * What a screen listens to (§6, §7): its own permission and response topics always; changes of records, statuses,
 * command answers and hub shadows only as far as the person's rights go.
 *
 * homes   homes that a screen shows live: the current one, or all on an overview
 * things  their hubs
 */
export function topicsFor(person: Me, homes: readonly string[], things: readonly string[]): string[] {
  const subject = subjectOf(person)
  const may = (access: Access) => decide(access, subject) === true
  const rootId = person.RootCognitoId
  const own = { rootId, cognitoId: person.CognitoId }
  return [
    userPermission.topic(own),
    userResponse.topic(own),
    ...(Object.keys(dataChanges) as Entity[])
      .filter((entity) => may(dataChanges[entity].access))
      .map((entity) => dataChange.filter({ rootId, entity })),
    ...homes.flatMap((homeId) =>
      [status, statusChange, controlResponse, otaResponse]
        .filter((channel) => may(channel.access))
        .map((channel) => channel.topic({ rootId, homeId })),
    ),
    ...things.flatMap((thingName) =>
      [shadowGetAccepted, shadowUpdateAccepted]
        .filter((channel) => may(channel.access))
        .map((channel) => channel.topic({ thingName, shadowName: 'info' })),
    ),
  ]
}

/** The change that a message tells of; 'unknown' when it is no record as we know it, undefined on other topics. */
export function readChange(topic: string, payload: unknown): AnyChange | 'unknown' | undefined {
  const changed = dataChange.match(topic)
  if (!changed) return undefined
  const { entity, event } = changed
  const parsed = dataChangeSchema(entity, event)?.safeParse((payload as { Record?: unknown } | null)?.Record)
  return parsed?.success ? ({ name: `${entity}.${event}`, record: parsed.data } as AnyChange) : 'unknown'
}

/** What a message tells the person of themselves: why to sign in again, or their settings of another screen. */
export function readOwn(topic: string, payload: unknown): ForcedSignOut | PersonalConfig | undefined {
  if (userPermission.match(topic))
    return typeof payload === 'object' && payload !== null && 'Deleted' in payload
      ? 'userDeleted'
      : 'permissionsChanged'
  if (!userResponse.match(topic)) return undefined
  const parsed = userResponse.payload.safeParse(payload)
  return parsed.success ? parsed.data.PersonalConfig : undefined
}

/** What energy costs and emits is reckoned anew at each call. */
const priced = [
  meterData.getAggregationSummationData,
  meterData.getEnergySeries,
  meterData.getDailySummationData,
] as const

const listsByEntity: Readonly<Record<string, readonly AnyEndpoint[]>> = {
  user: [userResource.operations.page, userResource.operations.get],
  department: [userResource.operations.page, department.operations.list, employee.operations.list],
  visitor: [
    visitor.operations.list,
    visitor.operations.get,
    accessControl.getVisitorOverview,
    accessControl.listInside,
  ],
  employee: [
    employee.operations.list,
    employee.operations.get,
    accessControl.listScannerEmployee,
    accessControl.listInside,
  ],
  scanner: [scanner.operations.list, accessControl.listScannerEmployee],
  scanEvent: [accessControl.listScanEvent, accessControl.listInside],
  pricing: priced,
  tariff: priced,
  metering: [
    ...Object.values(meterData),
    ...Object.values(bills),
    meterCorrections.listMeterCorrection,
    meterCorrections.listQuarantinedReading,
    meterImports.listMeterImport,
  ],
  quarantinedReading: [meterCorrections.listQuarantinedReading],
}

/** Answers that a change of this entity makes old, beyond those that the cache keeps current. */
export const listsOf = (entity: string): readonly AnyEndpoint[] => listsByEntity[entity] ?? []

/**
 * Answers that only events keep current, and that are wrong to act on when they are old: asked for again when some may have been
 * missed.
 */
export const keptByEvents: readonly AnyEndpoint[] = [
  meterCorrections.listQuarantinedReading,
  bookings.getByStartTimestamp,
  bookings.getByEmail,
  bookings.availableSlots,
  conferenceRoom.operations.list,
]
