import type { Command } from '../../../contract/devices/command-calls.ts'
import { type CommandInput, type ControlRequest, expiresIn, isExpiredCommand } from './command.ts'
import { newCommand, failCommand, normalizeCommandValues } from './normalize-values.ts'
import { failUnsent, expireUnsent, send, retryUnsent } from './send.ts'
import { type ControlState, deviceOf, findTrack, publishResponse } from './state.ts'

/**
 * Stores and sends a command; returns its state once it is sent or rejected, and announces further states. A repeated
 * RequestID for the same device returns the first command and sends nothing. A newer command that sets a field of a
 * pending one supersedes it. An expired one is stored as failed and never sent.
 *
 * errors  UNAVAILABLE if the database is unavailable; rejections are states of the command, not errors
 */
export async function acceptCommand(
  state: ControlState,
  asked: ControlRequest | CommandInput,
): Promise<Command> {
  const { store, unacknowledged, clock, settled } = state
  const { tenant, homeId, RequestID, PeripheralUID } = asked
  const now = clock.now()
  const command = newCommand({ ...asked, by: null }, now)

  // A repeated request takes over the unacknowledged write at once, so that only one of the two ends the command.
  const write = `${deviceOf(tenant, PeripheralUID)}/${RequestID}`
  const wasWaiting = unacknowledged.take(write)
  const waitAgain = () => unacknowledged.add(write, () => failUnsent(state, { tenant, command }))
  const found = Promise.all([store.target({ tenant, homeId, uid: PeripheralUID }), asked.by])
  const [target, by] = await found.catch((error: unknown) => {
    if (wasWaiting) waitAgain()
    throw error
  })
  if (!target) {
    if (wasWaiting) waitAgain()
    // Announced but not stored, because there is no device to list it under.
    failCommand(command, 'notFound')
    publishResponse(state, tenant, command, now)
    return command
  }
  command.By = by
  normalizeCommandValues(command, target, asked, clock.now())
  const { thingName, gateway } = target
  const tracked = { tenant, command, thingName, gateway, expiresIn: expiresIn(asked, now) }
  const step = { State: command.State, Reason: command.Reason, Timestamp: now }
  const isNew = await store.insert({ tracked, history: [step] }).catch((error: unknown) => {
    waitAgain()
    throw error
  })
  const wasLost = unacknowledged.take(write) || wasWaiting
  if (!isNew) {
    const first =
      findTrack(state, tenant, RequestID, PeripheralUID) ??
      (await store.find(tenant, RequestID, PeripheralUID))
    if (first) publishResponse(state, tenant, first.command, first.command.SettledAt ?? now)
    if (first && wasLost && first.command.State === 'accepted')
      await (isExpiredCommand(asked, clock.now())
        ? expireUnsent(state, first)
        : retryUnsent(state, { ...first, expiresIn: expiresIn(asked, first.command.RequestedAt) }))
    return first?.command ?? command
  }
  publishResponse(state, tenant, command, now)
  if (command.State === 'failed') settled.inc({ state: 'failed', reason: command.Reason ?? '' })
  else if (isExpiredCommand(asked, clock.now())) await expireUnsent(state, tracked)
  else await send(state, tracked)
  return command
}
