import type { RoomDevices } from '../../../contract/rules/automation/action.ts'
import type { ScreenClient } from '../../broker/port.ts'

/** A group, scene or room that a person sets as one. */
export interface AskedRun {
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
export type RunTarget = (asked: AskedRun) => Promise<void>
