import type { z } from 'zod'
import { controlCommand, MAX_ACK_REASON } from '../../../contract/devices/channels/control.ts'
import type { CommandFailure } from '../../../contract/devices/command-calls.ts'
import { commonPaths } from '../../../contract/devices/merge-status.ts'
import { confirms, reportedInstead } from '../../../contract/devices/status-order.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { keptText } from '../../lib/parse-bytes.ts'
import { ACK_TIMEOUT_MS, CONFIRM_TIMEOUT_MS, type CommandTransition, type TrackedCommand } from './command.ts'
import type { RemoteExecution, RemoteCommand, RemoteGateways } from './ports.ts'
import { type ControlState, findTrack, trackInState, openOf, publishResponse } from './state.ts'
import type { Track } from './track.ts'

/**
 * Brings a stored command to its hub, from this gateway or by the one that the hub is connected to. That one follows it from
 * then on, because acknowledgement and report arrive there.
 */
export async function send(state: ControlState, tracked: TrackedCommand): Promise<void> {
  const { elsewhere } = state
  if (!elsewhere) return sendHere(state, tracked)
  const { thingName } = tracked
  try {
    const gateway = await whereIs(state, elsewhere, tracked)
    if (gateway === elsewhere.me() || (gateway === undefined && state.isHere(thingName)))
      return await sendHere(state, tracked)
    if (gateway === undefined) return trackInState(state, tracked).enter('failed', 'hubOffline')
    await sendAway(state, tracked, gateway)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    state.log.warn({ err: error, thingName }, 'hub connection lookup failed')
    trackInState(state, tracked).enter('failed', 'unreachable')
  }
}

/** The gateway of a command's hub: as it was when the command was stored, unless it is seen here that this is over. */
async function whereIs(
  { isHere }: ControlState,
  elsewhere: RemoteGateways,
  { gateway, thingName }: TrackedCommand,
): Promise<string | undefined> {
  const isKnown = typeof gateway === 'string' && (gateway === elsewhere.me()) === isHere(thingName)
  return isKnown ? gateway : elsewhere.whereIs(thingName)
}

/** Sends a command to a hub of this gateway; those that set a field of it and are under way are superseded. */
async function sendHere(state: ControlState, tracked: TrackedCommand): Promise<void> {
  const { command, expiresIn = ACK_TIMEOUT_MS } = tracked
  if (state.clock.now() - command.RequestedAt > expiresIn)
    return trackInState(state, tracked).enter('failed', 'tooLate')
  // It was cut off, and is not offline yet.
  if (!state.isHere(tracked.thingName)) return trackInState(state, tracked).enter('failed', 'hubOffline')
  supersede(state, tracked)
  const track = trackInState(state, tracked)
  if (!(await deliver(state, track))) return
  // A quick hub has answered while the broker was still handing the message over.
  if (track.command.State !== 'accepted') return
  track.enter('sent')
  awaitAcknowledgement(state, track, ACK_TIMEOUT_MS)
}

function supersede(state: ControlState, { tenant, command }: TrackedCommand): void {
  for (const other of openOf(state, tenant, command.PeripheralUID))
    if (commonPaths(other.command.Values, command.Values)) other.enter('failed', 'superseded')
}

/** Hands a command to the broker; false when it could not take it, which ends the command. */
async function deliver(state: ControlState, track: Track): Promise<boolean> {
  const { tenant, thingName, command, expiresIn = ACK_TIMEOUT_MS } = track
  const { RequestID, HomeID, PeripheralUID, Values, RequestedAt } = command
  const topic = controlCommand.topic({ rootId: tenant, homeId: HomeID, thingName })
  const payload: z.input<typeof controlCommand.payload> = {
    RequestID,
    PeripheralUID,
    Values,
    Timestamp: RequestedAt,
    ExpiresIn: expiresIn,
  }
  try {
    await state.broker.publish(topic, payload, { qos: 1, reach: 'here' })
    return true
  } catch (error) {
    state.log.warn({ err: error, thingName }, 'command not sent')
    track.enter('failed', 'hubOffline')
    return false
  }
}

/**
 * Has another gateway send a command. Every doubt ends within a second: where no answer comes, the command is failed here, unless
 * that gateway has moved it and so delivers it.
 */
async function sendAway(
  state: ControlState,
  tracked: TrackedCommand,
  gateway: string,
  again = false,
): Promise<void> {
  const { elsewhere } = state
  if (!elsewhere) return
  const { tenant, command, thingName, expiresIn } = tracked
  const { RequestID, PeripheralUID, HomeID, RequestedAt } = command
  const answer = await elsewhere.carry(gateway, {
    tenant,
    RequestID,
    PeripheralUID,
    HomeID,
    ThingName: thingName,
    RequestedAt,
    ExpiresIn: expiresIn,
  })
  if (answer === 'sent' || answer === 'gone') return
  if (answer === 'notHere' && !again) {
    const now = await elsewhere.whereIs(thingName)
    if (now === elsewhere.me()) return sendHere(state, tracked)
    if (now !== undefined) return sendAway(state, tracked, now, true)
  }
  const isOffline = answer === 'notHere' || (answer === 'nobody' && !elsewhere.wasJustSeen(gateway))
  await failUnlessMoved(state, tracked, isOffline ? 'hubOffline' : 'unreachable')
}

/** Fails a command that nobody has begun to deliver; who has moved it meanwhile tells what becomes of it. */
async function failUnlessMoved(
  state: ControlState,
  tracked: TrackedCommand,
  reason: CommandFailure,
): Promise<void> {
  const { tenant, command } = tracked
  const step: CommandTransition = { State: 'failed', Reason: reason, Timestamp: state.clock.now() }
  if (!(await state.store.advance({ tracked, from: 'accepted', steps: [step] }))) return
  Object.assign(command, { State: step.State, Reason: reason, SettledAt: step.Timestamp })
  state.settled.inc({ state: step.State, reason })
  publishResponse(state, tenant, command, step.Timestamp)
}

/**
 * Carries a command out that another gateway has stored, for a hub that is connected here. The row is moved before anything is
 * delivered, and only who moved it delivers: so at most once, and never late. The question says which row; what is delivered is what
 * stands there.
 */
export async function executeForPeer(
  state: ControlState,
  { ThingName: thingName, ExpiresIn = ACK_TIMEOUT_MS, ...asked }: RemoteCommand,
): Promise<RemoteExecution> {
  try {
    const topic = controlCommand.topic({ rootId: asked.tenant, homeId: asked.HomeID, thingName })
    if (!state.isHere(thingName) || state.broker.heard?.(topic) === false) return 'notHere'
    const step: CommandTransition = { State: 'sent', Reason: null, Timestamp: state.clock.now() }
    const claimed = await state.store.claim({ ...asked, thingName, within: ExpiresIn, step })
    if (!claimed) {
      const late = await state.store.findLate(asked, ExpiresIn)
      if (late) await failUnlessMoved(state, late, 'tooLate')
      return 'gone'
    }
    const tracked: TrackedCommand = { ...claimed, expiresIn: ExpiresIn }
    supersede(state, tracked)
    const track = trackInState(state, tracked)
    awaitAcknowledgement(state, track, ACK_TIMEOUT_MS)
    // The hub first: screens that hear of it do not hold it up.
    const delivered = deliver(state, track)
    publishResponse(state, tracked.tenant, tracked.command, step.Timestamp)
    await delivered
    return 'sent'
  } catch (error) {
    state.log.warn({ err: error }, 'forwarded command failed')
    return 'unavailable'
  }
}

/** Stored, and its sender asked again because the answer was lost; nobody has sent it. Too late is not sent at all. */
export async function retryUnsent(state: ControlState, tracked: TrackedCommand): Promise<void> {
  if (state.clock.now() - tracked.command.RequestedAt < ACK_TIMEOUT_MS) await send(state, tracked)
  else await expireUnsent(state, tracked)
}

/** Ends a command that nobody sends any more. */
export async function expireUnsent(state: ControlState, tracked: TrackedCommand): Promise<void> {
  const track = trackInState(state, tracked)
  track.enter('failed', 'tooLate')
  await track.stored()
}

/** Ends a command that may have been stored and was not asked for again. */
export async function failUnsent(
  state: ControlState,
  { tenant, command }: Pick<TrackedCommand, 'tenant' | 'command'>,
): Promise<void> {
  const { RequestID, PeripheralUID } = command
  const found = await state.store.find(tenant, RequestID, PeripheralUID)
  if (found?.command.State !== 'accepted' || findTrack(state, tenant, RequestID, PeripheralUID)) return
  await expireUnsent(state, found)
}

export const awaitAcknowledgement = (state: ControlState, track: Track, ms: number): void =>
  track.within(ms, () => void giveUp(state, track, 'noAnswer'))

export const awaitConfirmation = (state: ControlState, track: Track, ms: number): void =>
  track.within(ms, () => void giveUp(state, track, 'notConfirmed'))

/** Times a command out, unless its device was seen doing it by another gateway on this database. */
async function giveUp({ store }: ControlState, track: Track, reason: CommandFailure): Promise<void> {
  const status = await store.statusSince(track).catch(() => undefined)
  const { Values } = track.command
  if (status && confirms(status, Values)) track.enter('confirmed')
  else
    track.enter(
      'timedOut',
      reason,
      status && keptText(reportedInstead(status, Values).join(', '), MAX_ACK_REASON),
    )
}

/** Until overdue commands are looked for again while the database is away, of which others tell, in ms. */
const DATABASE_RETRY_MS = 10_000

/**
 * Ends what nobody has brought to an end in time: its gateway has ended, or nobody ever sent it. Whoever asks first ends it; times
 * are those of the database's clock.
 *
 * returns  ms until it is to be done again, where that is not as usual
 */
export async function failOverdue(state: ControlState): Promise<number | void> {
  const overdue = await state.store.overdue().catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'UNAVAILABLE') return undefined
    throw error
  })
  if (!overdue) return DATABASE_RETRY_MS
  for (const tracked of overdue) {
    const { RequestID, PeripheralUID, State } = tracked.command
    // What is followed here has a time of its own.
    if (findTrack(state, tracked.tenant, RequestID, PeripheralUID)) continue
    state.overdue.inc()
    const track = trackInState(state, tracked)
    // What stands at accepted may have been delivered: a gateway with the hub sends first and stores after.
    await giveUp(state, track, State === 'acknowledged' ? 'notConfirmed' : 'noAnswer')
    await track.stored()
  }
}

/** Follows what is under way of a run whose gateway has ended: nothing is sent again, each command runs its time out. */
export async function recoverRun(state: ControlState, tenant: string, runId: string): Promise<void> {
  resume(state, await state.store.openOfRun(tenant, runId))
}

function resume(state: ControlState, open: readonly TrackedCommand[]): void {
  for (const tracked of open) {
    const { RequestID, PeripheralUID, State, RequestedAt } = tracked.command
    if (findTrack(state, tracked.tenant, RequestID, PeripheralUID)) continue
    const track = trackInState(state, tracked)
    const age = state.clock.now() - RequestedAt
    if (State === 'acknowledged') awaitConfirmation(state, track, ACK_TIMEOUT_MS + CONFIRM_TIMEOUT_MS - age)
    else awaitAcknowledgement(state, track, ACK_TIMEOUT_MS - age)
  }
}
