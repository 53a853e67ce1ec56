import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import type { Command, CommandState } from '../../../contract/devices/command-calls.ts'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { isSettled, type CommandTransition, type TrackedCommand } from './command.ts'

/** Data of a device that a request needs. */
export interface Target {
  type: string
  thingName: string
  online: boolean
  /** Gateway of the hub's newest connection; null without a connection, unset if not looked up. */
  gateway?: string | null | undefined
  /** Current status; null before the first report. */
  status: CommandValues | null
  /** Writable values of a Modbus device with a table, and their precision. */
  modbusRows: ModbusRow[] | null
}

export interface DeviceKey {
  tenant: string
  homeId: string
  uid: string
}

export interface CommandPersonKey {
  tenant: string
  cognitoId: string
}

/** A new command with its initial transitions. */
export interface NewCommand {
  tracked: TrackedCommand
  history: CommandTransition[]
}

/** Transitions of a command whose state is `from`. */
export interface CommandAdvance {
  tracked: TrackedCommand
  from: CommandState
  steps: CommandTransition[]
}

/** A command that another gateway has stored, for a hub that is connected to this one. */
export interface CommandClaim {
  tenant: string
  RequestID: string
  PeripheralUID: string
  HomeID: string
  thingName: string
  RequestedAt: number
  /** Maximum age of the stored command, in ms by the database's clock. */
  withinMs: number
  /** The transition to `sent`. */
  step: CommandTransition
}

/** Key of a command within its tenant. */
export const commandKeyOf = ({
  RequestID,
  PeripheralUID,
}: Pick<Command, 'RequestID' | 'PeripheralUID'>): string => `${RequestID}/${PeripheralUID}`
export const keyOf = ({ tracked }: { tracked: TrackedCommand }): string => commandKeyOf(tracked.command)

/** Columns of a row that make a Command. */
export const COMMAND_COLUMNS = `request_id as "RequestID", home_id as "HomeID", peripheral_uid as "PeripheralUID", values as "Values",
  state as "State", reason as "Reason", source as "Source", by_name as "By", run_id as "RunID", requested_at as "RequestedAt",
  settled_at as "SettledAt"`

const TARGETS = `
select k.n, p.peripheral_type as type, p.thing_name as "thingName", t.online, s.values as status, m.rows as "modbusRows",
  (select c.gateway from hub_connections c where c.thing_name = p.thing_name order by c.no desc limit 1) as gateway
from unnest($2::text[], $3::text[]) with ordinality as k (home_id, uid, n)
  join peripherals p on p.tenant = $1::uuid and p.home_id = k.home_id and p.peripheral_uid = k.uid
  join things t on t.thing_name = p.thing_name
  left join modbus_tables m on m.tenant = p.tenant and m.modbus_table_id = p.modbus_table_id
  left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid`

const PERSONS = `
select cognito_id as "cognitoId", first_name as "FirstName", last_name as "LastName", nickname, email as "Email"
from users where tenant = $1::uuid and cognito_id = any($2::uuid[])`

/**
 * Inserts in key order, so that two gateways with the same commands cannot deadlock. Skips a command whose request
 * already exists: a trigger enters each request in command_keys.
 */
const INSERT = `
insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name, state, reason,
  history, requested_at, settled_at, run_id)
select $1::uuid, r.* from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::text[],
  $9::text[], $10::text[], $11::jsonb[], $12::bigint[], $13::bigint[], $14::text[]) as r (request_id, peripheral_uid, home_id)
order by r.request_id, r.peripheral_uid
returning request_id || '/' || peripheral_uid as key`

/**
 * In key order, too: an update locks its rows in the order of the plan, whereas the locking select sorts first. $9 to
 * $11 are the request times, which limit the statement to their monthly partitions.
 */
const ADVANCE = `
with r as (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::bigint[], $9::bigint[])
    as r (request_id, peripheral_uid, before, state, reason, steps, settled_at, requested_at)
), held as materialized (
  select c.request_id, c.peripheral_uid, c.requested_at
  from commands c join r using (request_id, peripheral_uid, requested_at)
  where c.tenant = $1::uuid and c.settled_at is null and c.state = r.before
    and c.requested_at between $10::bigint and $11::bigint
  order by c.request_id, c.peripheral_uid for update of c
)
update commands c set state = r.state, reason = r.reason, history = c.history || r.steps, settled_at = r.settled_at
from held join r using (request_id, peripheral_uid)
where c.tenant = $1::uuid and c.request_id = held.request_id and c.peripheral_uid = held.peripheral_uid
  and c.requested_at = held.requested_at and c.requested_at between $10::bigint and $11::bigint
returning c.request_id || '/' || c.peripheral_uid as key`

/**
 * Moves commands from accepted to sent, if hub and home match and they are not too old, and returns their rows. Only
 * one of several gateways gets a command. Order and partitions are those of ADVANCE.
 */
const CLAIM = `
with r as (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::float8[], $8::jsonb[])
    as r (request_id, peripheral_uid, home_id, thing_name, requested_at, seconds, steps)
), held as materialized (
  select c.request_id, c.peripheral_uid, c.requested_at
  from commands c join r using (request_id, peripheral_uid, requested_at, home_id, thing_name)
  where c.tenant = $1::uuid and c.settled_at is null and c.state = 'accepted'
    and c.stored_at >= clock_timestamp() - make_interval(secs => r.seconds)
    and c.requested_at between $9::bigint and $10::bigint
  order by c.request_id, c.peripheral_uid for update of c
), moved as (
  update commands c set state = 'sent', history = c.history || r.steps
  from held join r using (request_id, peripheral_uid, requested_at)
  where c.tenant = $1::uuid and c.request_id = held.request_id and c.peripheral_uid = held.peripheral_uid
    and c.requested_at = held.requested_at and c.requested_at between $9::bigint and $10::bigint
  returning c.*
)
select ${COMMAND_COLUMNS} from moved`

/** Request time, from a table without partitions: a condition on it selects the partition of the command. */
export const selectRequestedAt = (tenant: string, requestId: string, uid: string): Sql => sql`(
  select k.requested_at from command_keys k
  where k.tenant = ${tenant} and k.request_id = ${requestId} and k.peripheral_uid = ${uid})`

/** Database statements of control, each for many commands of one tenant; no key may occur twice. */
export const commandStatements = (db: Db) => ({
  /** The devices, if they are in the given homes. */
  async readTargets(keys: DeviceKey[]): Promise<(Target | undefined)[]> {
    const rows = await db.query<Target & { n: number }>({
      name: 'control-targets',
      text: TARGETS,
      values: [keys[0]?.tenant, keys.map(({ homeId }) => homeId), keys.map(({ uid }) => uid)],
    })
    const found = new Map(rows.map(({ n, ...target }) => [n, target]))
    return keys.map((_, i) => found.get(i + 1))
  },

  /** The persons' display names; null for deleted ones. */
  async readNames(keys: CommandPersonKey[]): Promise<(string | null)[]> {
    const rows = await db.query<Parameters<typeof displayName>[0] & { cognitoId: string }>({
      name: 'control-names',
      text: PERSONS,
      values: [keys[0]?.tenant, [...new Set(keys.map(({ cognitoId }) => cognitoId))]],
    })
    const readNames = new Map(rows.map(({ cognitoId, ...person }) => [cognitoId, displayName(person)]))
    return keys.map(({ cognitoId }) => readNames.get(cognitoId) ?? null)
  },

  /** Stores commands; false for one whose RequestID and device exist already. */
  async insert(items: NewCommand[]): Promise<boolean[]> {
    const columnOf = (value: (item: NewCommand) => unknown) => items.map(value)
    const rows = await db.query<{ key: string }>({
      name: 'control-insert',
      text: INSERT,
      values: [
        items[0]?.tracked.tenant,
        columnOf(({ tracked }) => tracked.command.RequestID),
        columnOf(({ tracked }) => tracked.command.PeripheralUID),
        columnOf(({ tracked }) => tracked.command.HomeID),
        columnOf(({ tracked }) => tracked.thingName),
        columnOf(({ tracked }) => JSON.stringify(tracked.command.Values)),
        columnOf(({ tracked }) => tracked.command.Source),
        columnOf(({ tracked }) => tracked.command.By),
        columnOf(({ tracked }) => tracked.command.State),
        columnOf(({ tracked }) => tracked.command.Reason),
        columnOf(({ history }) => JSON.stringify(history)),
        columnOf(({ tracked }) => tracked.command.RequestedAt),
        columnOf(({ tracked }) => tracked.command.SettledAt),
        columnOf(({ tracked }) => tracked.command.RunID),
      ],
    })
    const stored = new Set(rows.map(({ key }) => key))
    return items.map((item) => stored.has(keyOf(item)))
  },

  /** Appends transitions; false for a command in another state, because another gateway has advanced it. */
  async advance(items: CommandAdvance[]): Promise<boolean[]> {
    const lastSteps = items.map(({ steps }) => steps.at(-1) as CommandTransition)
    const times = items.map(({ tracked }) => tracked.command.RequestedAt)
    const rows = await db.query<{ key: string }>({
      name: 'control-advance',
      text: ADVANCE,
      values: [
        items[0]?.tracked.tenant,
        items.map(({ tracked }) => tracked.command.RequestID),
        items.map(({ tracked }) => tracked.command.PeripheralUID),
        items.map(({ from }) => from),
        lastSteps.map(({ State }) => State),
        lastSteps.map(({ Reason }) => Reason),
        items.map(({ steps }) => JSON.stringify(steps)),
        lastSteps.map(({ State, Timestamp }) => (isSettled(State) ? Timestamp : null)),
        times,
        Math.min(...times),
        Math.max(...times),
      ],
    })
    const advanced = new Set(rows.map(({ key }) => key))
    return items.map((item) => advanced.has(keyOf(item)))
  },

  /** The commands that this gateway must deliver, from their rows; undefined for one that it must not deliver. */
  async claim(items: CommandClaim[]): Promise<(TrackedCommand | undefined)[]> {
    const times = items.map(({ RequestedAt }) => RequestedAt)
    const rows = await db.query<Command>({
      name: 'control-claim',
      text: CLAIM,
      values: [
        items[0]?.tenant,
        items.map(({ RequestID }) => RequestID),
        items.map(({ PeripheralUID }) => PeripheralUID),
        items.map(({ HomeID }) => HomeID),
        items.map(({ thingName }) => thingName),
        times,
        items.map(({ withinMs }) => withinMs / 1000),
        items.map(({ step }) => JSON.stringify([step])),
        Math.min(...times),
        Math.max(...times),
      ],
    })
    const claimed = new Map(rows.map((command) => [commandKeyOf(command), command]))
    return items.map(({ tenant, thingName, ...item }) => {
      const command = claimed.get(commandKeyOf(item))
      return command && { tenant, thingName, command }
    })
  },
})
