import type { RoomDevices } from '../../../contract/devices/room-devices.ts'
import type { ScreenClient } from '../../kernel/broker.ts'

/** A group, scene or room that a person controls as one. */
export interface RequestedRun {
  client: ScreenClient
  homeId: string
  /** The RequestID of the request. */
  runId: string
  target: {
    GroupID?: string | undefined
    SceneID?: string | undefined
    RoomID?: number | undefined
    Only?: RoomDevices | undefined
    Values?: Record<string, unknown> | undefined
  }
  /** Time of the request, epoch ms. */
  at: number
  /** A person's display name. */
  by: string | null
}

/** Begins a run, or publishes the rejection on `automation/run`. The caller has checked the right to control. */
export type RunTarget = (run: RequestedRun) => Promise<void>

/** Answer of a gateway that was asked to execute a command: sent, or the reason why not. */
export type RemoteExecution = 'sent' | 'notHere' | 'gone' | 'unavailable'

/** A command that another gateway has stored, as in its row. */
export interface RemoteCommand {
  tenant: string
  RequestID: string
  PeripheralUID: string
  HomeID: string
  ThingName: string
  /** Epoch ms, by the gateway that stored it. */
  RequestedAt: number
  /** Time after RequestedAt in which the hub may execute the command, in ms; `ACK_TIMEOUT_MS` if unset. */
  ExpiresIn?: number | undefined
}

/** Reachability of a hub for commands. */
export interface HubReach {
  /** = */
  state: 'connected' | 'reconnecting' | 'offline'
  /** Start of its newest connection, epoch ms; null if it has none. */
  since: number | null
}

/** The other gateways of this database, as commands need them. */
export interface RemoteGateways {
  readOwnId(): string
  /** The gateway that a hub is connected to. */
  findGateway(thingName: string): Promise<string | undefined>
  /** Whether the gateway updated its database row within the last seconds. */
  wasJustSeen(gateway: string): boolean
  /** nobody: the gateway is not on the bus; silent: no answer, but it may have the request; away: the bus is unavailable. */
  executeAt(gateway: string, command: RemoteCommand): Promise<RemoteExecution | 'nobody' | 'silent' | 'away'>
}
