import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { COMMAND_SOURCES, Command } from '../../../../contract/devices/command-calls.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import type { Db } from '../../../store/db.ts'

/** A command of a run. */
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

/** What a command needs to know of its device. */
interface CommandTarget {
  type: string
  thingName: string
  online: boolean
  status: CommandValues | null
  modbusRows: ModbusRow[] | null
}

/** Whether commands reach a hub now; `reconnecting` after its gateway ended, for the time that hubs have to reconnect. */
export interface HubReach {
  state: 'connected' | 'reconnecting' | 'offline'
  /** Since when its newest connection exists, epoch ms; null while it has none. */
  since: number | null
}

/** A command that was stored and is not sent yet. */
export interface UnsentCommand {
  command: Command
  send(): Promise<void>
}

/** What runs need of control. */
export interface ControlPort {
  /** Sends a command at most once per RequestID; answers it as it stands. Errors: UNAVAILABLE. */
  sendCommand(asked: RunCommand): Promise<Command>
  /**
   * Stores new commands of one company in the transaction that decides them.
   *
   * asked    each with its device as it is now, undefined where it does not exist in this home
   * returns  each as it stands, in that order, and how to send it once the transaction has committed
   */
  storeCommands(
    tx: Db,
    asked: readonly (RunCommand & { target: CommandTarget | undefined })[],
  ): Promise<UnsentCommand[]>
  /** Whether commands reach some hubs now, by ThingName; a hub that does not exist is left out. */
  reachOfHubs(thingNames: readonly string[]): Promise<ReadonlyMap<string, HubReach>>
  /** Follows the commands of a run that another gateway has sent. */
  recoverRun(tenant: string, runId: string): Promise<void>
}
