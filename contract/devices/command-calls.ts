import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis, PeripheralUID, RequestID, RunID } from '../kernel/scalars.ts'

/** Life cycle of a command (protocol, Topics): confirmed by the device's next report, not by the acknowledgement. */
export const COMMAND_STATES = ['accepted', 'sent', 'acknowledged', 'confirmed', 'failed', 'timedOut'] as const
export const CommandState = z.enum(COMMAND_STATES)
export type CommandState = z.infer<typeof CommandState>

export const COMMAND_SOURCES = ['person', 'scene', 'schedule', 'automation'] as const

/** Time in ms after the request within which a command may be executed, and by which the sender's clock may be ahead. */
export const COMMAND_TTL_MS = 10_000
export const MAX_COMMAND_CLOCK_SKEW_MS = 5_000

/**
 * Reason for which a command failed, a key of `errors.command` in the locales. `unreachable`: the connection to the hub's gateway
 * is interrupted.
 */
export const COMMAND_FAILURES = [
  'hubOffline',
  'hubRefused',
  'noAnswer',
  'notConfirmed',
  'notControllable',
  'invalidValues',
  'notApplicable',
  'notNow',
  'notFound',
  'permissionDenied',
  'superseded',
  'tooLate',
  'unreachable',
  'stopped',
] as const
export const CommandFailure = z.enum(COMMAND_FAILURES)
export type CommandFailure = z.infer<typeof CommandFailure>

export const Command = z.object({
  RequestID,
  HomeID,
  PeripheralUID,
  Values: z.record(z.string(), z.unknown()),
  State: CommandState,
  Reason: CommandFailure.nullable(),
  Source: z.enum(COMMAND_SOURCES),
  /** Display name of the sender; null for an automation. */
  By: z.string().nullable(),
  /** Run that it belongs to; null for a single device that a user set. */
  RunID: RunID.nullable(),
  RequestedAt: Millis,
  SettledAt: Millis.nullable(),
})
export type Command = z.infer<typeof Command>

export const commands = {
  listCommand: defineEndpoint({
    path: '/ListCommand',
    summary: 'The last commands to one device, newest first.',
    access: right('device', 'Read'),
    input: z.object({ HomeID, PeripheralUID, Limit: z.number().int().min(1).max(200).default(50) }),
    results: z.array(Command),
    errors: ['NOT_FOUND'],
    shows: ['command'],
    freshFor: 0,
  }),
}
