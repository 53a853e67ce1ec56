import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import type { Command } from '../../../contract/devices/command-calls.ts'
import { type Db, raw, type Sql, sql } from '../../kernel/db.ts'
import { ACK_TIMEOUT_MS, CONFIRM_TIMEOUT_MS, type TrackedCommand } from './command.ts'
import {
  type CommandAdvance,
  type CommandClaim,
  COMMAND_COLUMNS,
  commandKeyOf,
  commandStatements,
  type DeviceKey,
  keyOf,
  type NewCommand,
  type CommandPersonKey,
  selectRequestedAt,
} from './command-statements.ts'
import { createRequestCoalescer } from '../../store/coalesce-requests.ts'

const COLUMNS = raw(COMMAND_COLUMNS)

/** Age at which no gateway tracks a command any longer, in ms. */
const OVERDUE_AFTER_MS = ACK_TIMEOUT_MS + CONFIRM_TIMEOUT_MS + 2_000

/** The commands table: every change is one statement that affects only an unsettled command. */
export function createCommandStore(db: Db) {
  const readCommands = async (condition: Sql): Promise<TrackedCommand[]> => {
    const rows = await db.query<Command & { tenant: string; thingName: string }>(
      sql`select tenant, thing_name as "thingName", ${COLUMNS} from commands where ${condition}`,
    )
    return rows.map(({ tenant, thingName, ...command }) => ({ tenant, thingName, command }))
  }

  const statements = commandStatements(db)
  // A person may switch a hundred devices with one click: concurrent requests are read and stored together.
  const groupOf = ({ tenant }: { tenant: string }) => tenant
  const groupOfCommand = ({ tracked }: { tracked: TrackedCommand }) => tracked.tenant

  return {
    /** The device, if it belongs to this home. */
    target: createRequestCoalescer({
      run: statements.readTargets,
      groupOf,
      keyOf: ({ homeId, uid }: DeviceKey) => `${homeId}/${uid}`,
    }),

    /** A person's display name, for the list of commands; null if the person was deleted. */
    nameOf: createRequestCoalescer<CommandPersonKey, string | null>({ run: statements.readNames, groupOf }),

    /** Stores a new command; false if one with this RequestID and device exists. */
    insert: createRequestCoalescer<NewCommand, boolean>({
      run: statements.insert,
      groupOf: groupOfCommand,
      keyOf,
    }),

    /**
     * Appends transitions to a command whose state is `from`.
     *
     * returns  false if its state is another, because another gateway has advanced it
     */
    advance: createRequestCoalescer<CommandAdvance, boolean>({
      run: statements.advance,
      groupOf: groupOfCommand,
      keyOf,
    }),

    /** Moves a command that this gateway delivers from accepted to sent, and returns it; undefined if it must not be delivered. */
    claim: createRequestCoalescer<CommandClaim, TrackedCommand | undefined>({
      run: statements.claim,
      groupOf,
      keyOf: commandKeyOf,
    }),

    async find(tenant: string, requestId: string, uid: string): Promise<TrackedCommand | undefined> {
      const [found] = await readCommands(
        sql`tenant = ${tenant} and request_id = ${requestId} and peripheral_uid = ${uid}
          and requested_at = ${selectRequestedAt(tenant, requestId, uid)}`,
      )
      return found
    },

    /** A command that was stored more than `withinMs` ms ago by the database's clock, and never sent. */
    async findLate(
      { tenant, RequestID, PeripheralUID }: { tenant: string; RequestID: string; PeripheralUID: string },
      withinMs: number,
    ): Promise<TrackedCommand | undefined> {
      const [found] = await readCommands(
        sql`tenant = ${tenant} and request_id = ${RequestID} and peripheral_uid = ${PeripheralUID}
          and requested_at = ${selectRequestedAt(tenant, RequestID, PeripheralUID)} and state = 'accepted'
          and stored_at < clock_timestamp() - make_interval(secs => ${withinMs / 1000}::float8)`,
      )
      return found
    },

    /** Unsettled commands past their deadline, by the database's clock. */
    overdue: () =>
      readCommands(sql`settled_at is null and (stored_at < clock_timestamp() - make_interval(secs => ${OVERDUE_AFTER_MS / 1000}::float8)
        or (state = 'accepted' and stored_at < clock_timestamp() - make_interval(secs => ${ACK_TIMEOUT_MS / 1000}::float8)))
        order by requested_at limit 200`),

    /** The unsettled commands of a run. */
    openOfRun: (tenant: string, runId: string) =>
      readCommands(
        sql`tenant = ${tenant} and run_id = ${runId} and settled_at is null order by requested_at`,
      ),

    /** The status of the command's device, if it was stored since the request. */
    async readStatusSince({ tenant, command }: TrackedCommand): Promise<CommandValues | undefined> {
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
/** A device as read when it receives a command. */
export type CommandStoreTarget = NonNullable<Awaited<ReturnType<CommandStore['target']>>>
