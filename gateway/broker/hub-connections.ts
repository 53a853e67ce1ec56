import { Counter, Gauge, type Registry as Metrics } from 'prom-client'
import { GatewayError } from '../errors.ts'
import type { Clock, Log } from '../ports.ts'
import { idArray, numberArray } from '../store/array-literal.ts'
import { type Db, raw, sql } from '../store/db.ts'
import { createGather } from '../store/gather.ts'
import { type Contests, createContests } from './contests.ts'
import type { BrokerConnection, Ending, ThingClient } from './port.ts'

type Party = ThingClient['party']

/** A hub or scanner that came or went, at an epoch ms. */
export interface Went {
  thingName: string
  at: number
}

/** Writes in a transaction that hubs, or scanners, came or went; what it answers is done once that is committed. */
export type WritePresence = (tx: Db, went: readonly Went[], online: boolean) => Promise<() => void>

/** Somebody is connected elsewhere since `newer` by the same client id: connection `no` of that gateway is over. */
export interface Took {
  gateway: string
  thingName: string
  no: number
  newer: number
}

export interface HubConnectionsOptions {
  db: Db
  clock: Clock
  log: Log
  metrics: Metrics
  /** This gateway's id. */
  gatewayId: () => string
  /** How the presence of each party is written. */
  writers: Record<Party, WritePresence>
  /** Tells another gateway that one of its connections was taken over. */
  tellTook: (took: Took) => void
}

/** What is known here of one connection. */
interface Live {
  party: Party
  thingName: string
  connection: BrokerConnection
  /** Its row; undefined until it is written. */
  no: number | undefined
  gone: boolean
  /** What its welcome waits for; undefined when that leaves at once. */
  welcome: Promise<void> | undefined
  entered: Promise<void>
  left: Promise<{ last: boolean }> | undefined
  /** Since when it is not there any more, epoch ms. */
  goneAt: number
  /** Resolves when its hub is connected again, at whichever gateway. */
  isBack: Promise<void>
  cameBack: () => void
}

/** What could not be written is tried again after this, in ms. */
const RETRY_AFTER = 1_000
/** How long a hub that was cut off has to come back, to whichever gateway, before it is offline, in ms. */
const TIME_TO_COME_BACK = 30_000
/** Between two notes that this process goes on, one that comes so late says that it stood still, and for how long that counts; in ms. */
const STILL = { look: 500, late: 2_000, counts: 5_000 }

const TABLES = {
  hub: { table: raw('things'), column: raw('thing_name') },
  scanner: { table: raw('scanners'), column: raw('scanner_name') },
} as const

export type HubConnections = ReturnType<typeof createHubConnections>

interface State extends HubConnectionsOptions {
  live: Map<BrokerConnection, Live>
  /** The same by hub. */
  ofThing: Map<string, Set<Live>>
  /** When this process was last seen to go on, and when it went on after it had stood still; epoch ms. */
  wentOn: { at: number; afterStill: number; cancel: () => void }
  closed: boolean
  /** Resolves when nothing more is waited for. */
  closing: Promise<void>
  contests: Contests
  takeovers: Counter
  evenedOut: Counter
  enter(one: Live): Promise<boolean>
  leave(one: Live): Promise<boolean>
}

/**
 * The connections of hubs and scanners, as rows that all gateways of the database see. One is online as long as it has a row,
 * anywhere: whoever comes back at another gateway before the first one has noticed is never offline.
 */
export function createHubConnections(options: HubConnectionsOptions) {
  let endWaiting = () => {}
  const closing = new Promise<void>((resolve) => (endWaiting = resolve))
  const state: State = {
    ...options,
    ...createFigures(options.metrics, () => countOf(state)),
    contests: createContests(options),
    live: new Map(),
    ofThing: new Map(),
    wentOn: { at: options.clock.now(), afterStill: -Infinity, cancel: () => {} },
    closed: false,
    closing,
    enter: gatherByHub((items) => enterAll(options, items)),
    leave: gatherByHub((items) => leaveAll(options, items)),
  }
  noteGoingOn(state)
  return {
    /** A hub or scanner is connected, from now on. Never fails: it is written as soon as the database allows. */
    came: (client: ThingClient, connection: BrokerConnection): Promise<void> =>
      came(state, client, connection),
    /**
     * A connection ended; may be called again. Never fails. Unless that is final its hub has half a minute to come back.
     *
     * returns  last: its hub has no other one, at any gateway
     */
    went: (connection: BrokerConnection, ending: Ending): Promise<{ last: boolean }> =>
      went(state, connection, ending),
    /** Another gateway says that its connection with the number `newer` is of the same client as `no` here. */
    took: (told: Omit<Took, 'gateway'>): void => took(state, told),
    /** Whether a hub or scanner is connected here. */
    isHere: (thingName: string): boolean => liveOf(state, thingName).some(({ gone }) => !gone),
    /** What the welcome of a connection waits for: two devices that take turns with one client id are slowed. */
    welcome: (connection: BrokerConnection): Promise<void> | undefined => state.live.get(connection)?.welcome,
    /** How many hubs and scanners are connected here. */
    count: (): number => countOf(state),
    /** Ends so many connections, the oldest first: their hubs come to other gateways and are never offline. */
    letGo: (count: number): void => letGo(state, count),
    /** The gateway of the newest connection of a hub or scanner; undefined for one that has none. */
    whereIs: createGather<string, string | undefined>({
      groupOf: () => '',
      keyOf: (thingName) => thingName,
      run: (names) => whereAre(options, names),
    }),
    /**
     * After this gateway was taken for dead: ends the connections whose client is elsewhere by now, and enters the others under
     * its new id.
     */
    reenter: (): Promise<void> => reenter(state),
    /** Writes no further connection; those that end now keep their rows, and with them the time to come to another gateway. */
    async close(): Promise<void> {
      state.closed = true
      state.wentOn.cancel()
      endWaiting()
      await Promise.all([...state.live.values()].flatMap(({ entered, left }) => [entered, left]))
    },
  }
}

const gatherByHub = (run: (items: Live[]) => Promise<boolean[]>) =>
  createGather<Live, boolean>({
    groupOf: ({ party }) => party,
    keyOf: ({ thingName }) => thingName,
    run,
  })

const liveOf = ({ ofThing }: State, thingName: string): Live[] => [...(ofThing.get(thingName) ?? [])]

/** Those that have ended and are still to be written are not connected. */
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

/** Does it as soon as the database allows; undefined when it never did. */
async function patiently<T>(state: State, what: string, work: () => Promise<T>): Promise<T | undefined> {
  while (!state.closed)
    try {
      return await work()
    } catch (err) {
      state.log.warn({ err }, what)
      if (!(err instanceof GatewayError && err.code === 'UNAVAILABLE')) return undefined
      await pause(state, RETRY_AFTER)
    }
  return undefined
}

/** Resolves after so many ms, or when this gateway ends. */
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
  if (others.some((other) => !other.gone && keyOf(other) === keyOf(one))) state.contests.taken(keyOf(one))
  const wait = state.contests.waitOf(keyOf(one))
  if (wait > 0) one.welcome = pause(state, wait)
  state.live.set(connection, one)
  state.ofThing.set(thingName, new Set(others).add(one))
  return (one.entered = one.welcome ? one.welcome.then(() => write(state, one)) : write(state, one))
}

/**
 * Where this gateway was taken for dead nothing is written: it enters whoever is still here once it goes on under another id. Nor
 * of one that came and went while the database was away: nobody has seen it.
 */
const write = (state: State, one: Live): Promise<void> =>
  patiently(state, 'That a hub came could not be written; trying again', async () => {
    if (one.gone) return
    await state.enter(one)
    if (one.no === undefined) return
    for (const other of liveOf(state, one.thingName)) if (other.gone) other.cameBack()
  })

function went(state: State, connection: BrokerConnection, ending: Ending): Promise<{ last: boolean }> {
  const one = state.live.get(connection)
  if (!one) return Promise.resolve({ last: false })
  return (one.left ??= end(state, one, ending))
}

async function end(state: State, one: Live, ending: Ending): Promise<{ last: boolean }> {
  // While this process stood still it heard nobody, who may have said much.
  const unheard = stoodStill(state) ? 0 : ending.unheard
  Object.assign(one, { gone: true, goneAt: state.clock.now() - unheard })
  const isHere = liveOf(state, one.thingName).some(({ gone, no }) => !gone && no !== undefined)
  const time = ending.final || isHere ? 0 : TIME_TO_COME_BACK - unheard
  if (time > 0) await Promise.race([one.isBack, pause(state, time)])
  // One that its hub has opened meanwhile counts before this one goes: a hub that comes back is never offline.
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

/** Whether this process has just gone on after it had stood still: what is heard first may come before any timer. */
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

function took(state: State, { thingName, no, newer }: Omit<Took, 'gateway'>): void {
  for (const one of liveOf(state, thingName)) {
    if (one.no !== no || no >= newer) continue
    one.cameBack()
    if (one.gone) continue
    state.contests.taken(keyOf(one))
    state.takeovers.inc()
    one.connection.drop()
  }
}

async function reenter(state: State): Promise<void> {
  const mine = [...state.live.values()].filter(({ gone }) => !gone)
  const what = 'Who is connected elsewhere could not be looked up; trying again'
  const elsewhere = new Set(await patiently(state, what, () => alreadyElsewhere(state, mine)))
  for (const one of mine)
    if (elsewhere.has(keyOf(one))) {
      one.cameBack()
      state.takeovers.inc()
      one.connection.drop()
    } else one.entered = write(state, one)
  await Promise.all(mine.map(({ entered }) => entered))
}

async function whereAre(
  { db }: HubConnectionsOptions,
  names: readonly string[],
): Promise<(string | undefined)[]> {
  const rows = await db.query<{ name: string; gateway: string }>({
    name: 'where-hubs-are',
    text: `select distinct on (n.name) n.name, c.gateway from unnest($1::text[]) as n (name)
      join hub_connections c on c.thing_name = n.name or c.scanner_name = n.name order by n.name, c.no desc`,
    values: [names],
  })
  const found = new Map(rows.map(({ name, gateway }) => [name, gateway]))
  return names.map((name) => found.get(name))
}

/** A client id may be anything; the database takes no NUL. */
const clientOf = ({ connection }: Live): string => connection.clientId.replaceAll('\0', '')
const keyOf = (one: Live): string => `${one.thingName} ${clientOf(one)}`

interface EnteredRow {
  no: number
  name: string
  client: string
  olders: { no: number; gateway: string }[] | null
}

/**
 * Enters connections of one party. The hubs are locked first, in their order: a statement that decides by what it saw before it had
 * the lock would decide by what was.
 *
 * returns  false for each when this gateway was taken for dead
 */
async function enterAll(options: HubConnectionsOptions, items: readonly Live[]): Promise<boolean[]> {
  const { db, clock, gatewayId, writers } = options
  const party = items[0]?.party ?? 'hub'
  const { table, column } = TABLES[party]
  const gateway = gatewayId()
  const at = clock.now()
  const { rows, tell, isAlive } = await db.transaction(async (tx) => {
    // The gateway before its hubs, as whoever declares it dead does.
    const alive = await tx.query(sql`select 1 from gateways where id = ${gateway} for key share`)
    if (alive.length === 0) return { rows: [] as EnteredRow[], tell: () => {}, isAlive: false }
    const locked = await lockThings(tx, party, items)
    const rows = await tx.query<EnteredRow>(sql`
      with entered as (
        insert into hub_connections (${column}, gateway, client_id, since)
        select w.name, ${gateway}, w.client, ${at}::bigint
        from unnest(${idArray(items.map(({ thingName }) => thingName))}::text[], ${items.map(clientOf)}::text[])
          with ordinality as w (name, client, n)
        join ${table} t on t.thing_name = w.name
        order by w.n
        returning no, ${column} as name, client_id)
      select e.no, e.name, e.client_id as client, (select jsonb_agg(jsonb_build_object('no', o.no, 'gateway', o.gateway))
        from hub_connections o where o.${column} = e.name and o.client_id = e.client_id and o.gateway <> ${gateway}) as olders
      from entered e`)
    const came = locked.flatMap(({ name, online }) => (online ? [] : [{ thingName: name, at }]))
    return { rows, tell: came.length > 0 ? await writers[party](tx, came, true) : () => {}, isAlive: true }
  })
  const byKey = new Map(rows.map((row) => [`${row.name} ${row.client}`, row]))
  for (const one of items) {
    const row = byKey.get(keyOf(one))
    one.no = row?.no
    for (const older of row?.olders ?? [])
      options.tellTook({
        gateway: older.gateway,
        thingName: one.thingName,
        no: older.no,
        newer: row?.no ?? 0,
      })
  }
  tell()
  return items.map(() => isAlive)
}

/** Takes the rows of connections away, and puts those hubs offline that have no other. */
async function leaveAll(options: HubConnectionsOptions, items: readonly Live[]): Promise<boolean[]> {
  const { db, writers } = options
  const party = items[0]?.party ?? 'hub'
  const { last, tell } = await db.transaction(async (tx) => {
    await lockThings(tx, party, items)
    const numbers = items.flatMap(({ no }) => no ?? [])
    await tx.query(sql`delete from hub_connections where no = any(${numberArray(numbers)}::bigint[])`)
    return putOffline(
      tx,
      party,
      items.map(({ thingName, goneAt }) => ({ thingName, at: goneAt })),
      writers[party],
    )
  })
  tell()
  return items.map(({ thingName }) => last.has(thingName))
}

async function lockThings(tx: Db, party: Party, items: readonly { thingName: string }[]) {
  const { table } = TABLES[party]
  return tx.query<{ name: string; online: boolean }>(sql`
    select thing_name as name, online from ${table}
    where thing_name = any(${idArray(items.map(({ thingName }) => thingName))}::text[])
    order by thing_name collate "C" for no key update`)
}

/** Puts hubs that are locked offline, unless they have a row; none of them comes twice. */
async function putOffline(
  tx: Db,
  party: Party,
  went: readonly Went[],
  write: WritePresence,
): Promise<{ last: Set<string>; tell: () => void }> {
  const { table, column } = TABLES[party]
  const rows = await tx.query<{ name: string; online: boolean }>(sql`
    select t.thing_name as name, t.online from ${table} t
    where t.thing_name = any(${idArray(went.map(({ thingName }) => thingName))}::text[])
      and not exists (select from hub_connections c where c.${column} = t.thing_name)`)
  const online = new Set(rows.flatMap((row) => (row.online ? [row.name] : [])))
  const gone = went.filter(({ thingName }) => online.has(thingName))
  const tell = gone.length > 0 ? await write(tx, gone, false) : () => {}
  return { last: new Set(rows.map(({ name }) => name)), tell }
}

/** Which of these clients have a row by now, which is another gateway's. */
async function alreadyElsewhere({ db }: HubConnectionsOptions, mine: readonly Live[]): Promise<string[]> {
  if (mine.length === 0) return []
  const rows = await db.query<{ key: string }>(sql`
    select distinct w.name || ' ' || w.client as key
    from unnest(${idArray(mine.map(({ thingName }) => thingName))}::text[], ${mine.map(clientOf)}::text[]) as w (name, client)
    join hub_connections c on (c.thing_name = w.name or c.scanner_name = w.name) and c.client_id = w.client`)
  return rows.map(({ key }) => key)
}

/**
 * Takes dead gateways away with the connections they had, and puts those hubs offline that are at no other, since their gateway
 * was last seen.
 */
export async function buryGateways(
  tx: Db,
  dead: readonly { id: string; age: number }[],
  { clock, writers }: Pick<HubConnectionsOptions, 'clock' | 'writers'>,
): Promise<() => void> {
  const ids = idArray(dead.map(({ id }) => id))
  const ages = numberArray(dead.map(({ age }) => Math.round(age)))
  const orphans = await tx.query<{ name: string; party: Party; age: number }>(sql`
    select coalesce(c.thing_name, c.scanner_name) as name,
      case when c.thing_name is null then 'scanner' else 'hub' end as party, min(d.age)::float8 as age
    from hub_connections c join unnest(${ids}::text[], ${ages}::bigint[]) as d (id, age) on d.id = c.gateway
    group by 1, 2`)
  const now = clock.now()
  const afterwards: (() => void)[] = []
  for (const party of ['hub', 'scanner'] as const) {
    const went = orphans
      .filter((orphan) => orphan.party === party)
      .map(({ name, age }) => ({ thingName: name, at: now - age }))
    if (went.length === 0) continue
    await lockThings(tx, party, went)
    await tx.query(sql`delete from hub_connections where gateway = any(${ids}::text[])
      and ${TABLES[party].column} is not null`)
    afterwards.push((await putOffline(tx, party, went, writers[party])).tell)
  }
  await tx.query(sql`delete from gateways where id = any(${ids}::text[])`)
  return () => {
    for (const tell of afterwards) tell()
  }
}
