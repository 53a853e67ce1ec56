import { refusalOf } from '../../../contract/device-kinds/refusal.ts'
import { parseCommandValues } from '../../../contract/device-kinds/status.ts'
import type { Command, CommandFailure } from '../../../contract/procedures/commands.ts'
import type { Target } from './command-store.ts'
import { type ControlRequest, isTooLate } from './command.ts'
import { settleModbus } from './settle-modbus.ts'

/** A command as it begins. */
export const commandOf = (asked: ControlRequest, now: number): Command => ({
  RequestID: asked.RequestID,
  HomeID: asked.homeId,
  PeripheralUID: asked.PeripheralUID,
  // Only what the device understands is kept and repeated: anything else may be of any size.
  Values: {},
  State: 'accepted',
  Reason: null,
  Source: asked.source,
  By: asked.by,
  RunID: asked.runId ?? null,
  RequestedAt: now,
  SettledAt: null,
})

export const fail = (command: Command, reason: CommandFailure): void =>
  void Object.assign(command, {
    State: 'failed',
    Reason: reason,
    SettledAt: command.RequestedAt,
  } satisfies Partial<Command>)

/** Gives a command the values that its device takes, or fails it. */
export function judge(
  command: Command,
  target: Target,
  asked: Pick<ControlRequest, 'at' | 'Values'>,
  now: number,
): void {
  if (isTooLate(asked, now)) return fail(command, 'tooLate')
  const values = parseCommandValues(target.type, asked.Values)
  const allowed = values?.success ? settleModbus(values.data, target.modbusRows) : undefined
  const refused = allowed && refusalOf(target.type, allowed, target.status ?? undefined)
  if (!values) return fail(command, 'notControllable')
  if (!allowed) return fail(command, 'invalidValues')
  if (refused) return fail(command, refused)
  command.Values = allowed
  if (!target.online) fail(command, 'hubOffline')
}
