import type { Clock } from '../kernel/ports.ts'
import { idArray, numberArray } from '../store/sql.ts'
import { type Db, raw, sql } from '../kernel/db.ts'
import type { BrokerConnection, ConnectionChange, ThingClient, WritePresence } from '../kernel/broker.ts'

export type Party = ThingClient['party']

/** The client has reconnected at another gateway, with row `newerRowNo`: row `rowNo` of `gateway` is obsolete. */
export interface Takeover {
  gateway: string
  thingName: string
  rowNo: number
  newerRowNo: number
}

/** A connection with the values of its row. */
export interface ConnectionRow {
  party: Party
  thingName: string
  connection: Pick<BrokerConnection, 'clientId'>
  /** Number of its row; undefined until the row is written. */
  rowNo: number | undefined
  /** Time at which it ended, epoch ms. */
  endedAt: number
}

/** Dependencies of writing connection rows. */
export interface RowsOptions {
  db: Db
  clock: Clock
  readGatewayId: () => string
  /** Writer of online states by party. */
  presenceWriters: Record<Party, WritePresence>
  /** Notifies another gateway that one of its connections was taken over. */
  notifyTakeover: (takeover: Takeover) => void
}

const TABLES = {
  hub: { table: raw('things'), column: raw('thing_name') },
  scanner: { table: raw('scanners'), column: raw('scanner_name') },
} as const

/** The gateway of the newest connection of each hub or scanner; undefined for one without a connection. */
export async function findGateways(
  { db }: Pick<RowsOptions, 'db'>,
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

/** Client id as stored: the database does not accept NUL. */
const clientIdOf = ({ connection }: ConnectionRow): string => connection.clientId.replaceAll('\0', '')
export const connectionKey = (row: ConnectionRow): string => `${row.thingName} ${clientIdOf(row)}`

interface EnteredRow {
  no: number
  name: string
  client: string
  olders: { no: number; gateway: string }[] | null
}

/**
 * Inserts connections of one party. Locks the hubs first, in a fixed order: a statement that reads before it has the
 * lock would decide by outdated rows.
 *
 * returns  false for each if another gateway has declared this one dead
 */
export async function insertConnections(
  options: RowsOptions,
  items: readonly ConnectionRow[],
): Promise<boolean[]> {
  const { db, clock, readGatewayId, presenceWriters } = options
  const party = items[0]?.party ?? 'hub'
  const { table, column } = TABLES[party]
  const gateway = readGatewayId()
  const at = clock.now()
  const {
    rows,
    tell: notify,
    isAlive,
  } = await db.transaction(async (tx) => {
    // Locks the gateway before its hubs, in the same order as the transaction that declares a gateway dead.
    const alive = await tx.query(sql`select 1 from gateways where id = ${gateway} for key share`)
    if (alive.length === 0) return { rows: [] as EnteredRow[], tell: () => {}, isAlive: false }
    const locked = await lockThings(tx, party, items)
    const rows = await tx.query<EnteredRow>(sql`
      with entered as (
        insert into hub_connections (${column}, gateway, client_id, since)
        select w.name, ${gateway}, w.client, ${at}::bigint
        from unnest(${idArray(items.map(({ thingName }) => thingName))}::text[], ${items.map(clientIdOf)}::text[])
          with ordinality as w (name, client, n)
        join ${table} t on t.thing_name = w.name
        order by w.n
        returning no, ${column} as name, client_id)
      select e.no, e.name, e.client_id as client, (select jsonb_agg(jsonb_build_object('no', o.no, 'gateway', o.gateway))
        from hub_connections o where o.${column} = e.name and o.client_id = e.client_id and o.gateway <> ${gateway}) as olders
      from entered e`)
    const changes = locked.flatMap(({ name, online }) => (online ? [] : [{ thingName: name, at }]))
    return {
      rows,
      tell: changes.length > 0 ? await presenceWriters[party](tx, changes, true) : () => {},
      isAlive: true,
    }
  })
  const byKey = new Map(rows.map((row) => [`${row.name} ${row.client}`, row]))
  for (const item of items) {
    const row = byKey.get(connectionKey(item))
    item.rowNo = row?.no
    for (const older of row?.olders ?? [])
      options.notifyTakeover({
        gateway: older.gateway,
        thingName: item.thingName,
        rowNo: older.no,
        newerRowNo: row?.no ?? 0,
      })
  }
  notify()
  return items.map(() => isAlive)
}

/** Deletes the rows of connections, and sets hubs without another connection offline; true for each hub without one. */
export async function deleteConnections(
  options: RowsOptions,
  items: readonly ConnectionRow[],
): Promise<boolean[]> {
  const { db, presenceWriters } = options
  const party = items[0]?.party ?? 'hub'
  const { withoutConnection: lastConnected, notify } = await db.transaction(async (tx) => {
    await lockThings(tx, party, items)
    const numbers = items.flatMap(({ rowNo }) => rowNo ?? [])
    await tx.query(sql`delete from hub_connections where no = any(${numberArray(numbers)}::bigint[])`)
    return setOffline(
      tx,
      party,
      items.map(({ thingName, endedAt }) => ({ thingName, at: endedAt })),
      presenceWriters[party],
    )
  })
  notify()
  return items.map(({ thingName }) => lastConnected.has(thingName))
}

async function lockThings(tx: Db, party: Party, items: readonly { thingName: string }[]) {
  const { table } = TABLES[party]
  return tx.query<{ name: string; online: boolean }>(sql`
    select thing_name as name, online from ${table}
    where thing_name = any(${idArray(items.map(({ thingName }) => thingName))}::text[])
    order by thing_name collate "C" for no key update`)
}

/** Sets locked hubs without a connection row offline; `changes` names each hub once. */
async function setOffline(
  tx: Db,
  party: Party,
  changes: readonly ConnectionChange[],
  write: WritePresence,
): Promise<{ withoutConnection: Set<string>; notify: () => void }> {
  const { table, column } = TABLES[party]
  const rows = await tx.query<{ name: string; online: boolean }>(sql`
    select t.thing_name as name, t.online from ${table} t
    where t.thing_name = any(${idArray(changes.map(({ thingName }) => thingName))}::text[])
      and not exists (select from hub_connections c where c.${column} = t.thing_name)`)
  const online = new Set(rows.flatMap((row) => (row.online ? [row.name] : [])))
  const offline = changes.filter(({ thingName }) => online.has(thingName))
  const notify = offline.length > 0 ? await write(tx, offline, false) : () => {}
  return { withoutConnection: new Set(rows.map(({ name }) => name)), notify }
}

/** Keys of the connections whose client already has a row, which belongs to another gateway. */
export async function findTakeovers(
  { db }: Pick<RowsOptions, 'db'>,
  connections: readonly ConnectionRow[],
): Promise<string[]> {
  if (connections.length === 0) return []
  const rows = await db.query<{ key: string }>(sql`
    select distinct w.name || ' ' || w.client as key
    from unnest(${idArray(connections.map(({ thingName }) => thingName))}::text[], ${connections.map(clientIdOf)}::text[]) as w (name, client)
    join hub_connections c on (c.thing_name = w.name or c.scanner_name = w.name) and c.client_id = w.client`)
  return rows.map(({ key }) => key)
}

/**
 * Deletes dead gateways with their connections, and sets hubs without a connection elsewhere offline, as of the time
 * at which their gateway was last alive.
 */
export async function deleteDeadGateways(
  tx: Db,
  dead: readonly { id: string; age: number }[],
  { clock, presenceWriters }: Pick<RowsOptions, 'clock' | 'presenceWriters'>,
): Promise<() => void> {
  const ids = idArray(dead.map(({ id }) => id))
  const ages = numberArray(dead.map(({ age }) => Math.round(age)))
  const orphans = await tx.query<{ name: string; party: Party; age: number }>(sql`
    select coalesce(c.thing_name, c.scanner_name) as name,
      case when c.thing_name is null then 'scanner' else 'hub' end as party, min(d.age)::float8 as age
    from hub_connections c join unnest(${ids}::text[], ${ages}::bigint[]) as d (id, age) on d.id = c.gateway
    group by 1, 2`)
  const now = clock.now()
  const afterCommit: (() => void)[] = []
  for (const party of ['hub', 'scanner'] as const) {
    const changes = orphans
      .filter((orphan) => orphan.party === party)
      .map(({ name, age }) => ({ thingName: name, at: now - age, hasGatewayEnded: true }))
    if (changes.length === 0) continue
    await lockThings(tx, party, changes)
    await tx.query(sql`delete from hub_connections where gateway = any(${ids}::text[])
      and ${TABLES[party].column} is not null`)
    afterCommit.push((await setOffline(tx, party, changes, presenceWriters[party])).notify)
  }
  await tx.query(sql`delete from gateways where id = any(${ids}::text[])`)
  return () => {
    for (const notify of afterCommit) notify()
  }
}
