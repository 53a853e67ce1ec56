import type { CommandValues } from '../../../contract/device-kinds/capability.ts'
import type {
  COMMAND_SOURCES,
  Command,
  CommandFailure,
  CommandState,
} from '../../../contract/procedures/commands.ts'

/** Who or what wants a device set. */
export interface ControlRequest {
  tenant: string
  homeId: string
  RequestID: string
  PeripheralUID: string
  Values: CommandValues
  source: (typeof COMMAND_SOURCES)[number]
  /** A person's display name; null for an automation. */
  by: string | null
}

/** One state that a command entered, at a time in epoch ms. */
export interface Step {
  State: CommandState
  Reason: CommandFailure | null
  Timestamp: number
}

/** A command as the gateway follows it. */
export interface Tracked {
  tenant: string
  command: Command
  thingName: string
}

/** Time a hub has to acknowledge a command, in ms; it drops one that is older. */
export const ACK_WITHIN = 5_000
/** Time from the acknowledgement to the device's confirming report, in ms. */
export const CONFIRM_WITHIN = 10_000

/** Whether a command has come to its end. */
export const isSettled = (state: CommandState): boolean =>
  state === 'confirmed' || state === 'failed' || state === 'timedOut'
