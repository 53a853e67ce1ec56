import {
  alarmOfDevice,
  alarmOfRule,
  userNotification,
  type AlarmMessage,
} from '../../contract/alarms/channels.ts'
import { automationRun, type RunMessage } from '../../contract/automation/channels.ts'
import { topics } from '../../contract/channels/table.ts'
import { dataChangeSchema, userResponse } from '../../contract/data-change.ts'
import type { controlResponse, status, statusChange } from '../../contract/devices/channels/control.ts'
import { hubTrial } from '../../contract/devices/channels/hub-setup.ts'
import { otaResponse } from '../../contract/devices/channels/ota.ts'
import type { shadowGetAccepted, shadowUpdateAccepted } from '../../contract/devices/channels/shadow.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { isRecord } from '../../contract/kernel/is-record.ts'
import { messageGap } from '../../contract/message-gap.ts'
import type { AnyChange } from '../data/cache-patches.ts'

/** A change of a record, and the RequestID of the call that made it. */
export interface ReceivedChange {
  change: AnyChange
  requestId: string | undefined
}

/** Payloads of the channels that screens subscribe to, as they are passed to handlers. */
export interface ChannelPayloads {
  status: PayloadOf<typeof status>
  statusChange: PayloadOf<typeof statusChange>
  controlResponse: PayloadOf<typeof controlResponse>
  automationRun: RunMessage
  alarmOfDevice: AlarmMessage
  alarmOfRule: AlarmMessage
  otaResponse: PayloadOf<typeof otaResponse>
  hubTrial: PayloadOf<typeof hubTrial>
  /** 'unknown' if the entity, the event or the record does not match the contract. */
  dataChange: ReceivedChange | 'unknown'
  shadowUpdateAccepted: PayloadOf<typeof shadowUpdateAccepted>
  shadowGetAccepted: PayloadOf<typeof shadowGetAccepted>
  userNotification: PayloadOf<typeof userNotification>
  messageGap: PayloadOf<typeof messageGap>
  userPermission: Readonly<Record<string, unknown>>
  userResponse: PayloadOf<typeof userResponse>
}
export type ChannelName = keyof ChannelPayloads
export type ChannelParams<N extends ChannelName> = NonNullable<ReturnType<(typeof topics)[N]['match']>>

/** A parsed message of the realtime channel. */
export type ChannelEvent = {
  [N in ChannelName]: { channel: N; params: ChannelParams<N>; payload: ChannelPayloads[N] }
}[ChannelName]

interface Schema<T> {
  safeParse(payload: unknown): { data?: T | undefined }
}
const valid =
  <T>(schema: Schema<T>) =>
  (payload: unknown): T | undefined =>
    schema.safeParse(payload).data
/** Accepts any object. The gateway computes these payloads itself, and a check of every status would cost too much. */
const anyObject = <T>(payload: unknown): T | undefined => (isRecord(payload) ? (payload as T) : undefined)

/** Parses the payload of each channel; undefined if it is invalid. The most frequent channels are first. */
const PARSERS: {
  [N in ChannelName]: (payload: unknown, params: ChannelParams<N>) => ChannelPayloads[N] | undefined
} = {
  statusChange: anyObject,
  status: anyObject,
  controlResponse: anyObject,
  automationRun: valid(automationRun.payload),
  alarmOfDevice: valid(alarmOfDevice.payload),
  alarmOfRule: valid(alarmOfRule.payload),
  otaResponse: valid(otaResponse.payload),
  hubTrial: valid(hubTrial.payload),
  dataChange: (payload, params) => changeOf(payload, params) ?? 'unknown',
  shadowUpdateAccepted: anyObject,
  shadowGetAccepted: anyObject,
  userNotification: valid(userNotification.payload),
  messageGap: valid(messageGap.payload),
  // Any message means that permissions changed, unless it says that the user was deleted.
  userPermission: (payload) => (isRecord(payload) ? payload : {}),
  userResponse: valid(userResponse.payload),
}

/** Parses a message of the realtime channel. Pure. Returns undefined on other topics and if the payload is invalid. */
export function route(topic: string, payload: unknown): ChannelEvent | undefined {
  for (const channel of Object.keys(PARSERS) as ChannelName[]) {
    const params = topics[channel].match(topic)
    if (!params) continue
    const parsed = PARSERS[channel](payload, params as never)
    return parsed === undefined ? undefined : ({ channel, params, payload: parsed } as ChannelEvent)
  }
  return undefined
}

function changeOf(
  payload: unknown,
  { entity, event }: ChannelParams<'dataChange'>,
): ReceivedChange | undefined {
  const message = payload as { Record?: unknown; RequestID?: string | null } | null
  const parsed = dataChangeSchema(entity, event)?.safeParse(message?.Record)
  if (!parsed?.success) return undefined
  const change = { name: `${entity}.${event}`, record: parsed.data } as AnyChange
  return { change, requestId: message?.RequestID ?? undefined }
}
