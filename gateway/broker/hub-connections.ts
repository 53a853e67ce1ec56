import { Counter, Gauge, type Registry as Metrics } from 'prom-client'
import { GatewayError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports.ts'
import { createRequestCoalescer } from '../store/coalesce-requests.ts'
import { type ClientIdConflicts, createClientIdConflicts } from './client-id-conflicts.ts'
import {
  findTakeovers,
  insertConnections,
  connectionKey,
  deleteConnections,
  type ConnectionRow,
  type RowsOptions,
  type Takeover,
  findGateways,
} from './hub-connection-rows.ts'
import type { BrokerConnection, CloseReason, ThingClient } from '../kernel/broker.ts'

export interface HubConnectionsOptions extends RowsOptions {
  log: Log
  metrics: Metrics
}

/** Local state of one connection. */
interface LiveConnection extends ConnectionRow {
  connection: BrokerConnection
  hasEnded: boolean
  /** Resolves when CONNACK may be sent; undefined if at once. */
  connackDelay: Promise<void> | undefined
  inserted: Promise<void>
  removed: Promise<{ isLast: boolean }> | undefined
  /** Resolves when its hub is connected again, at any gateway. */
  reconnected: Promise<void>
  onReconnected: () => void
}

/** Delay before a failed write is repeated, in ms. */
const RETRY_AFTER_MS = 1_000
/** Time for a hub whose connection was cut to reconnect, at any gateway, before it counts as offline, in ms. */
const RECONNECT_GRACE_MS = 30_000
/** Stall detection, in ms: interval of the timer, delay of the timer that counts as a stall, time that a stall affects. */
const STALL = { intervalMs: 500, lateMs: 2_000, effectMs: 5_000 }

export type HubConnections = ReturnType<typeof createHubConnections>

interface State extends HubConnectionsOptions {
  liveConnections: Map<BrokerConnection, LiveConnection>
  /** Connections by hub. */
  liveByThing: Map<string, Set<LiveConnection>>
  /** Last timer run of this process, and end of its last stall; epoch ms. */
  stallWatch: { lastRunAt: number; lastStallEndedAt: number; cancel: () => void }
  isClosed: boolean
  /** Resolves when this gateway closes, which ends all pauses. */
  closing: Promise<void>
  conflicts: ClientIdConflicts
  takeovers: Counter
  rebalanced: Counter
  insert(connection: LiveConnection): Promise<boolean>
  remove(connection: LiveConnection): Promise<boolean>
}

/**
 * Connections of hubs and scanners, as rows that all gateways of the database see. A hub is online as long as it has
 * a row: one that reconnects at another gateway before the first has noticed is never offline.
 */
export function createHubConnections(options: HubConnectionsOptions) {
  let endPauses = () => {}
  const closing = new Promise<void>((resolve) => (endPauses = resolve))
  const state: State = {
    ...options,
    ...createMetrics(options.metrics, () => countOf(state)),
    conflicts: createClientIdConflicts(options),
    liveConnections: new Map(),
    liveByThing: new Map(),
    stallWatch: { lastRunAt: options.clock.now(), lastStallEndedAt: -Infinity, cancel: () => {} },
    isClosed: false,
    closing,
    insert: batchByHub((items) => insertConnections(options, items)),
    remove: batchByHub((items) => deleteConnections(options, items)),
  }
  watchForStalls(state)
  return {
    /** Registers a connected hub or scanner. Never fails: retries until the database accepts it. */
    connect: (client: ThingClient, connection: BrokerConnection): Promise<void> =>
      connect(state, client, connection),
    /**
     * Unregisters an ended connection; may be called again. Never fails. Unless the end is final, its hub has half a
     * minute to reconnect.
     *
     * returns  isLast: its hub has no other connection, at any gateway
     */
    disconnect: (connection: BrokerConnection, reason: CloseReason): Promise<{ isLast: boolean }> =>
      disconnect(state, connection, reason),
    /** Handles another gateway's notification that its connection `newer` has the same client as `no` here. */
    handleTakeover: (takeover: Omit<Takeover, 'gateway'>): void => handleTakeover(state, takeover),
    isHere: (thingName: string): boolean => liveOf(state, thingName).some(({ hasEnded }) => !hasEnded),
    /** Delay of CONNACK: two devices that alternate with one client id are slowed down. */
    connackDelayOf: (connection: BrokerConnection): Promise<void> | undefined =>
      state.liveConnections.get(connection)?.connackDelay,
    /** Number of hubs and scanners connected here. */
    count: (): number => countOf(state),
    /** Ends the given number of connections, oldest first: their hubs reconnect at other gateways and are never offline. */
    release: (count: number): void => releaseHubs(state, count),
    /** The gateway of the newest connection of a hub or scanner; undefined for one without a connection. */
    findGateway: createRequestCoalescer<string, string | undefined>({
      groupOf: () => '',
      keyOf: (thingName) => thingName,
      run: (names) => findGateways(options, names),
    }),
    /**
     * After this gateway was declared dead: ends the connections whose client is connected elsewhere, and inserts the
     * others under its new id.
     */
    reinsert: (): Promise<void> => reinsertConnections(state),
    /** Stops writing connections; those that end from now on keep their rows, so that their hubs have time to reconnect elsewhere. */
    async close(): Promise<void> {
      state.isClosed = true
      state.stallWatch.cancel()
      endPauses()
      await Promise.all(
        [...state.liveConnections.values()].flatMap(({ inserted, removed }) => [inserted, removed]),
      )
    },
  }
}

const batchByHub = (run: (items: LiveConnection[]) => Promise<boolean[]>) =>
  createRequestCoalescer<LiveConnection, boolean>({
    groupOf: ({ party }) => party,
    keyOf: ({ thingName }) => thingName,
    run,
  })

const liveOf = ({ liveByThing }: State, thingName: string): LiveConnection[] => [
  ...(liveByThing.get(thingName) ?? []),
]

/** Counts open connections; ended ones may still be in `liveConnections` until they are written. */
function countOf({ liveConnections }: State): number {
  let count = 0
  for (const { hasEnded } of liveConnections.values()) if (!hasEnded) count++
  return count
}

function createMetrics(metrics: Metrics, count: () => number): Pick<State, 'takeovers' | 'rebalanced'> {
  const gauge: Gauge = new Gauge({
    name: 'hub_connections',
    help: 'Hubs and scanners connected to this gateway',
    registers: [metrics],
    collect: () => gauge.set(count()),
  })
  return {
    takeovers: new Counter({
      name: 'hub_takeovers_total',
      help: 'Connections that ended because their client came to another gateway',
      registers: [metrics],
    }),
    rebalanced: new Counter({
      name: 'hubs_evened_out_total',
      help: 'Connections that were ended so that no gateway has many more hubs than the others',
      registers: [metrics],
    }),
  }
}

/** Retries the work until the database accepts it; undefined if it failed otherwise or the gateway closed. */
async function retryUntilAvailable<T>(
  state: State,
  failure: string,
  task: () => Promise<T>,
): Promise<T | undefined> {
  while (!state.isClosed)
    try {
      return await task()
    } catch (err) {
      state.log.warn({ err }, failure)
      if (!(err instanceof GatewayError && err.code === 'UNAVAILABLE')) return undefined
      await pause(state, RETRY_AFTER_MS)
    }
  return undefined
}

/** Resolves after `ms`, or when this gateway closes. */
const pause = ({ clock, closing }: State, ms: number): Promise<void> =>
  Promise.race([closing, new Promise<void>((resolve) => clock.after(ms, resolve))])

function connect(
  state: State,
  { party, thingName }: ThingClient,
  connection: BrokerConnection,
): Promise<void> {
  let onReconnected = () => {}
  const reconnected = new Promise<void>((resolve) => (onReconnected = resolve))
  const live: LiveConnection = {
    party,
    thingName,
    connection,
    rowNo: undefined,
    hasEnded: false,
    connackDelay: undefined,
    inserted: Promise.resolve(),
    removed: undefined,
    endedAt: 0,
    reconnected,
    onReconnected,
  }
  const others = liveOf(state, thingName)
  if (others.some((other) => !other.hasEnded && connectionKey(other) === connectionKey(live)))
    state.conflicts.recordTakeover(connectionKey(live))
  const delayMs = state.conflicts.delayOf(connectionKey(live))
  if (delayMs > 0) live.connackDelay = pause(state, delayMs)
  state.liveConnections.set(connection, live)
  state.liveByThing.set(thingName, new Set(others).add(live))
  return (live.inserted = live.connackDelay
    ? live.connackDelay.then(() => write(state, live))
    : write(state, live))
}

/**
 * Writes the row of a connection. Writes nothing while this gateway counts as dead: `reinsert` inserts the connections
 * under its new id. Skips a connection that ended while the database was unavailable.
 */
const write = (state: State, live: LiveConnection): Promise<void> =>
  retryUntilAvailable(state, 'That a hub came could not be written; trying again', async () => {
    if (live.hasEnded) return
    await state.insert(live)
    if (live.rowNo === undefined) return
    for (const other of liveOf(state, live.thingName)) if (other.hasEnded) other.onReconnected()
  })

function disconnect(
  state: State,
  connection: BrokerConnection,
  reason: CloseReason,
): Promise<{ isLast: boolean }> {
  const live = state.liveConnections.get(connection)
  if (!live) return Promise.resolve({ isLast: false })
  return (live.removed ??= endConnection(state, live, reason))
}

async function endConnection(
  state: State,
  live: LiveConnection,
  reason: CloseReason,
): Promise<{ isLast: boolean }> {
  // During a stall this process received nothing, though the hub may have sent messages.
  const silentMs = hasStalled(state) ? 0 : reason.silentMs
  Object.assign(live, { hasEnded: true, endedAt: state.clock.now() - silentMs })
  const isHere = liveOf(state, live.thingName).some(({ hasEnded, rowNo }) => !hasEnded && rowNo !== undefined)
  const graceMs = reason.isFinal || isHere ? 0 : RECONNECT_GRACE_MS - silentMs
  if (graceMs > 0) await Promise.race([live.reconnected, pause(state, graceMs)])
  // A connection that the hub opened meanwhile is written first, so that a reconnecting hub is never offline.
  await Promise.all(liveOf(state, live.thingName).map(({ inserted }) => inserted))
  const failure = 'That a hub went away could not be written; trying again'
  const isLast = await retryUntilAvailable(state, failure, () => state.remove(live))
  state.liveConnections.delete(live.connection)
  const others = state.liveByThing.get(live.thingName)
  others?.delete(live)
  if (others?.size === 0) state.liveByThing.delete(live.thingName)
  return { isLast: isLast ?? false }
}

function watchForStalls(state: State): void {
  hasStalled(state)
  state.stallWatch.lastRunAt = state.clock.now()
  state.stallWatch.cancel = state.clock.after(STALL.intervalMs, () => watchForStalls(state))
}

/** Whether this process has just resumed after a stall: messages may be processed before any timer. */
function hasStalled({ stallWatch, clock }: State): boolean {
  const now = clock.now()
  if (now - stallWatch.lastRunAt > STALL.lateMs)
    Object.assign(stallWatch, { lastRunAt: now, lastStallEndedAt: now })
  return now - stallWatch.lastStallEndedAt < STALL.effectMs
}

function releaseHubs(state: State, count: number): void {
  const released = [...state.liveConnections.values()].filter(({ hasEnded }) => !hasEnded).slice(0, count)
  for (const live of released) {
    state.rebalanced.inc()
    live.connection.disconnect()
  }
}

function handleTakeover(state: State, { thingName, rowNo, newerRowNo }: Omit<Takeover, 'gateway'>): void {
  for (const live of liveOf(state, thingName)) {
    if (live.rowNo !== rowNo || rowNo >= newerRowNo) continue
    live.onReconnected()
    if (live.hasEnded) continue
    state.conflicts.recordTakeover(connectionKey(live))
    state.takeovers.inc()
    live.connection.disconnect()
  }
}

async function reinsertConnections(state: State): Promise<void> {
  const connections = [...state.liveConnections.values()].filter(({ hasEnded }) => !hasEnded)
  const failure = 'Who is connected elsewhere could not be looked up; trying again'
  const takenOver = new Set(
    await retryUntilAvailable(state, failure, () => findTakeovers(state, connections)),
  )
  for (const live of connections)
    if (takenOver.has(connectionKey(live))) {
      live.onReconnected()
      state.takeovers.inc()
      live.connection.disconnect()
    } else live.inserted = write(state, live)
  await Promise.all(connections.map(({ inserted }) => inserted))
}
