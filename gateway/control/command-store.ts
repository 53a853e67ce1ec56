import type { CommandValues } from '../../contract/device-kinds/capability.ts'
import type { Command, CommandState } from '../../contract/procedures/commands.ts'
import { displayName } from '../../contract/rules/display-name.ts'
import { type Db, type Sql, sql } from '../store/db.ts'
import { isSettled, type Step, type Tracked } from './command.ts'

/** What a request needs to know of its device. */
export interface Target {
  type: string
  thingName: string
  online: boolean
}

const COLUMNS = sql`request_id as "RequestID", home_id as "HomeID", peripheral_uid as "PeripheralUID", values as "Values",
  state as "State", reason as "Reason", source as "Source", by_name as "By", requested_at as "RequestedAt",
  settled_at as "SettledAt"`

/** The commands table: every change is one statement that only an unsettled command takes. */
export function createCommandStore(db: Db) {
  const where = ({ tenant, command }: Tracked) => sql`tenant = ${tenant} and request_id = ${command.RequestID}
    and peripheral_uid = ${command.PeripheralUID}`

  const read = async (condition: Sql): Promise<Tracked[]> => {
    const rows = await db.query<Command & { tenant: string; thingName: string }>(
      sql`select tenant, thing_name as "thingName", ${COLUMNS} from commands where ${condition}`,
    )
    return rows.map(({ tenant, thingName, ...command }) => ({ tenant, thingName, command }))
  }

  return {
    /** The device, if it is of this home. */
    async target(tenant: string, homeId: string, uid: string): Promise<Target | undefined> {
      const [row] = await db.query<Target>(sql`
        select p.peripheral_type as type, p.thing_name as "thingName", t.online
        from peripherals p join things t on t.thing_name = p.thing_name
        where p.tenant = ${tenant} and p.home_id = ${homeId} and p.peripheral_uid = ${uid}`)
      return row
    },

    /** A person's display name, for the list of commands. */
    async nameOf(tenant: string, cognitoId: string): Promise<string | null> {
      const [row] = await db.query<Parameters<typeof displayName>[0]>(sql`
        select first_name as "FirstName", last_name as "LastName", nickname, email as "Email"
        from users where tenant = ${tenant} and cognito_id = ${cognitoId}`)
      return row ? displayName(row) : null
    },

    /** Stores a new command; false when there is one of this RequestID and device already. */
    async insert({ tenant, thingName, command }: Tracked, history: Step[]): Promise<boolean> {
      const rows = await db.query(sql`
        insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name, state,
          reason, history, requested_at, settled_at)
        values (${tenant}, ${command.RequestID}, ${command.PeripheralUID}, ${command.HomeID}, ${thingName},
          ${JSON.stringify(command.Values)}, ${command.Source}, ${command.By}, ${command.State}, ${command.Reason},
          ${JSON.stringify(history)}, ${command.RequestedAt}, ${command.SettledAt})
        on conflict do nothing returning 1`)
      return rows.length > 0
    },

    /**
     * Adds steps to a command that stands in one of the states `from`.
     *
     * returns  false when it stands elsewhere, because another gateway has moved it
     */
    async advance(tracked: Tracked, from: CommandState[], steps: Step[]): Promise<boolean> {
      const last = steps.at(-1) as Step
      const rows = await db.query(sql`
        update commands set state = ${last.State}, reason = ${last.Reason},
          history = history || ${JSON.stringify(steps)}::jsonb,
          settled_at = ${isSettled(last.State) ? last.Timestamp : null}::bigint
        where ${where(tracked)} and settled_at is null and state = any(${from}) returning 1`)
      return rows.length > 0
    },

    async find(tenant: string, requestId: string, uid: string): Promise<Tracked | undefined> {
      const [found] = await read(
        sql`tenant = ${tenant} and request_id = ${requestId} and peripheral_uid = ${uid}`,
      )
      return found
    },

    /** Every command that is still under way. */
    open: () => read(sql`settled_at is null order by requested_at`),

    /** The status of the command's device, if one was stored since the command was requested. */
    async statusSince({ tenant, command }: Tracked): Promise<CommandValues | undefined> {
      const [row] = await db.query<{ values: CommandValues }>(sql`
        select values from device_status where tenant = ${tenant} and peripheral_uid = ${command.PeripheralUID}
          and updated_at >= ${command.RequestedAt}::bigint`)
      return row?.values
    },

    /** The last commands to one device, newest first. */
    async list(
      tenant: string,
      key: { HomeID: string; PeripheralUID: string },
      limit: number,
    ): Promise<Command[]> {
      return db.query<Command>(sql`
        select ${COLUMNS} from commands where tenant = ${tenant} and home_id = ${key.HomeID}
          and peripheral_uid = ${key.PeripheralUID} order by requested_at desc, request_id limit ${limit}::int`)
    },
  }
}

export type CommandStore = ReturnType<typeof createCommandStore>
