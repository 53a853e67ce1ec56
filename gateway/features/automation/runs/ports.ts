import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { COMMAND_SOURCES, Command } from '../../../../contract/devices/command-calls.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import type { Db } from '../../../kernel/db.ts'

export interface RunCommand {
  tenant: string
  homeId: string
  RequestID: string
  PeripheralUID: string
  Values: CommandValues
  at: number
  source: (typeof COMMAND_SOURCES)[number]
  by: string | null
  runId: string
}

interface CommandTarget {
  type: string
  thingName: string
  online: boolean
  status: CommandValues | null
  modbusRows: ModbusRow[] | null
}

/** Whether commands reach a hub now; `reconnecting` while a hub whose gateway ended has time to reconnect. */
export interface HubReach {
  state: 'connected' | 'reconnecting' | 'offline'
  /** Start of its newest connection, epoch ms; null without one. */
  since: number | null
}

/** A stored command that is not sent yet. */
export interface UnsentCommand {
  command: Command
  send(): Promise<void>
}

export interface ControlPort {
  /** Sends a command at most once per RequestID; returns its present state. Errors: UNAVAILABLE. */
  sendCommand(command: RunCommand): Promise<Command>
  /**
   * Stores new commands of one company in the transaction that decides them.
   *
   * command    each with its device as stored now, undefined if the home has no such device
   * returns  each with its present state, in that order, and how to send it after the transaction commits
   */
  storeCommands(
    tx: Db,
    commands: readonly (RunCommand & { target: CommandTarget | undefined })[],
  ): Promise<UnsentCommand[]>
  /** Whether commands reach some hubs now, by ThingName; unknown hubs are omitted. */
  readHubReach(thingNames: readonly string[]): Promise<ReadonlyMap<string, HubReach>>
  /** Follows the commands of a run that another gateway sent. */
  recoverRun(tenant: string, runId: string): Promise<void>
}
