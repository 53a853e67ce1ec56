import type { AlarmMessage } from '../../contract/alarms/channels.ts'
import type { DataChangeName, DataChangePayload } from '../../contract/data-change.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { RunMessage } from '../../contract/automation/channels.ts'
import type { controlResponse } from '../../contract/devices/channels/control.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import type { DeviceStatus } from '../../contract/devices/kinds/status.ts'
import type { AlarmKind } from '../../contract/alarms/calls.ts'
import type { FaultMessage, FaultReason } from '../../contract/setup/report-fault-calls.ts'
import type { PersonalConfig } from '../../contract/people/personal-calls.ts'

/** Envelope of a structural change on its way to the screens. */
export type DataChangeEvent = {
  [N in DataChangeName]: {
    tenant: string
    name: N
    record: DataChangePayload<N>
    by: string | null
    /** RequestID of the call that changed it, when it had one. */
    requestId?: string | undefined
  }
}[DataChangeName]

/** What the features of the gateway tell each other, in process. Emitted after the change is committed. */
export interface GatewayEvents {
  dataChange: DataChangeEvent
  /** A person's rights changed, or they were disabled or deleted: tokens, actor cache and connections must follow. */
  personChanged: { tenant: string; cognitoId: string; change: 'permissions' | 'revoked' | 'profile' }
  /** A person marked notifications as read, or as not read. */
  notificationsRead: { tenant: string; cognitoId: string }
  personalConfigChanged: { tenant: string; cognitoId: string; config: PersonalConfig }
  /** A hub's credentials changed or it was removed: its connection ends. */
  hubRevoked: { tenant: string; thingName: string }
  /** A hub has a new secret: somebody is about to connect it. */
  hubSecretMade: { tenant: string; homeId: string; thingName: string }
  /** Another gateway has changed these devices of a company, or any of them: what is remembered of them is old. */
  devicesForgotten: { tenant: string; uids: readonly string[] | null }
  /** A hub connected or went away, as its info shadow says. */
  hubOnline: { tenant: string; homeId: string; thingName: string; online: boolean; at: number }
  /**
   * Stored, merged statuses of one home, ready for the screens. They are read when `statuses` is asked for, at some cost.
   *
   * uids   UIDs of the devices that reported, at little cost; one whose report was older than what is stored has no status here
   * moved  UIDs of those of which the database wrote into `device_events`: a state or a counter is another than what was stored
   *        before, by whichever gateway, or is known for the first time
   */
  statusChanged: {
    tenant: string
    homeId: string
    uids: readonly string[]
    statuses: DeviceStatus[]
    moved: readonly string[]
  }
  /** Reports whose values are stored as their devices' statuses now, as the devices told them and in their order, of all companies. */
  statusReported: readonly StoredReport[]
  /** A hub sent what could not be used. */
  reportFaulty: ReportFaulty
  /**
   * Fields of a device or, with an empty `uid`, of a hub, by their paths, that could not be used and are valid again: in one message,
   * or in all of them.
   */
  reportWell: { thingName: string; uid: string; fields: readonly string[]; message?: FaultMessage }
  /** Readings of these meters wait for a person's word, or wait no more. */
  readingsQuarantined: { meterIds: readonly number[] }
  /** A visitor was registered, or has another window or address: the pass is mailed. */
  visitorPassDue: { tenant: string; VisitorID: string }
  /** Nothing points at this picture any more. */
  pictureDropped: { imageUrl: string }
  /** A hub told which firmware it or its devices run, and it is stored. */
  firmwareReported: { tenant: string; thingName: string }
  /** A firmware update was started, resumed or cancelled. */
  otaChanged: { tenant: string; jobId: string }
  /** No version of a firmware library has this file any more. */
  firmwareDropped: { fileKey: string }
  /** A run began or ended. */
  runChanged: { tenant: string; homeId: string; news: RunMessage }
  /** A run was stored, and is carried out from now on. */
  runPlanned: { tenant: string; runId: string }
  /** An alarm was raised, changed or cleared. */
  alarmChanged: { tenant: string; homeId: string; kind: AlarmKind; alarm: AlarmMessage }
  commandChanged: { tenant: string; homeId: string; response: PayloadOf<typeof controlResponse> }
}

/**
 * What a device reported.
 *
 * device  `key` is `tenant/PeripheralUID`
 * values  only what this report said, as it was checked
 */
export interface StoredReport {
  readonly device: { readonly key: string; readonly peripheralUID: string }
  readonly values: CommandValues
}

/** Fields of one hub message that could not be used. */
export interface ReportFaulty {
  tenant: string
  thingName: string
  message: FaultMessage
  faults: readonly {
    /** Empty is the hub itself. */
    uid: string
    /** Path of the field; empty is all of it. */
    field: string
    reason: FaultReason
    /** Value as received; undefined if there was none. */
    came: unknown
  }[]
}

export type EventName = keyof GatewayEvents
type Listener<N extends EventName> = (event: GatewayEvents[N]) => void | Promise<void>

/** A typed event bus. A listener that fails is reported and never stops the others or the emitter. */
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
