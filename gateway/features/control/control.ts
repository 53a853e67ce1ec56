import type { Command } from '../../../contract/devices/command-calls.ts'
import type { Client } from '../../kernel/broker.ts'
import type { Db } from '../../kernel/db.ts'
import { controlCommand } from '../../../contract/devices/channels/control.ts'
import {
  acceptCommand,
  newCommand,
  failCommand,
  normalizeCommandValues,
  confirmFromStatus,
  handleControlRequest,
} from './accept.ts'
import type { RemoteExecution, RemoteCommand, HubReach, RunTarget } from './ports.ts'
import { type ControlRequest, remainingTtlMs } from './command.ts'
import { executeForPeer, failOverdue, recoverRun, send } from './send.ts'
import { type ControlOptions, createControlState, type ControlState, publishResponse } from './state.ts'
import { commandStatements, keyOf, type NewCommand, type Target } from './command-statements.ts'

/** Time for a hub to reconnect after its gateway ended, ms: by the protocol, hubs retry after 1 to 60 s. */
const RECONNECT_WITHIN_MS = 90_000

interface HubRow {
  thingName: string
  tenant: string
  homeId: string
  online: boolean
  /** Newest connection: its gateway and its start (epoch ms). */
  gateway: string | null
  since: number | null
  /** Start of the current absence, epoch ms; null if there is none. */
  absentSince: number | null
  /** Whether the hub went offline because its gateway ended. */
  withGateway: boolean | null
  /** Uptime of the oldest live gateway, ms. */
  upForMs: number | null
}

const HUBS = `
select t.thing_name as "thingName", t.tenant, t.home_id as "homeId", t.online, c.gateway, c.since, a.since as "absentSince",
  a.with_gateway as "withGateway", up.ms as "upForMs"
from things t
  left join lateral (select gateway, since from hub_connections where thing_name = t.thing_name order by no desc limit 1) c on true
  left join lateral (select since, with_gateway from hub_absences where thing_name = t.thing_name and until is null
    order by since desc limit 1) a on true
  cross join (select (extract(epoch from max(clock_timestamp() - started_at)) * 1000)::float8 as ms from gateways
    where ended_at is null and seen_at > clock_timestamp() - interval '10 seconds') up
where t.thing_name = any($1::text[])`

/** Reachability of hubs for commands, by ThingName; omits hubs that do not exist. */
async function readHubReach(
  db: Db,
  state: ControlState,
  thingNames: readonly string[],
): Promise<Map<string, HubReach>> {
  const rows = await db.query<HubRow>({ name: 'control-hub-reach', text: HUBS, values: [thingNames] })
  const now = state.clock.now()
  return new Map(
    rows.map((row) => {
      // A hub that has just connected here may have no row yet.
      const since = row.since ?? (state.isHere(row.thingName) ? now : null)
      return [row.thingName, { state: stateOf(state, row), since }]
    }),
  )
}

function stateOf(
  { isHere, remoteGateways, readOwnId, broker, clock, startedAt }: ControlState,
  { thingName, tenant, homeId, online, gateway, absentSince, withGateway, upForMs }: HubRow,
): HubReach['state'] {
  if (isHere(thingName)) {
    // A hub that has just connected has not subscribed yet; messages published before that are lost.
    const topic = controlCommand.topic({ rootId: tenant, homeId, thingName })
    return broker.hasSubscribers?.(topic) === false ? 'reconnecting' : 'connected'
  }
  if (gateway !== null) {
    // Disconnected while its gateway runs: the hub has half a minute to reconnect before it is offline.
    if (gateway === (remoteGateways?.readOwnId() ?? readOwnId?.())) return 'offline'
    return remoteGateways?.wasJustSeen(gateway) ? 'connected' : 'reconnecting'
  }
  if (online) return 'reconnecting'
  if (!withGateway || absentSince === null) return 'offline'
  const now = clock.now()
  const upSince = remoteGateways ? now - (upForMs ?? 0) : startedAt
  return now - Math.max(absentSince, upSince) < RECONNECT_WITHIN_MS ? 'reconnecting' : 'offline'
}

export type Control = ReturnType<typeof createControl>

/**
 * Sends commands to devices and tracks each to its final state (protocol, Topics): accepted, sent to the hub,
 * acknowledged by the hub, and confirmed by the device's next report, or failed, or timed out. Every state is stored,
 * then announced as `commandChanged`.
 */
export function createControl(options: ControlOptions, runTarget: RunTarget = async () => {}) {
  const state = createControlState(options)
  const unsubscribe = options.events.on('statusChanged', (changed) => confirmFromStatus(state, changed))
  return {
    request: (request: ControlRequest): Promise<Command> => acceptCommand(state, request),
    /** Stores commands in the caller's transaction; they are sent after its commit. */
    store: (tx: Db, requests: readonly DeviceRequest[]) => storeCommands(state, tx, requests),
    receive: (message: { topic: string; payload: Uint8Array; client: Client }) =>
      handleControlRequest(state, message, runTarget),
    list: state.store.list,
    /** Executes a command for another gateway. */
    executeCommand: (command: RemoteCommand): Promise<RemoteExecution> => executeForPeer(state, command),
    /** Reachability of hubs for commands, by ThingName. */
    readHubReach: (thingNames: readonly string[]): Promise<ReadonlyMap<string, HubReach>> =>
      readHubReach(options.db, state, thingNames),
    endOverdue: () => failOverdue(state),
    /** Tracks the commands of a run that another gateway has sent. */
    recoverRun: (tenant: string, runId: string) => recoverRun(state, tenant, runId),

    /** Stops tracking; pending commands stay open in the database, where another gateway ends them once overdue. */
    async close(): Promise<void> {
      unsubscribe()
      state.unacknowledged.close()
      const tracks = [...state.openTracks.values()].flatMap((set) => [...set])
      for (const track of tracks) track.stop()
      await Promise.all(tracks.map((track) => track.whenStored()))
      state.openTracks.clear()
    },
  }
}

/** A command whose device the caller has looked up; undefined if the device does not exist in this home. */
type DeviceRequest = ControlRequest & { target: Target | undefined }

/** A stored command that has not been sent. */
export interface StoredCommand {
  command: Command
  /** Announces and sends it, to be called after the commit; resolves when the broker has it. */
  send(): Promise<void>
}

/**
 * Stores new commands of one company in the caller's transaction. One that is never sent, because the gateway ends
 * before, times out like an unanswered one.
 *
 * asked    no two with the same RequestID and device
 * returns  the commands in that order
 * errors   UNAVAILABLE if the database is unavailable
 */
async function storeCommands(
  state: ControlState,
  tx: Db,
  requests: readonly DeviceRequest[],
): Promise<StoredCommand[]> {
  const now = state.clock.now()
  const commands = requests.map((request) => newCommand(request, now))
  const items: NewCommand[] = []
  for (const [i, { target, ...request }] of requests.entries()) {
    const command = commands[i] as Command
    if (!target) {
      // Announced but not stored, because there is no device to list it under.
      failCommand(command, 'notFound')
      continue
    }
    normalizeCommandValues(command, target, request, now)
    const step = { State: command.State, Reason: command.Reason, Timestamp: now }
    const { thingName, gateway } = target
    const tracked = {
      tenant: request.tenant,
      command,
      thingName,
      gateway,
      expiresInMs: remainingTtlMs(request, now),
    }
    items.push({ tracked, history: [step] })
  }
  const isNew = items.length > 0 ? await commandStatements(tx).insert(items) : []
  const stored = new Map(items.filter((_, i) => isNew[i]).map((item) => [keyOf(item), item.tracked]))
  const sendCommand = async (command: Command, tenant: string) => {
    publishResponse(state, tenant, command, now)
    const tracked = stored.get(`${command.RequestID}/${command.PeripheralUID}`)
    if (command.State === 'failed') {
      if (tracked) state.settled.inc({ state: 'failed', reason: command.Reason ?? '' })
    } else if (tracked) await send(state, tracked)
  }
  return commands.map((command, i) => ({
    command,
    send: () => sendCommand(command, requests[i]?.tenant ?? ''),
  }))
}
