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
import type { QueryClient } from '@tanstack/react-query'
import { ota, type OtaJob, type OtaOverview, type OtaUpdate } from '../../contract/devices/ota-calls.ts'

type OtaResponse = PayloadOf<typeof otaResponse>

const keyOf = ({ ThingName, PeripheralUID }: Pick<OtaUpdate, 'ThingName' | 'PeripheralUID'>) =>
  `${ThingName}/${PeripheralUID ?? ''}`

/** Applies a message about firmware updates to a home's overview. Pure and idempotent. */
export function applyOta(overview: OtaOverview, { Job, Updates }: OtaResponse): OtaOverview {
  const moved = new Map(Updates.map((update) => [keyOf(update), update]))
  return {
    ...overview,
    Jobs: Job ? putJob(overview.Jobs, Job) : overview.Jobs,
    Devices: moved.size
      ? overview.Devices.map((device) => {
          const update = moved.get(keyOf(device))
          if (!update || (device.Update && device.Update.RequestedAt > update.RequestedAt)) return device
          return {
            ...device,
            Update: update,
            ...(update.State === 'succeeded' && { FirmwareVersion: update.FirmwareVersion }),
          }
        })
      : overview.Devices,
  }
}

const putJob = (jobs: readonly OtaJob[], job: OtaJob): OtaJob[] =>
  jobs.some(({ OtaJobID }) => OtaJobID === job.OtaJobID)
    ? jobs.map((old) => (old.OtaJobID === job.OtaJobID ? job : old))
    : [job, ...jobs]

/** Applies a message about firmware updates to the cached overview and update lists. */
export function receiveOta(client: QueryClient, homeId: string, response: OtaResponse): void {
  client.setQueryData<OtaOverview>([ota.getAllOta.path, { HomeID: homeId }], (held) =>
    held ? applyOta(held, response) : held,
  )
  const moved = new Map(response.Updates.map((update) => [`${update.OtaJobID}/${keyOf(update)}`, update]))
  client.setQueriesData<OtaUpdate[]>({ queryKey: [ota.listOtaUpdate.path] }, (held) =>
    held?.map((update) => moved.get(`${update.OtaJobID}/${keyOf(update)}`) ?? update),
  )
}

/** Updates the connection state of a hub and of the devices behind it in the cached firmware overviews. */
export function receiveHub(client: QueryClient, thingName: string, online: boolean): void {
  client.setQueriesData<OtaOverview>({ queryKey: [ota.getAllOta.path] }, (held) =>
    held?.Devices.some(({ ThingName, Online }) => ThingName === thingName && Online !== online)
      ? {
          ...held,
          Devices: held.Devices.map((device) =>
            device.ThingName === thingName ? { ...device, Online: online } : device,
          ),
        }
      : held,
  )
}

/** Reasons for a forced sign-out (§4): both show a dialog, then sign out. */
export type ForcedSignOut = 'permissionsChanged' | 'userDeleted'

/**
 * Topics that a screen subscribes to (§6, §7): the user's own permission and response topics always; changes of records, statuses,
 * command responses and hub shadows if the user's rights allow them.
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

/** A change of a record, and the RequestID of the call that made it. */
export interface ReceivedChange {
  change: AnyChange
  requestId: string | undefined
}

/** Parses a change of a record; 'unknown' if the entity or the record does not match the contract, undefined on other topics. */
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

/** Parses an alarm message; undefined on other topics and if it is invalid. */
export function readAlarm(topic: string, payload: unknown): ReceivedAlarm | undefined {
  const channel = [alarmOfDevice, alarmOfRule].find((one) => one.match(topic))
  const home = channel?.match(topic)
  const parsed = channel?.payload.safeParse(payload)
  return home && parsed?.success ? { ...parsed.data, HomeID: home.homeId } : undefined
}

/** Parses a message about a run; undefined on other topics and if it is invalid. */
export function readRun(topic: string, payload: unknown): { HomeID: string; news: RunMessage } | undefined {
  const home = automationRun.match(topic)
  const news = home && automationRun.payload.safeParse(payload).data
  return news && { HomeID: home.homeId, news }
}

/** Parses a message about firmware updates; undefined on other topics and if it is invalid. */
export function readOta(
  topic: string,
  payload: unknown,
): { HomeID: string; response: OtaResponse } | undefined {
  const home = otaResponse.match(topic)
  const response = home && otaResponse.payload.safeParse(payload).data
  return response && { HomeID: home.homeId, response }
}

/** Parses a message that a gap in the gateway's bus began or ended; undefined on other topics and if it is invalid. */
export const readGap = (topic: string, payload: unknown): PayloadOf<typeof messageGap> | undefined =>
  messageGap.match(topic) ? messageGap.payload.safeParse(payload).data : undefined

/** Parses a message to the user: a reason for a forced sign-out, or settings that another screen changed. */
export function readOwn(topic: string, payload: unknown): ForcedSignOut | PersonalConfig | undefined {
  if (userPermission.match(topic))
    return typeof payload === 'object' && payload !== null && 'Deleted' in payload
      ? 'userDeleted'
      : 'permissionsChanged'
  if (!userResponse.match(topic)) return undefined
  const parsed = userResponse.payload.safeParse(payload)
  return parsed.success ? parsed.data.PersonalConfig : undefined
}

/** Parses a message about the user's notifications; undefined on other topics and if it is invalid. */
export function readNotification(
  topic: string,
  payload: unknown,
): PayloadOf<typeof userNotification> | undefined {
  if (!userNotification.match(topic)) return undefined
  return userNotification.payload.safeParse(payload).data
}
