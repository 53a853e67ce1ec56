import type { z } from 'zod'
import { type Sql, join, raw, sql } from '../kernel/db.ts'

/**
 * SQL name of a wire name: `PeripheralUID` → `peripheral_uid`, `HomeID` → `home_id`, `UserIDs` → `user_ids`; the unit kWh is one word
 * (`HourlykWh` → `hourly_kwh`).
 */
export const toSnakeCase = (name: string): string =>
  name
    .replace(/kWh/g, 'Kwh')
    .replace(/([A-Z]+)([A-Z](?!s(?![a-z]))[a-z])/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()

/**
 * Select list of a record, each column under its wire name: `home_id as "HomeID", room_id as "RoomID"`.
 *
 * schema    zod record; pick or omit to exclude columns
 * table     alias of the table if the statement joins
 */
export const columnsOf = (schema: z.ZodObject, table?: string): Sql =>
  raw(
    Object.keys(schema.shape)
      .map((key) => `${table ? `${table}.` : ''}${toSnakeCase(key)} as "${key}"`)
      .join(', '),
  )

/**
 * Assignments of an update, one per wire name: `room_id = $1, room_name = $2`; objects become jsonb.
 *
 * errors  if there is nothing to assign
 */
export const assignmentsOf = (values: Readonly<Record<string, unknown>>): Sql =>
  join(Object.entries(values).map(([name, value]) => sql`${raw(toSnakeCase(name))} = ${value}`))
