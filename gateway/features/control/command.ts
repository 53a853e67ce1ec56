import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import {
  MAX_COMMAND_CLOCK_SKEW_MS,
  COMMAND_TTL_MS,
  type COMMAND_SOURCES,
  type Command,
  type CommandFailure,
  type CommandState,
} from '../../../contract/devices/command-calls.ts'

/** A request to set a device. */
export interface ControlRequest {
  tenant: string
  homeId: string
  RequestID: string
  PeripheralUID: string
  Values: CommandValues
  /** Time of the request, epoch ms. */
  at: number
  source: (typeof COMMAND_SOURCES)[number]
  /** A person's display name; null for an automation. */
  by: string | null
  /** The run of the command; unset if a person set a single device. */
  runId?: string
}

/** The same with the person's name still being looked up. */
export type CommandInput = Omit<ControlRequest, 'by'> & { by: Promise<string | null> }

/** A state that a command entered, at an epoch ms. */
export interface CommandTransition {
  State: CommandState
  Reason: CommandFailure | null
  Timestamp: number
}

/** A command that the gateway tracks. */
export interface TrackedCommand {
  tenant: string
  command: Command
  thingName: string
  /** Gateway of the hub when the command was stored; unset if it must be looked up. */
  gateway?: string | null | undefined
  /** Time after RequestedAt in which the hub may execute the command, in ms; `ACK_TIMEOUT_MS` if unset. */
  expiresInMs?: number
}

/** Time for a hub to acknowledge a command, in ms; it discards an older one. */
export const ACK_TIMEOUT_MS = 5_000
/** Time from the acknowledgement to the device's confirming report, in ms. */
export const CONFIRM_TIMEOUT_MS = 10_000

/** Whether a command is too old, or from a clock too far ahead, to be executed. */
export const isExpiredCommand = ({ at }: Pick<ControlRequest, 'at'>, now: number): boolean =>
  now - at > COMMAND_TTL_MS || at - now > MAX_COMMAND_CLOCK_SKEW_MS

/**
 * Remaining time for the hub to execute a command, in ms from when the gateway accepted it: nothing is executed later
 * than `COMMAND_TTL_MS` after the request.
 */
export const remainingTtlMs = ({ at }: Pick<ControlRequest, 'at'>, startedAt: number): number =>
  Math.max(0, Math.min(ACK_TIMEOUT_MS, at + COMMAND_TTL_MS - startedAt))

/** Whether the state is final. */
export const isSettled = (state: CommandState): boolean =>
  state === 'confirmed' || state === 'failed' || state === 'timedOut'
