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
  gone: boolean
  /** Resolves when CONNACK may be sent; undefined if at once. */
  welcome: Promise<void> | undefined
  entered: Promise<void>
  left: Promise<{ last: boolean }> | undefined
  /** Resolves when its hub is connected again, at any gateway. */
  isBack: Promise<void>
  cameBack: () => void
}

/** Delay before a failed write is repeated, in ms. */
const RETRY_AFTER_MS = 1_000
/** Time for a hub whose connection was cut to reconnect, at any gateway, before it counts as offline, in ms. */
const RECONNECT_GRACE_MS = 30_000
/** Stall detection, in ms: interval of the timer, delay of the timer that counts as a stall, time that a stall affects. */
const STALL = { look: 500, late: 2_000, counts: 5_000 }

export type HubConnections = ReturnType<typeof createHubConnections>

interface State extends HubConnectionsOptions {
  live: Map<BrokerConnection, LiveConnection>
  /** Connections by hub. */
  ofThing: Map<string, Set<LiveConnection>>
  /** Last timer run of this process, and end of its last stall; epoch ms. */
  wentOn: { at: number; afterStill: number; cancel: () => void }
  closed: boolean
  /** Resolves when this gateway closes, which ends all pauses. */
  closing: Promise<void>
  contests: ClientIdConflicts
  takeovers: Counter
  evenedOut: Counter
  enter(connection: LiveConnection): Promise<boolean>
  leave(connection: LiveConnection): Promise<boolean>
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
    contests: createClientIdConflicts(options),
    live: new Map(),
    ofThing: new Map(),
    wentOn: { at: options.clock.now(), afterStill: -Infinity, cancel: () => {} },
    closed: false,
    closing,
    enter: batchByHub((items) => insertConnections(options, items)),
    leave: batchByHub((items) => deleteConnections(options, items)),
  }
  watchForStalls(state)
  return {
    /** Registers a connected hub or scanner. Never fails: retries until the database accepts it. */
    came: (client: ThingClient, connection: BrokerConnection): Promise<void> =>
      came(state, client, connection),
    /**
     * Unregisters an ended connection; may be called again. Never fails. Unless the end is final, its hub has half a
     * minute to reconnect.
     *
     * returns  isLast: its hub has no other connection, at any gateway
     */
    went: (connection: BrokerConnection, reason: CloseReason): Promise<{ last: boolean }> =>
      went(state, connection, reason),
    /** Handles another gateway's notification that its connection `newer` has the same client as `no` here. */
    took: (takeover: Omit<Takeover, 'gateway'>): void => took(state, takeover),
    isHere: (thingName: string): boolean => liveOf(state, thingName).some(({ gone }) => !gone),
    /** Delay of CONNACK: two devices that alternate with one client id are slowed down. */
    welcome: (connection: BrokerConnection): Promise<void> | undefined => state.live.get(connection)?.welcome,
    /** Number of hubs and scanners connected here. */
    count: (): number => countOf(state),
    /** Ends the given number of connections, oldest first: their hubs reconnect at other gateways and are never offline. */
    letGo: (count: number): void => letGo(state, count),
    /** The gateway of the newest connection of a hub or scanner; undefined for one without a connection. */
    whereIs: createRequestCoalescer<string, string | undefined>({
      groupOf: () => '',
      keyOf: (thingName) => thingName,
      run: (names) => findGateways(options, names),
    }),
    /**
     * After this gateway was declared dead: ends the connections whose client is connected elsewhere, and inserts the
     * others under its new id.
     */
    reenter: (): Promise<void> => reenter(state),
    /** Stops writing connections; those that end from now on keep their rows, so that their hubs have time to reconnect elsewhere. */
    async close(): Promise<void> {
      state.closed = true
      state.wentOn.cancel()
      endPauses()
      await Promise.all([...state.live.values()].flatMap(({ entered, left }) => [entered, left]))
    },
  }
}

const batchByHub = (run: (items: LiveConnection[]) => Promise<boolean[]>) =>
  createRequestCoalescer<LiveConnection, boolean>({
    groupOf: ({ party }) => party,
    keyOf: ({ thingName }) => thingName,
    run,
  })

const liveOf = ({ ofThing }: State, thingName: string): LiveConnection[] => [
  ...(ofThing.get(thingName) ?? []),
]

/** Counts open connections; ended ones may still be in `live` until they are written. */
function countOf({ live }: State): number {
  let count = 0
  for (const { gone } of live.values()) if (!gone) count++
  return count
}

function createMetrics(metrics: Metrics, count: () => number): Pick<State, 'takeovers' | 'evenedOut'> {
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
    evenedOut: new Counter({
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
  while (!state.closed)
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

function came(state: State, { party, thingName }: ThingClient, connection: BrokerConnection): Promise<void> {
  let onReconnected = () => {}
  const reconnected = new Promise<void>((resolve) => (onReconnected = resolve))
  const live: LiveConnection = {
    party,
    thingName,
    connection,
    no: undefined,
    gone: false,
    welcome: undefined,
    entered: Promise.resolve(),
    left: undefined,
    goneAt: 0,
    isBack: reconnected,
    cameBack: onReconnected,
  }
  const others = liveOf(state, thingName)
  if (others.some((other) => !other.gone && connectionKey(other) === connectionKey(live)))
    state.contests.taken(connectionKey(live))
  const delayMs = state.contests.waitOf(connectionKey(live))
  if (delayMs > 0) live.welcome = pause(state, delayMs)
  state.live.set(connection, live)
  state.ofThing.set(thingName, new Set(others).add(live))
  return (live.entered = live.welcome ? live.welcome.then(() => write(state, live)) : write(state, live))
}

/**
 * Writes the row of a connection. Writes nothing while this gateway counts as dead: `reenter` inserts the connections
 * under its new id. Skips a connection that ended while the database was unavailable.
 */
const write = (state: State, live: LiveConnection): Promise<void> =>
  retryUntilAvailable(state, 'That a hub came could not be written; trying again', async () => {
    if (live.gone) return
    await state.enter(live)
    if (live.no === undefined) return
    for (const other of liveOf(state, live.thingName)) if (other.gone) other.cameBack()
  })

function went(state: State, connection: BrokerConnection, reason: CloseReason): Promise<{ last: boolean }> {
  const live = state.live.get(connection)
  if (!live) return Promise.resolve({ last: false })
  return (live.left ??= end(state, live, reason))
}

async function end(state: State, live: LiveConnection, reason: CloseReason): Promise<{ last: boolean }> {
  // During a stall this process received nothing, though the hub may have sent messages.
  const silentMs = hasStalled(state) ? 0 : reason.unheard
  Object.assign(live, { gone: true, goneAt: state.clock.now() - silentMs })
  const isHere = liveOf(state, live.thingName).some(({ gone, no }) => !gone && no !== undefined)
  const graceMs = reason.final || isHere ? 0 : RECONNECT_GRACE_MS - silentMs
  if (graceMs > 0) await Promise.race([live.isBack, pause(state, graceMs)])
  // A connection that the hub opened meanwhile is written first, so that a reconnecting hub is never offline.
  await Promise.all(liveOf(state, live.thingName).map(({ entered }) => entered))
  const failure = 'That a hub went away could not be written; trying again'
  const isLast = await retryUntilAvailable(state, failure, () => state.leave(live))
  state.live.delete(live.connection)
  const others = state.ofThing.get(live.thingName)
  others?.delete(live)
  if (others?.size === 0) state.ofThing.delete(live.thingName)
  return { last: isLast ?? false }
}

function watchForStalls(state: State): void {
  hasStalled(state)
  state.wentOn.at = state.clock.now()
  state.wentOn.cancel = state.clock.after(STALL.look, () => watchForStalls(state))
}

/** Whether this process has just resumed after a stall: messages may be processed before any timer. */
function hasStalled({ wentOn, clock }: State): boolean {
  const now = clock.now()
  if (now - wentOn.at > STALL.late) Object.assign(wentOn, { at: now, afterStill: now })
  return now - wentOn.afterStill < STALL.counts
}

function letGo(state: State, count: number): void {
  const released = [...state.live.values()].filter(({ gone }) => !gone).slice(0, count)
  for (const live of released) {
    state.evenedOut.inc()
    live.connection.drop()
  }
}

function took(state: State, { thingName, no, newer }: Omit<Takeover, 'gateway'>): void {
  for (const live of liveOf(state, thingName)) {
    if (live.no !== no || no >= newer) continue
    live.cameBack()
    if (live.gone) continue
    state.contests.taken(connectionKey(live))
    state.takeovers.inc()
    live.connection.drop()
  }
}

async function reenter(state: State): Promise<void> {
  const connections = [...state.live.values()].filter(({ gone }) => !gone)
  const failure = 'Who is connected elsewhere could not be looked up; trying again'
  const takenOver = new Set(
    await retryUntilAvailable(state, failure, () => findTakeovers(state, connections)),
  )
  for (const live of connections)
    if (takenOver.has(connectionKey(live))) {
      live.cameBack()
      state.takeovers.inc()
      live.connection.drop()
    } else live.entered = write(state, live)
  await Promise.all(connections.map(({ entered }) => entered))
}
