import type { Command, CommandFailure } from '../../../contract/devices/command-calls.ts'
import { commandRefusalOf } from '../../../contract/devices/kinds/command-checks.ts'
import { parseCommandValues } from '../../../contract/devices/kinds/status.ts'
import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { settleAll } from '../../../contract/devices/modbus/modbus-values.ts'
import { controlAck, controlRequest, MAX_ACK_REASON } from '../../../contract/devices/channels/control.ts'
import type { RunMessage } from '../../../contract/automation/channels.ts'
import { decide } from '../../../contract/kernel/permissions.ts'
import { confirms } from '../../../contract/devices/status-order.ts'
import type { Client, HubClient } from '../../kernel/broker.ts'
import type { GatewayEvents } from '../../kernel/events.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'
import { type OddValue, readMembers } from '../../../contract/kernel/read-valid.ts'
import { truncateText, parseBytes, parseHubBytes } from '../../lib/parse-bytes.ts'
import {
  type CommandInput,
  type ControlRequest,
  remainingTtlMs,
  isExpiredCommand,
  CONFIRM_TIMEOUT_MS,
  isSettled,
} from './command.ts'
import { failUnsent, expireUnsent, send, retryUnsent, awaitConfirmation } from './send.ts'
import {
  type ControlState,
  deviceKeyOf,
  findTrack,
  publishResponse,
  trackInState,
  openTracksOf,
} from './state.ts'
import type { CommandStoreTarget } from './command-store.ts'
import type { RunTarget } from './ports.ts'

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
  const tracked = { tenant, command, thingName, gateway, expiresInMs: remainingTtlMs(request, now) }
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
            expiresInMs: remainingTtlMs(request, existing.command.RequestedAt),
          }))
    return existing?.command ?? command
  }
  publishResponse(state, tenant, command, now)
  if (command.State === 'failed') settled.inc({ state: 'failed', reason: command.Reason ?? '' })
  else if (isExpiredCommand(request, clock.now())) await expireUnsent(state, tracked)
  else await send(state, tracked)
  return command
}

/** Receives a screen's `control/request` or a hub's `control/ack`. */
export async function handleControlRequest(
  state: ControlState,
  message: { topic: string; payload: Uint8Array; client: Client },
  runTarget: RunTarget,
): Promise<void> {
  const requestLevels = controlRequest.match(message.topic)
  const ackLevels = requestLevels ? undefined : controlAck.match(message.topic)
  const levels = requestLevels ?? ackLevels
  if (!levels || levels.rootId !== message.client.tenant) return state.malformed.inc()
  return requestLevels
    ? receiveRequest(state, requestLevels.homeId, parseBytes(message.payload), message.client, runTarget)
    : receiveAck(state, parseHubBytes(message.payload), message.client)
}

async function receiveRequest(
  state: ControlState,
  homeId: string,
  payload: unknown,
  client: Client,
  runTarget: RunTarget,
): Promise<void> {
  const parsed = controlRequest.payload.safeParse(payload)
  if (!parsed.success || client.party !== 'screen') return state.malformed.inc()
  const { tenant, cognitoId, subject } = client
  const { RequestID, PeripheralUID, Values = {}, At: at = state.clock.now(), ...target } = parsed.data
  const isAllowed = decide(controlRequest.access, subject, homeId) === true
  if (PeripheralUID === undefined) {
    const runIds = { RunID: RequestID, AutomationID: null, SceneID: target.SceneID ?? null }
    if (!isAllowed) return rejectRun(state, { tenant, homeId, ...runIds })
    const by = await state.store.nameOf({ tenant, cognitoId })
    return runTarget({
      client,
      homeId,
      runId: RequestID,
      target: { ...target, Values: parsed.data.Values },
      at,
      by,
    })
  }
  if (!isAllowed) {
    const rejection = { HomeID: homeId, Values: {}, State: 'failed', Reason: 'permissionDenied' } as const
    const response = { RequestID, PeripheralUID, ...rejection, Timestamp: state.clock.now() }
    return state.events.emit('commandChanged', { tenant, homeId, response })
  }
  const by = state.store.nameOf({ tenant, cognitoId })
  await acceptCommand(state, { tenant, homeId, RequestID, PeripheralUID, Values, at, source: 'person', by })
}

function rejectRun(
  { events, clock }: ControlState,
  {
    tenant,
    homeId,
    ...run
  }: { tenant: string; homeId: string } & Pick<RunMessage, 'RunID' | 'AutomationID' | 'SceneID'>,
): void {
  const Actions = { confirmed: 0, failed: 0, open: 0 }
  const rejection = { State: 'refused', Reason: 'permissionDenied', Actions, Timestamp: clock.now() } as const
  events.emit('runChanged', { tenant, homeId, news: { ...run, ...rejection } })
}

/** Parses an acknowledgement field by field: an invalid reason does not discard the result. */
function readAck(state: ControlState, payload: unknown, client: HubClient) {
  const oddValues: OddValue[] = []
  const raw = isRecord(payload) ? { ...payload } : {}
  if (typeof raw['Reason'] === 'string') raw['Reason'] = truncateText(raw['Reason'], MAX_ACK_REASON)
  const parsed = controlAck.payload.safeParse(readMembers(controlAck.payload.shape, raw, '', oddValues))
  if (raw['ThingName'] !== client.thingName) return undefined
  for (const field of ['RequestID', 'PeripheralUID', 'Result'])
    if (raw[field] === undefined) oddValues.push({ path: field, came: undefined })
  if (oddValues.length > 0) {
    const { tenant, thingName } = client
    const faults = oddValues.map(({ path, came }) => ({
      uid: '',
      field: path,
      reason: came === undefined ? ('missing' as const) : ('value' as const),
      value: came,
    }))
    state.events.emit('reportFaulty', { tenant, thingName, message: 'control', faults })
  }
  return parsed.data
}

async function receiveAck(state: ControlState, payload: unknown, client: Client): Promise<void> {
  const { store, malformed } = state
  if (client.party !== 'hub') return malformed.inc()
  const ack = readAck(state, payload, client)
  if (!ack) return malformed.inc()
  const { RequestID, PeripheralUID, Result, Reason } = ack
  let track = findTrack(state, client.tenant, RequestID, PeripheralUID)
  if (!track) {
    // Sent by another gateway of this database, or before a restart.
    const tracked = await store.find(client.tenant, RequestID, PeripheralUID)
    if (!tracked || isSettled(tracked.command.State)) return
    if (tracked.thingName !== client.thingName) return malformed.inc()
    track = findTrack(state, client.tenant, RequestID, PeripheralUID) ?? trackInState(state, tracked)
  }
  if (track.thingName !== client.thingName || track.command.HomeID !== client.homeId) return malformed.inc()
  if (Result === 'failed') track.changeState('failed', 'hubRefused', Reason)
  else if (track.command.State === 'accepted' || track.command.State === 'sent') {
    if (track.command.State === 'accepted') track.changeState('sent')
    track.changeState('acknowledged')
    awaitConfirmation(state, track, CONFIRM_TIMEOUT_MS)
  }
  await track.whenStored()
}

/**
 * Confirms commands by a report that was stored after the request and shows the requested values. Ignores the
 * device's timestamp, because hubs' clocks differ; older reports do not reach this function (§4).
 */
export function confirmFromStatus(state: ControlState, changed: GatewayEvents['statusChanged']): void {
  if (state.openTracks.size === 0) return
  for (const status of changed.statuses)
    for (const track of openTracksOf(state, changed.tenant, status.PeripheralUID))
      if (status.updateAt >= track.command.RequestedAt && confirms(status, track.command.Values))
        track.changeState('confirmed')
}
