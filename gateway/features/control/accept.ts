import type { Command, CommandFailure } from '../../../contract/devices/command-calls.ts'
import { commandRefusalOf } from '../../../contract/devices/kinds/command-checks.ts'
import { parseCommandValues } from '../../../contract/devices/kinds/status.ts'
import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { settleAll } from '../../../contract/devices/modbus/modbus-values.ts'
import { type CommandInput, type ControlRequest, remainingTtlMs, isExpiredCommand } from './command.ts'
import { failUnsent, expireUnsent, send, retryUnsent } from './send.ts'
import { type ControlState, deviceKeyOf, findTrack, publishResponse } from './state.ts'
import type { CommandStoreTarget } from './command-store.ts'

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

/**
 * Stores and sends a command; returns its state once it is sent or rejected, and announces further states. A repeated
 * RequestID for the same device returns the first command and sends nothing. A newer command that sets a field of a
 * pending one supersedes it. An expired one is stored as failed and never sent.
 *
 * errors  UNAVAILABLE if the database is unavailable; rejections are states of the command, not errors
 */
export async function acceptCommand(
  state: ControlState,
  request: ControlRequest | CommandInput,
): Promise<Command> {
  const { store, unacknowledged, clock, settled } = state
  const { tenant, homeId, RequestID, PeripheralUID } = request
  const now = clock.now()
  const command = newCommand({ ...request, by: null }, now)

  // A repeated request takes over the unacknowledged write at once, so that only one of the two ends the command.
  const writeKey = `${deviceKeyOf(tenant, PeripheralUID)}/${RequestID}`
  const wasUnacknowledged = unacknowledged.take(writeKey)
  const retryLater = () => unacknowledged.add(writeKey, () => failUnsent(state, { tenant, command }))
  const found = Promise.all([store.target({ tenant, homeId, uid: PeripheralUID }), request.by])
  const [target, by] = await found.catch((error: unknown) => {
    if (wasUnacknowledged) retryLater()
    throw error
  })
  if (!target) {
    if (wasUnacknowledged) retryLater()
    // Announced but not stored, because there is no device to list it under.
    failCommand(command, 'notFound')
    publishResponse(state, tenant, command, now)
    return command
  }
  command.By = by
  normalizeCommandValues(command, target, request, clock.now())
  const { thingName, gateway } = target
  const tracked = { tenant, command, thingName, gateway, expiresIn: remainingTtlMs(request, now) }
  const step = { State: command.State, Reason: command.Reason, Timestamp: now }
  const isNew = await store.insert({ tracked, history: [step] }).catch((error: unknown) => {
    retryLater()
    throw error
  })
  const wasLost = unacknowledged.take(writeKey) || wasUnacknowledged
  if (!isNew) {
    const existing =
      findTrack(state, tenant, RequestID, PeripheralUID) ??
      (await store.find(tenant, RequestID, PeripheralUID))
    if (existing) publishResponse(state, tenant, existing.command, existing.command.SettledAt ?? now)
    if (existing && wasLost && existing.command.State === 'accepted')
      await (isExpiredCommand(request, clock.now())
        ? expireUnsent(state, existing)
        : retryUnsent(state, {
            ...existing,
            expiresIn: remainingTtlMs(request, existing.command.RequestedAt),
          }))
    return existing?.command ?? command
  }
  publishResponse(state, tenant, command, now)
  if (command.State === 'failed') settled.inc({ state: 'failed', reason: command.Reason ?? '' })
  else if (isExpiredCommand(request, clock.now())) await expireUnsent(state, tracked)
  else await send(state, tracked)
  return command
}
