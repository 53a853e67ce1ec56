import type { z } from 'zod'
import { controlCommand } from '../../../contract/channels/control.ts'
import type { CommandFailure } from '../../../contract/procedures/commands.ts'
import { overlap } from '../../../contract/rules/device/merge-status.ts'
import { confirms } from '../../../contract/rules/device/status-order.ts'
import { ACK_WITHIN, CONFIRM_WITHIN, type Tracked } from './command.ts'
import { type ControlState, findTrack, follow, openOf } from './state.ts'
import type { Track } from './track.ts'

/** Sends a stored command to its hub; those that set a field of it and are under way are superseded. */
export async function send(state: ControlState, tracked: Tracked): Promise<void> {
  const { tenant, thingName, command } = tracked
  for (const other of openOf(state, tenant, command.PeripheralUID))
    if (overlap(other.command.Values, command.Values)) other.enter('failed', 'superseded')
  const track = follow(state, tracked)
  const { RequestID, HomeID, PeripheralUID, Values, RequestedAt } = command
  const topic = controlCommand.topic({ rootId: tenant, homeId: HomeID, thingName })
  const payload: z.input<typeof controlCommand.payload> = {
    RequestID,
    PeripheralUID,
    Values,
    Timestamp: RequestedAt,
    ExpiresIn: ACK_WITHIN,
  }
  try {
    await state.broker.publish(topic, payload, { qos: 1 })
  } catch (error) {
    state.log.warn({ err: error, thingName }, 'A command could not be sent')
    track.enter('failed', 'hubOffline')
    return
  }
  // A quick hub has answered while the broker was still handing the message over.
  if (command.State !== 'accepted') return
  track.enter('sent')
  awaitAcknowledgement(state, track, ACK_WITHIN)
}

/** Stored, and its sender asked again because the answer was lost; nobody has sent it. Too late is not sent at all. */
export async function sendLate(state: ControlState, tracked: Tracked): Promise<void> {
  if (state.clock.now() - tracked.command.RequestedAt < ACK_WITHIN) await send(state, tracked)
  else await giveUp(state, follow(state, tracked), 'noAnswer')
}

/** Ends a command that may have been stored and was not asked for again. */
export async function endUnsent(
  state: ControlState,
  { tenant, command }: Pick<Tracked, 'tenant' | 'command'>,
): Promise<void> {
  const { RequestID, PeripheralUID } = command
  const found = await state.store.find(tenant, RequestID, PeripheralUID)
  if (found?.command.State !== 'accepted' || findTrack(state, tenant, RequestID, PeripheralUID)) return
  await giveUp(state, follow(state, found), 'noAnswer')
}

export const awaitAcknowledgement = (state: ControlState, track: Track, ms: number): void =>
  track.within(ms, () => void giveUp(state, track, 'noAnswer'))

export const awaitConfirmation = (state: ControlState, track: Track, ms: number): void =>
  track.within(ms, () => void giveUp(state, track, 'notConfirmed'))

/** Times a command out, unless its device was seen doing it by another gateway on this database. */
async function giveUp({ store }: ControlState, track: Track, reason: CommandFailure): Promise<void> {
  const status = await store.statusSince(track).catch(() => undefined)
  if (status && confirms(status, track.command.Values)) track.enter('confirmed')
  else track.enter('timedOut', reason)
}

/** Takes up what was under way when the gateway stopped: nothing is sent again, each command runs its time out. */
export async function recover(state: ControlState): Promise<void> {
  resume(state, await state.store.open())
}

/** Likewise of one run, whose gateway has ended. */
export async function recoverRun(state: ControlState, tenant: string, runId: string): Promise<void> {
  resume(state, await state.store.openOfRun(tenant, runId))
}

function resume(state: ControlState, open: readonly Tracked[]): void {
  for (const tracked of open) {
    const { RequestID, PeripheralUID, State, RequestedAt } = tracked.command
    if (findTrack(state, tracked.tenant, RequestID, PeripheralUID)) continue
    const track = follow(state, tracked)
    const age = state.clock.now() - RequestedAt
    if (State === 'acknowledged') awaitConfirmation(state, track, ACK_WITHIN + CONFIRM_WITHIN - age)
    else awaitAcknowledgement(state, track, ACK_WITHIN - age)
  }
}
