import { commandRefusalOf } from '../../../contract/devices/kinds/command-checks.ts'
import { parseCommandValues } from '../../../contract/devices/kinds/status.ts'
import type { Command, CommandFailure } from '../../../contract/devices/command-calls.ts'
import type { CommandStoreTarget } from './command-store.ts'
import { type ControlRequest, isExpiredCommand } from './command.ts'
import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { settleAll } from '../../../contract/devices/modbus/modbus-values.ts'

/** A command in its initial state. */
export const newCommand = (request: ControlRequest, now: number): Command => ({
  RequestID: request.RequestID,
  HomeID: request.homeId,
  PeripheralUID: request.PeripheralUID,
  // Set after validation: unknown values may be of any size.
  Values: {},
  State: 'accepted',
  Reason: null,
  Source: request.source,
  By: request.by,
  RunID: request.runId ?? null,
  RequestedAt: now,
  SettledAt: null,
})

export const failCommand = (command: Command, reason: CommandFailure): void =>
  void Object.assign(command, {
    State: 'failed',
    Reason: reason,
    SettledAt: command.RequestedAt,
  } satisfies Partial<Command>)

/** Sets the validated values of a command, or fails it. */
export function normalizeCommandValues(
  command: Command,
  target: CommandStoreTarget,
  request: Pick<ControlRequest, 'at' | 'Values'>,
  now: number,
): void {
  if (isExpiredCommand(request, now)) return failCommand(command, 'tooLate')
  const values = parseCommandValues(target.type, request.Values)
  const allowed = values?.success ? quantizeModbus(values.data, target.modbusRows) : undefined
  const refusal = allowed && commandRefusalOf(target.type, allowed, target.status ?? undefined)
  if (!values) return failCommand(command, 'notControllable')
  if (!allowed) return failCommand(command, 'invalidValues')
  if (refusal) return failCommand(command, refusal)
  command.Values = allowed
  if (!target.online) failCommand(command, 'hubOffline')
}

/**
 * Values of a command as a Modbus device will report them, so that its report confirms them; values of other devices
 * are unchanged.
 *
 * returns  undefined if the device's table does not allow one of them to be written
 */
function quantizeModbus(values: CommandValues, rows: ModbusRow[] | null): CommandValues | undefined {
  const requested = values['ModbusValues'] as Record<string, number> | undefined
  if (!requested) return values
  const ModbusValues = settleAll(rows ?? [], requested)
  return ModbusValues && { ...values, ModbusValues }
}
