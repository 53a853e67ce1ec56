import { controlAck, controlRequest, MAX_ACK_REASON } from '../../../contract/devices/channels/control.ts'
import type { RunMessage } from '../../../contract/automation/channels.ts'
import { decide } from '../../../contract/kernel/permissions.ts'
import { confirms } from '../../../contract/devices/status-order.ts'
import type { Client, HubClient } from '../../kernel/broker.ts'
import type { GatewayEvents } from '../../kernel/events.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'
import { type OddValue, readMembers } from '../../../contract/kernel/read-valid.ts'
import { truncateText, parseBytes, parseHubBytes } from '../../lib/parse-bytes.ts'
import { acceptCommand } from './accept.ts'
import type { RunTarget } from './ports.ts'
import { CONFIRM_TIMEOUT_MS, isSettled } from './command.ts'
import { awaitConfirmation } from './send.ts'
import { type ControlState, findTrack, trackInState, openTracksOf } from './state.ts'

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
  const isAllowed = decide(controlRequest.access, subject) === true
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
      came,
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
  if (Result === 'failed') track.enter('failed', 'hubRefused', Reason)
  else if (track.command.State === 'accepted' || track.command.State === 'sent') {
    if (track.command.State === 'accepted') track.enter('sent')
    track.enter('acknowledged')
    awaitConfirmation(state, track, CONFIRM_TIMEOUT_MS)
  }
  await track.stored()
}

/**
 * Confirms commands by a report that was stored after the request and shows the requested values. Ignores the
 * device's timestamp, because hubs' clocks differ; older reports do not reach this function (§4).
 */
export function confirmFromStatus(state: ControlState, changed: GatewayEvents['statusChanged']): void {
  if (state.open.size === 0) return
  for (const status of changed.statuses)
    for (const track of openTracksOf(state, changed.tenant, status.PeripheralUID))
      if (status.updateAt >= track.command.RequestedAt && confirms(status, track.command.Values))
        track.enter('confirmed')
}
