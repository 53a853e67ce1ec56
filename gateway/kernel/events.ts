import type { AlarmMessage } from '../../contract/alarms/channels.ts'
import type { DataChangeName, DataChangePayload } from '../../contract/data-change.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { RunMessage } from '../../contract/automation/channels.ts'
import type { controlResponse } from '../../contract/devices/channels/control.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import type { DeviceStatus } from '../../contract/devices/kinds/status.ts'
import type { AlarmKind } from '../../contract/alarms/calls.ts'
import type { FaultMessage, FaultReason } from '../../contract/setup/calls.ts'
import type { PersonalConfig } from '../../contract/people/personal-calls.ts'

/** Data change to publish to screens. */
export type DataChangeEvent = {
  [N in DataChangeName]: {
    tenant: string
    name: N
    record: DataChangePayload<N>
    by: string | null
    /** RequestID of the call that caused it, if it had one. */
    requestId?: string | undefined
  }
}[DataChangeName]

/** Events between features of the gateway, in process. Emitted after the change is committed. */
export interface GatewayEvents {
  dataChange: DataChangeEvent
  /** A user's rights changed, or they were disabled or deleted: tokens, actor cache and connections must be updated. */
  personChanged: { tenant: string; cognitoId: string; change: 'permissions' | 'revoked' | 'profile' }
  /** A user marked notifications as read or unread. */
  notificationsRead: { tenant: string; cognitoId: string }
  personalConfigChanged: { tenant: string; cognitoId: string; config: PersonalConfig }
  /** A hub's credentials changed or it was deleted: its connection must be closed. */
  hubRevoked: { tenant: string; thingName: string }
  /** A hub has a new secret: it is about to be connected. */
  hubSecretMade: { tenant: string; homeId: string; thingName: string }
  /** Another gateway has changed these devices of a company, or any of them: cached data on them is stale. */
  devicesForgotten: { tenant: string; uids: readonly string[] | null }
  /** A hub connected or disconnected, according to its info shadow. */
  hubOnline: { tenant: string; homeId: string; thingName: string; online: boolean; at: number }
  /**
   * Stored, merged statuses of one home, for screens. Accessing `statuses` reads them, at some cost.
   *
   * uids   UIDs of the devices that reported, at little cost; one whose report was older than the stored one has no status here
   * changedUIDs  UIDs of the devices with a new row in `device_events`: a state or a counter differs from the stored one, written by any
   *        gateway, or is
   *        known for the first time
   */
  statusChanged: {
    tenant: string
    homeId: string
    uids: readonly string[]
    statuses: DeviceStatus[]
    changedUIDs: readonly string[]
  }
  /** Reports whose values are now stored as device statuses, as reported and in their order, of all companies. */
  statusReported: readonly StoredReport[]
  /** A hub sent unusable values. */
  reportFaulty: ReportFaulty
  /**
   * Fields by path, of a device or with an empty `uid` of a hub, that were unusable and are valid again: in one message, or in all of
   * them.
   */
  reportWell: { thingName: string; uid: string; fields: readonly string[]; message?: FaultMessage }
  /** Readings of these meters were quarantined, or decided on. */
  readingsQuarantined: { meterIds: readonly number[] }
  /** The email of a visitor's pass was enqueued. */
  visitorPassDue: { tenant: string; VisitorID: string }
  /** An image is no longer referenced. */
  pictureDropped: { imageUrl: string }
  /** The firmware of a hub or its devices was reported and stored. */
  firmwareReported: { tenant: string; thingName: string }
  /** A firmware update was started, resumed or cancelled. */
  otaChanged: { tenant: string; jobId: string }
  /** No version of a firmware library uses this file any longer. */
  firmwareDropped: { fileKey: string }
  /** A run began or ended. */
  runChanged: { tenant: string; homeId: string; news: RunMessage }
  /** A run was stored and is about to be carried out. */
  runPlanned: { tenant: string; runId: string }
  /** An alarm was raised, changed or cleared. */
  alarmChanged: { tenant: string; homeId: string; kind: AlarmKind; alarm: AlarmMessage }
  commandChanged: { tenant: string; homeId: string; response: PayloadOf<typeof controlResponse> }
}

/**
 * Report of a device.
 *
 * device  `key` is `tenant/PeripheralUID`
 * values  validated values of this report only
 */
export interface StoredReport {
  readonly device: { readonly key: string; readonly peripheralUID: string }
  readonly values: CommandValues
}

/** Unusable fields of one hub message. */
export interface ReportFaulty {
  tenant: string
  thingName: string
  message: FaultMessage
  faults: readonly {
    /** Empty for the hub itself. */
    uid: string
    /** Path of the field; empty for the whole. */
    field: string
    reason: FaultReason
    /** Value as received; undefined if there was none. */
    value: unknown
  }[]
}

export type EventName = keyof GatewayEvents
type Listener<N extends EventName> = (event: GatewayEvents[N]) => void | Promise<void>

/** Typed event bus. A failing listener is reported, and affects neither other listeners nor the emitter. */
export interface Events {
  on<N extends EventName>(name: N, listener: Listener<N>): () => void
  emit<N extends EventName>(name: N, event: GatewayEvents[N]): void
}

export function createEvents(onError: (error: unknown, event: EventName) => void): Events {
  const listeners = new Map<EventName, Set<Listener<EventName>>>()
  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set)
      set.add(listener as Listener<EventName>)
      return () => set.delete(listener as Listener<EventName>)
    },
    emit(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          Promise.resolve(listener(event)).catch((error: unknown) => onError(error, name))
        } catch (error) {
          onError(error, name)
        }
      }
    },
  }
}
