import type { z } from 'zod'
import { controlCommand, MAX_ACK_REASON } from '../../../contract/devices/channels/control.ts'
import type { CommandFailure } from '../../../contract/devices/command-calls.ts'
import { commonPaths, confirms, reportedInstead } from '../../../contract/devices/status-order.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { truncateText } from '../../lib/parse-bytes.ts'
import { ACK_TIMEOUT_MS, CONFIRM_TIMEOUT_MS, type CommandTransition, type TrackedCommand } from './command.ts'
import type { RemoteExecution, RemoteCommand, RemoteGateways } from './ports.ts'
import {
  type ControlState,
  findTrack,
  trackInState,
  openTracksOf,
  publishResponse,
  type Track,
} from './state.ts'

/**
 * Sends a stored command to its hub, directly or through the gateway that the hub is connected to. That gateway
 * tracks it from then on, because acknowledgement and report arrive there.
 */
export async function send(state: ControlState, tracked: TrackedCommand): Promise<void> {
  const { remoteGateways } = state
  if (!remoteGateways) return sendLocally(state, tracked)
  const { thingName } = tracked
  try {
    const gateway = await findGateway(state, remoteGateways, tracked)
    if (gateway === remoteGateways.readOwnId() || (gateway === undefined && state.isHere(thingName)))
      return await sendLocally(state, tracked)
    if (gateway === undefined) return trackInState(state, tracked).changeState('failed', 'hubOffline')
    await sendToGateway(state, tracked, gateway)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    state.log.warn({ err: error, thingName }, 'hub connection lookup failed')
    trackInState(state, tracked).changeState('failed', 'unreachable')
  }
}

/** The gateway of a command's hub: as stored with the command, unless the local connections contradict it. */
async function findGateway(
  { isHere }: ControlState,
  remoteGateways: RemoteGateways,
  { gateway, thingName }: TrackedCommand,
): Promise<string | undefined> {
  const isKnown =
    typeof gateway === 'string' && (gateway === remoteGateways.readOwnId()) === isHere(thingName)
  return isKnown ? gateway : remoteGateways.findGateway(thingName)
}

/** Sends a command to a hub of this gateway; supersedes pending commands that set one of its fields. */
async function sendLocally(state: ControlState, tracked: TrackedCommand): Promise<void> {
  const { command, expiresInMs = ACK_TIMEOUT_MS } = tracked
  if (state.clock.now() - command.RequestedAt > expiresInMs)
    return trackInState(state, tracked).changeState('failed', 'tooLate')
  // Disconnected, and not offline yet.
  if (!state.isHere(tracked.thingName))
    return trackInState(state, tracked).changeState('failed', 'hubOffline')
  failSuperseded(state, tracked)
  const track = trackInState(state, tracked)
  if (!(await deliver(state, track))) return
  // The hub may have answered before `publish` resolved.
  if (track.command.State !== 'accepted') return
  track.changeState('sent')
  awaitAcknowledgement(state, track, ACK_TIMEOUT_MS)
}

function failSuperseded(state: ControlState, { tenant, command }: TrackedCommand): void {
  for (const other of openTracksOf(state, tenant, command.PeripheralUID))
    if (commonPaths(other.command.Values, command.Values)) other.changeState('failed', 'superseded')
}

/** Publishes a command; false, with the command failed, if the broker could not accept it. */
async function deliver(state: ControlState, track: Track): Promise<boolean> {
  const { tenant, thingName, command, expiresInMs = ACK_TIMEOUT_MS } = track
  const { RequestID, HomeID, PeripheralUID, Values, RequestedAt } = command
  const topic = controlCommand.topic({ rootId: tenant, homeId: HomeID, thingName })
  const payload: z.input<typeof controlCommand.payload> = {
    RequestID,
    PeripheralUID,
    Values,
    Timestamp: RequestedAt,
    ExpiresIn: expiresInMs,
  }
  try {
    await state.broker.publish(topic, payload, { qos: 1, scope: 'local' })
    return true
  } catch (error) {
    state.log.warn({ err: error, thingName }, 'command not sent')
    track.changeState('failed', 'hubOffline')
    return false
  }
}

/**
 * Asks another gateway to send a command. Ends within a second: without an answer it fails the command here, unless
 * the other gateway has advanced it and so delivers it.
 */
async function sendToGateway(
  state: ControlState,
  tracked: TrackedCommand,
  gateway: string,
  isRetry = false,
): Promise<void> {
  const { remoteGateways } = state
  if (!remoteGateways) return
  const { tenant, command, thingName, expiresInMs } = tracked
  const { RequestID, PeripheralUID, HomeID, RequestedAt } = command
  const outcome = await remoteGateways.executeAt(gateway, {
    tenant,
    RequestID,
    PeripheralUID,
    HomeID,
    ThingName: thingName,
    RequestedAt,
    ExpiresIn: expiresInMs,
  })
  if (outcome === 'sent' || outcome === 'gone') return
  if (outcome === 'notHere' && !isRetry) {
    const currentGateway = await remoteGateways.findGateway(thingName)
    if (currentGateway === remoteGateways.readOwnId()) return sendLocally(state, tracked)
    if (currentGateway !== undefined) return sendToGateway(state, tracked, currentGateway, true)
  }
  const isOffline = outcome === 'notHere' || (outcome === 'nobody' && !remoteGateways.wasJustSeen(gateway))
  await failIfStillAccepted(state, tracked, isOffline ? 'hubOffline' : 'unreachable')
}

/** Fails a command that is still `accepted`; if another gateway has advanced it, that one announces its further states. */
async function failIfStillAccepted(
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
 * Executes a command that another gateway has stored, for a hub that is connected here. Only the gateway that
 * advances the row delivers the command: so it is delivered at most once, and never late. The delivered values are
 * those of the row.
 */
export async function executeForPeer(
  state: ControlState,
  { ThingName: thingName, ExpiresIn = ACK_TIMEOUT_MS, ...command }: RemoteCommand,
): Promise<RemoteExecution> {
  try {
    const topic = controlCommand.topic({ rootId: command.tenant, homeId: command.HomeID, thingName })
    if (!state.isHere(thingName) || state.broker.hasSubscribers?.(topic) === false) return 'notHere'
    const step: CommandTransition = { State: 'sent', Reason: null, Timestamp: state.clock.now() }
    const claimed = await state.store.claim({ ...command, thingName, withinMs: ExpiresIn, step })
    if (!claimed) {
      const lateCommand = await state.store.findLate(command, ExpiresIn)
      if (lateCommand) await failIfStillAccepted(state, lateCommand, 'tooLate')
      return 'gone'
    }
    const tracked: TrackedCommand = { ...claimed, expiresInMs: ExpiresIn }
    failSuperseded(state, tracked)
    const track = trackInState(state, tracked)
    awaitAcknowledgement(state, track, ACK_TIMEOUT_MS)
    // Delivers to the hub before announcing to screens.
    const delivery = deliver(state, track)
    publishResponse(state, tracked.tenant, tracked.command, step.Timestamp)
    await delivery
    return 'sent'
  } catch (error) {
    state.log.warn({ err: error }, 'forwarded command failed')
    return 'unavailable'
  }
}

/** Sends a stored command again whose sender repeats the request because the answer was lost; fails it if it has expired. */
export async function retryUnsent(state: ControlState, tracked: TrackedCommand): Promise<void> {
  if (state.clock.now() - tracked.command.RequestedAt < ACK_TIMEOUT_MS) await send(state, tracked)
  else await expireUnsent(state, tracked)
}

/** Fails an expired command that will not be sent. */
export async function expireUnsent(state: ControlState, tracked: TrackedCommand): Promise<void> {
  const track = trackInState(state, tracked)
  track.changeState('failed', 'tooLate')
  await track.whenStored()
}

/** Fails a command that may have been stored and was not requested again. */
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
  track.runAfter(ms, () => void confirmOrTimeOut(state, track, 'noAnswer'))

export const awaitConfirmation = (state: ControlState, track: Track, ms: number): void =>
  track.runAfter(ms, () => void confirmOrTimeOut(state, track, 'notConfirmed'))

/** Times a command out, unless a report stored by any gateway confirms it. */
async function confirmOrTimeOut(
  { store }: ControlState,
  track: Track,
  reason: CommandFailure,
): Promise<void> {
  const status = await store.readStatusSince(track).catch(() => undefined)
  const { Values } = track.command
  if (status && confirms(status, Values)) track.changeState('confirmed')
  else
    track.changeState(
      'timedOut',
      reason,
      status && truncateText(reportedInstead(status, Values).join(', '), MAX_ACK_REASON),
    )
}

/** Delay before overdue commands are queried again while the database is unavailable, in ms. */
const DATABASE_RETRY_MS = 10_000

/**
 * Ends overdue commands: their gateway has ended, or they were never sent. The first gateway to find one ends it;
 * times are by the database's clock.
 *
 * returns  ms until the next run, if different from the usual interval
 */
export async function failOverdue(state: ControlState): Promise<number | void> {
  const overdue = await state.store.overdue().catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'UNAVAILABLE') return undefined
    throw error
  })
  if (!overdue) return DATABASE_RETRY_MS
  for (const tracked of overdue) {
    const { RequestID, PeripheralUID, State } = tracked.command
    // Commands tracked here have their own timers.
    if (findTrack(state, tracked.tenant, RequestID, PeripheralUID)) continue
    state.overdue.inc()
    const track = trackInState(state, tracked)
    // A command in state `accepted` may have been delivered: a gateway with the hub sends first and stores after.
    await confirmOrTimeOut(state, track, State === 'acknowledged' ? 'notConfirmed' : 'noAnswer')
    await track.whenStored()
  }
}

/** Tracks the pending commands of a run whose gateway has ended: sends nothing again, and lets each command time out. */
export async function recoverRun(state: ControlState, tenant: string, runId: string): Promise<void> {
  resume(state, await state.store.openOfRun(tenant, runId))
}

function resume(state: ControlState, commands: readonly TrackedCommand[]): void {
  for (const tracked of commands) {
    const { RequestID, PeripheralUID, State, RequestedAt } = tracked.command
    if (findTrack(state, tracked.tenant, RequestID, PeripheralUID)) continue
    const track = trackInState(state, tracked)
    const ageMs = state.clock.now() - RequestedAt
    if (State === 'acknowledged') awaitConfirmation(state, track, ACK_TIMEOUT_MS + CONFIRM_TIMEOUT_MS - ageMs)
    else awaitAcknowledgement(state, track, ACK_TIMEOUT_MS - ageMs)
  }
}
