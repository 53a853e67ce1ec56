import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import {
  MAX_COMMAND_CLOCK_SKEW_MS,
  COMMAND_TTL_MS,
  type COMMAND_SOURCES,
  type Command,
  type CommandFailure,
  type CommandState,
} from '../../../contract/devices/command-calls.ts'

/** Who or what wants a device set. */
export interface ControlRequest {
  tenant: string
  homeId: string
  RequestID: string
  PeripheralUID: string
  Values: CommandValues
  /** When it was asked for, epoch ms. */
  at: number
  source: (typeof COMMAND_SOURCES)[number]
  /** A person's display name; null for an automation. */
  by: string | null
  /** The run that it belongs to; left out of a single device that a person set. */
  runId?: string
}

/** The same while the person's name is still looked up. */
export type CommandInput = Omit<ControlRequest, 'by'> & { by: Promise<string | null> }

/** One state that a command entered, at a time in epoch ms. */
export interface CommandTransition {
  State: CommandState
  Reason: CommandFailure | null
  Timestamp: number
}

/** A command as the gateway follows it. */
export interface TrackedCommand {
  tenant: string
  command: Command
  thingName: string
  /** The gateway of its hub when it was stored; left out where that has to be looked up. */
  gateway?: string | null | undefined
  /** How long after RequestedAt its hub may still carry it out, in ms; ACK_WITHIN when left out. */
  expiresIn?: number
}

/** Time a hub has to acknowledge a command, in ms; it drops one that is older. */
export const ACK_TIMEOUT_MS = 5_000
/** Time from the acknowledgement to the device's confirming report, in ms. */
export const CONFIRM_TIMEOUT_MS = 10_000

/** Whether a command was asked for too long ago, or by a clock that is too far ahead, to be carried out. */
export const isExpiredCommand = ({ at }: Pick<ControlRequest, 'at'>, now: number): boolean =>
  now - at > COMMAND_TTL_MS || at - now > MAX_COMMAND_CLOCK_SKEW_MS

/**
 * How long after a command was taken up its hub may still carry it out, in ms: what waited before that is no longer there, so that
 * nothing is carried out later than COMMAND_WITHIN after somebody asked.
 */
export const expiresIn = ({ at }: Pick<ControlRequest, 'at'>, takenUpAt: number): number =>
  Math.max(0, Math.min(ACK_TIMEOUT_MS, at + COMMAND_TTL_MS - takenUpAt))

/** Whether a command has come to its end. */
export const isSettled = (state: CommandState): boolean =>
  state === 'confirmed' || state === 'failed' || state === 'timedOut'
