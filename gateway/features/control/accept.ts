import type { Command } from '../../../contract/devices/command-calls.ts'
import { type CommandInput, type ControlRequest, remainingTtlMs, isExpiredCommand } from './command.ts'
import { newCommand, failCommand, normalizeCommandValues } from './normalize-values.ts'
import { failUnsent, expireUnsent, send, retryUnsent } from './send.ts'
import { type ControlState, deviceKeyOf, findTrack, publishResponse } from './state.ts'

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
