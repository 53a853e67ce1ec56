import {
  ModbusTable,
  type ModbusTableKey,
  type modbusTable,
  StoredModbusTable,
} from '../../../contract/devices/modbus/modbus-table.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import type { ModbusPorts } from './ports.ts'

const NAME_TAKEN = 'Another Modbus table already has that name'
/** Maximum number of tables per company. */
const MAX_TABLES = 200

export const modbusTableHandlers = ({
  onRowsChanged,
}: ModbusPorts): HandlersOf<typeof modbusTable.operations> => ({
  list: (_, { db, actor }) =>
    db.query<StoredModbusTable>(sql`select ${columnsOf(StoredModbusTable)} from modbus_tables
      where tenant = ${actor.tenant} order by lower(table_name)`),

  create: async (input, context) => {
    const { db, actor, random } = context
    const record: StoredModbusTable = { ModbusTableID: random.uuid(), ...input, Version: 1 }
    const [count] = await db.query<{ tables: number }>(
      sql`select count(*) as tables from modbus_tables where tenant = ${actor.tenant}`,
    )
    if ((count?.tables ?? 0) >= MAX_TABLES)
      throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_TABLES} Modbus tables`)
    await conflictOnUniqueViolation(
      'TableName',
      NAME_TAKEN,
      db.query(sql`insert into modbus_tables (tenant, modbus_table_id, table_name, manufacturer, model, note, rows)
        values (${actor.tenant}, ${record.ModbusTableID}, ${record.TableName}, ${record.Manufacturer},
          ${record.Model}, ${record.Note}, ${JSON.stringify(record.Rows)}::jsonb)`),
    )
    context.change('modbusTable.add', record)
    context.audit({ after: record })
    return record
  },

  update: async ({ ModbusTableID, Version, ...changes }, context) => {
    const { db, actor } = context
    const before = await lockTable({ ModbusTableID }, context)
    assertVersion(Version, before)
    const after: StoredModbusTable = { ...before, ...changes, Version: before.Version + 1 }
    await conflictOnUniqueViolation(
      'TableName',
      NAME_TAKEN,
      db.query(sql`update modbus_tables set table_name = ${after.TableName}, manufacturer = ${after.Manufacturer},
          model = ${after.Model}, note = ${after.Note}, rows = ${JSON.stringify(after.Rows)}::jsonb, version = ${after.Version}
        where ${isTable(actor.tenant, ModbusTableID)}`),
    )
    if (JSON.stringify(after.Rows) !== JSON.stringify(before.Rows))
      await onRowsChanged(context, ModbusTableID)
    context.change('modbusTable.update', after)
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const before = await lockTable(key, context)
    const users = await db.query(
      sql`select 1 from peripherals where ${isTable(actor.tenant, key.ModbusTableID)} limit 1`,
    )
    if (users.length) throw new GatewayError('CONFLICT', 'Devices still use this Modbus table')
    await db.query(sql`delete from modbus_tables where ${isTable(actor.tenant, key.ModbusTableID)}`)
    context.change('modbusTable.remove', key)
    context.audit({ before })
    return key
  },
})

const isTable = (tenant: string, id: string): Sql => sql`tenant = ${tenant} and modbus_table_id = ${id}`

/** Reads a table and locks it until the transaction ends. Errors: NOT_FOUND. */
async function lockTable(
  { ModbusTableID }: ModbusTableKey,
  { db, actor }: SignedIn,
): Promise<StoredModbusTable> {
  const [record] =
    await db.query<StoredModbusTable>(sql`select ${columnsOf(StoredModbusTable)} from modbus_tables
    where ${isTable(actor.tenant, ModbusTableID)} for update`)
  if (!record) throw new GatewayError('NOT_FOUND', `Modbus table ${ModbusTableID} does not exist`)
  return record
}

/** Modbus table of the company, or null if it does not exist. */
export async function findModbusTable(
  db: Db,
  tenant: string,
  ModbusTableID: string,
): Promise<ModbusTable | null> {
  const [record] = await db.query<ModbusTable>(
    sql`select ${columnsOf(ModbusTable)} from modbus_tables where ${isTable(tenant, ModbusTableID)}`,
  )
  return record ?? null
}

/**
 * Checks that a Modbus table belongs to the company, and locks it until the transaction ends.
 *
 * errors  NOT_FOUND with `{ ModbusTableID: 'notFound' }`
 */
export async function lockModbusTable({ db, actor }: SignedIn, ModbusTableID: string): Promise<void> {
  const found = await db.query(
    sql`select 1 from modbus_tables where ${isTable(actor.tenant, ModbusTableID)} for share`,
  )
  if (found.length === 0)
    throw new GatewayError('NOT_FOUND', `Modbus table ${ModbusTableID} does not exist`, {
      ModbusTableID: 'notFound',
    })
}
