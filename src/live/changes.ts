import { alarmOfDevice, alarmOfRule, userNotification } from '../../contract/alarms/channels.ts'
import { automationRun, type RunMessage } from '../../contract/automation/channels.ts'
import { controlResponse } from '../../contract/devices/channels/control.ts'
import {
  dataChange,
  dataChanges,
  dataChangeSchema,
  userPermission,
  userResponse,
} from '../../contract/data-change.ts'
import { messageGap } from '../../contract/message-gap.ts'
import { otaResponse } from '../../contract/devices/channels/ota.ts'
import {
  SHADOW_NAMES,
  shadowGetAccepted,
  shadowUpdateAccepted,
} from '../../contract/devices/channels/shadow.ts'
import { status, statusChange } from '../../contract/devices/channels/status.ts'
import { decide, type Access } from '../../contract/kernel/permissions.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { Entity } from '../../contract/kernel/entities.ts'
import type { PersonalConfig } from '../../contract/people/personal-calls.ts'
import type { Me } from '../../contract/people/session-calls.ts'
import { subjectOf } from '../data/session.ts'
import type { AnyChange } from '../data/cache-patches.ts'
import type { ReceivedAlarm } from './alarm-events.ts'
import type { OtaResponse } from './ota.ts'

export { receiveHub, receiveOta } from './ota.ts'

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
    userNotification.topic(own),
    messageGap.topic({ rootId }),
    ...(Object.keys(dataChanges) as Entity[])
      .filter((entity) => may(dataChanges[entity].access))
      .map((entity) => dataChange.filter({ rootId, entity })),
    ...homes.flatMap((homeId) =>
      [status, statusChange, controlResponse, automationRun, alarmOfDevice, alarmOfRule, otaResponse]
        .filter((channel) => may(channel.access))
        .map((channel) => channel.topic({ rootId, homeId })),
    ),
    ...things.flatMap((thingName) =>
      [shadowGetAccepted, shadowUpdateAccepted]
        .filter((channel) => may(channel.access))
        .flatMap((channel) => SHADOW_NAMES.map((shadowName) => channel.topic({ thingName, shadowName }))),
    ),
  ]
}

/** A change that a message tells of, and the RequestID of the call that made it. */
export interface ReceivedChange {
  change: AnyChange
  requestId: string | undefined
}

/** The change that a message tells of; 'unknown' when it is no record as we know it, undefined on other topics. */
export function readChange(topic: string, payload: unknown): ReceivedChange | 'unknown' | undefined {
  const changed = dataChange.match(topic)
  if (!changed) return undefined
  const { entity, event } = changed
  const message = payload as { Record?: unknown; RequestID?: string | null } | null
  const parsed = dataChangeSchema(entity, event)?.safeParse(message?.Record)
  if (!parsed?.success) return 'unknown'
  const change = { name: `${entity}.${event}`, record: parsed.data } as AnyChange
  return { change, requestId: message?.RequestID ?? undefined }
}

/** What a message tells of an alarm, and of which home; undefined on other topics. */
export function readAlarm(topic: string, payload: unknown): ReceivedAlarm | undefined {
  const channel = [alarmOfDevice, alarmOfRule].find((one) => one.match(topic))
  const home = channel?.match(topic)
  const parsed = channel?.payload.safeParse(payload)
  return home && parsed?.success ? { ...parsed.data, HomeID: home.homeId } : undefined
}

/** What a message tells of a run, and of which home; undefined on other topics. */
export function readRun(topic: string, payload: unknown): { HomeID: string; news: RunMessage } | undefined {
  const home = automationRun.match(topic)
  const news = home && automationRun.payload.safeParse(payload).data
  return news && { HomeID: home.homeId, news }
}

/** What a message tells of firmware updates, and of which home; undefined on other topics. */
export function readOta(
  topic: string,
  payload: unknown,
): { HomeID: string; response: OtaResponse } | undefined {
  const home = otaResponse.match(topic)
  const response = home && otaResponse.payload.safeParse(payload).data
  return response && { HomeID: home.homeId, response }
}

/** Whether a message tells that the gateway does not hear all news, or hears them again; undefined on other topics. */
export const readGap = (topic: string, payload: unknown): PayloadOf<typeof messageGap> | undefined =>
  messageGap.match(topic) ? messageGap.payload.safeParse(payload).data : undefined

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

/** What a message tells the person of their notifications; undefined on other topics, and of what is no notification as we know it. */
export function readNotification(
  topic: string,
  payload: unknown,
): PayloadOf<typeof userNotification> | undefined {
  if (!userNotification.match(topic)) return undefined
  return userNotification.payload.safeParse(payload).data
}
