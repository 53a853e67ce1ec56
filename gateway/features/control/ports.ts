import type { RoomDevices } from '../../../contract/automation/action.ts'
import type { ScreenClient } from '../../broker/port.ts'

/** A group, scene or room that a person sets as one. */
export interface RequestedRun {
  client: ScreenClient
  homeId: string
  /** Of the run: the RequestID of the request. */
  runId: string
  target: {
    GroupID?: string | undefined
    SceneID?: string | undefined
    RoomID?: number | undefined
    Only?: RoomDevices | undefined
    Values?: Record<string, unknown> | undefined
  }
  /** When it was asked for, epoch ms. */
  at: number
  /** A person's display name. */
  by: string | null
}

/** Begins a run, or tells why not on `automation/run`. The person holds the right to control. */
export type RunTarget = (asked: RequestedRun) => Promise<void>

/** What a gateway answers that was asked to carry a command out: it did, or why not. */
export type RemoteExecution = 'sent' | 'notHere' | 'gone' | 'unavailable'

/** A command that another gateway has stored, as its row has it. */
export interface RemoteCommand {
  tenant: string
  RequestID: string
  PeripheralUID: string
  HomeID: string
  ThingName: string
  /** Epoch ms, of the gateway that stored it. */
  RequestedAt: number
  /** How long after it was taken up its hub may still carry it out, in ms; ACK_WITHIN when left out. */
  ExpiresIn?: number | undefined
}

/** Whether commands reach a hub now. */
export interface HubReach {
  /**
   * connected     to this gateway, or to another one that is alive
   * reconnecting  its gateway ended, and its time to reconnect has not passed
   * offline       it ended its connection itself, or its time to reconnect has passed
   */
  state: 'connected' | 'reconnecting' | 'offline'
  /** Since when its newest connection exists, epoch ms; null while it has none. */
  since: number | null
}

/** The other gateways of this database, as commands need them. */
export interface RemoteGateways {
  /** This gateway's id. */
  me(): string
  /** The gateway that a hub is connected to. */
  whereIs(thingName: string): Promise<string | undefined>
  /** Whether the database has seen this gateway within the last seconds. */
  wasJustSeen(gateway: string): boolean
  /** nobody: it is not on the bus; silent: it may have heard; away: the bus is. */
  carry(gateway: string, asked: RemoteCommand): Promise<RemoteExecution | 'nobody' | 'silent' | 'away'>
}
