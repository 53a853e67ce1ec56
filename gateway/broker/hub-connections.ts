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
  type RowOf,
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
interface Live extends RowOf {
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
const STILL = { look: 500, late: 2_000, counts: 5_000 }

export type HubConnections = ReturnType<typeof createHubConnections>

interface State extends HubConnectionsOptions {
  live: Map<BrokerConnection, Live>
  /** Connections by hub. */
  ofThing: Map<string, Set<Live>>
  /** Last timer run of this process, and end of its last stall; epoch ms. */
  wentOn: { at: number; afterStill: number; cancel: () => void }
  closed: boolean
  /** Resolves when this gateway closes, which ends all pauses. */
  closing: Promise<void>
  contests: ClientIdConflicts
  takeovers: Counter
  evenedOut: Counter
  enter(one: Live): Promise<boolean>
  leave(one: Live): Promise<boolean>
}

/**
 * Connections of hubs and scanners, as rows that all gateways of the database see. A hub is online as long as it has
 * a row: one that reconnects at another gateway before the first has noticed is never offline.
 */
export function createHubConnections(options: HubConnectionsOptions) {
  let endWaiting = () => {}
  const closing = new Promise<void>((resolve) => (endWaiting = resolve))
  const state: State = {
    ...options,
    ...createFigures(options.metrics, () => countOf(state)),
    contests: createClientIdConflicts(options),
    live: new Map(),
    ofThing: new Map(),
    wentOn: { at: options.clock.now(), afterStill: -Infinity, cancel: () => {} },
    closed: false,
    closing,
    enter: gatherByHub((items) => insertConnections(options, items)),
    leave: gatherByHub((items) => deleteConnections(options, items)),
  }
  noteGoingOn(state)
  return {
    /** Registers a connected hub or scanner. Never fails: retries until the database accepts it. */
    came: (client: ThingClient, connection: BrokerConnection): Promise<void> =>
      came(state, client, connection),
    /**
     * Unregisters an ended connection; may be called again. Never fails. Unless the end is final, its hub has half a
     * minute to reconnect.
     *
     * returns  last: its hub has no other connection, at any gateway
     */
    went: (connection: BrokerConnection, ending: CloseReason): Promise<{ last: boolean }> =>
      went(state, connection, ending),
    /** Handles another gateway's notification that its connection `newer` has the same client as `no` here. */
    took: (told: Omit<Takeover, 'gateway'>): void => took(state, told),
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
      endWaiting()
      await Promise.all([...state.live.values()].flatMap(({ entered, left }) => [entered, left]))
    },
  }
}

const gatherByHub = (run: (items: Live[]) => Promise<boolean[]>) =>
  createRequestCoalescer<Live, boolean>({
    groupOf: ({ party }) => party,
    keyOf: ({ thingName }) => thingName,
    run,
  })

const liveOf = ({ ofThing }: State, thingName: string): Live[] => [...(ofThing.get(thingName) ?? [])]

/** Counts open connections; ended ones may still be in `live` until they are written. */
function countOf({ live }: State): number {
  let count = 0
  for (const { gone } of live.values()) if (!gone) count++
  return count
}

function createFigures(metrics: Metrics, count: () => number): Pick<State, 'takeovers' | 'evenedOut'> {
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
async function patiently<T>(state: State, what: string, work: () => Promise<T>): Promise<T | undefined> {
  while (!state.closed)
    try {
      return await work()
    } catch (err) {
      state.log.warn({ err }, what)
      if (!(err instanceof GatewayError && err.code === 'UNAVAILABLE')) return undefined
      await pause(state, RETRY_AFTER_MS)
    }
  return undefined
}

/** Resolves after `ms`, or when this gateway closes. */
const pause = ({ clock, closing }: State, ms: number): Promise<void> =>
  Promise.race([closing, new Promise<void>((resolve) => clock.after(ms, resolve))])

function came(state: State, { party, thingName }: ThingClient, connection: BrokerConnection): Promise<void> {
  let cameBack = () => {}
  const isBack = new Promise<void>((resolve) => (cameBack = resolve))
  const one: Live = {
    party,
    thingName,
    connection,
    no: undefined,
    gone: false,
    welcome: undefined,
    entered: Promise.resolve(),
    left: undefined,
    goneAt: 0,
    isBack,
    cameBack,
  }
  const others = liveOf(state, thingName)
  if (others.some((other) => !other.gone && connectionKey(other) === connectionKey(one)))
    state.contests.taken(connectionKey(one))
  const wait = state.contests.waitOf(connectionKey(one))
  if (wait > 0) one.welcome = pause(state, wait)
  state.live.set(connection, one)
  state.ofThing.set(thingName, new Set(others).add(one))
  return (one.entered = one.welcome ? one.welcome.then(() => write(state, one)) : write(state, one))
}

/**
 * Writes the row of a connection. Writes nothing while this gateway counts as dead: `reenter` inserts the connections
 * under its new id. Skips a connection that ended while the database was unavailable.
 */
const write = (state: State, one: Live): Promise<void> =>
  patiently(state, 'That a hub came could not be written; trying again', async () => {
    if (one.gone) return
    await state.enter(one)
    if (one.no === undefined) return
    for (const other of liveOf(state, one.thingName)) if (other.gone) other.cameBack()
  })

function went(state: State, connection: BrokerConnection, ending: CloseReason): Promise<{ last: boolean }> {
  const one = state.live.get(connection)
  if (!one) return Promise.resolve({ last: false })
  return (one.left ??= end(state, one, ending))
}

async function end(state: State, one: Live, ending: CloseReason): Promise<{ last: boolean }> {
  // During a stall this process received nothing, though the hub may have sent messages.
  const unheard = stoodStill(state) ? 0 : ending.unheard
  Object.assign(one, { gone: true, goneAt: state.clock.now() - unheard })
  const isHere = liveOf(state, one.thingName).some(({ gone, no }) => !gone && no !== undefined)
  const time = ending.final || isHere ? 0 : RECONNECT_GRACE_MS - unheard
  if (time > 0) await Promise.race([one.isBack, pause(state, time)])
  // A connection that the hub opened meanwhile is written first, so that a reconnecting hub is never offline.
  await Promise.all(liveOf(state, one.thingName).map(({ entered }) => entered))
  const what = 'That a hub went away could not be written; trying again'
  const last = await patiently(state, what, () => state.leave(one))
  state.live.delete(one.connection)
  const others = state.ofThing.get(one.thingName)
  others?.delete(one)
  if (others?.size === 0) state.ofThing.delete(one.thingName)
  return { last: last ?? false }
}

function noteGoingOn(state: State): void {
  stoodStill(state)
  state.wentOn.at = state.clock.now()
  state.wentOn.cancel = state.clock.after(STILL.look, () => noteGoingOn(state))
}

/** Whether this process has just resumed after a stall: messages may be processed before any timer. */
function stoodStill({ wentOn, clock }: State): boolean {
  const now = clock.now()
  if (now - wentOn.at > STILL.late) Object.assign(wentOn, { at: now, afterStill: now })
  return now - wentOn.afterStill < STILL.counts
}

function letGo(state: State, count: number): void {
  const going = [...state.live.values()].filter(({ gone }) => !gone).slice(0, count)
  for (const one of going) {
    state.evenedOut.inc()
    one.connection.drop()
  }
}

function took(state: State, { thingName, no, newer }: Omit<Takeover, 'gateway'>): void {
  for (const one of liveOf(state, thingName)) {
    if (one.no !== no || no >= newer) continue
    one.cameBack()
    if (one.gone) continue
    state.contests.taken(connectionKey(one))
    state.takeovers.inc()
    one.connection.drop()
  }
}

async function reenter(state: State): Promise<void> {
  const mine = [...state.live.values()].filter(({ gone }) => !gone)
  const what = 'Who is connected elsewhere could not be looked up; trying again'
  const elsewhere = new Set(await patiently(state, what, () => findTakeovers(state, mine)))
  for (const one of mine)
    if (elsewhere.has(connectionKey(one))) {
      one.cameBack()
      state.takeovers.inc()
      one.connection.drop()
    } else one.entered = write(state, one)
  await Promise.all(mine.map(({ entered }) => entered))
}
