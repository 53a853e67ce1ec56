import { afterAll, beforeAll, expect, it } from 'vitest'
import { CompanyProfile } from '../../../contract/procedures/company.ts'
import { PersonalConfig } from '../../../contract/procedures/personal.ts'
import { resources } from '../../../contract/index.ts'
import { snake } from '../../../gateway/store/columns.ts'
import { type Db, sql } from '../../../gateway/store/db.ts'
import { createTestDb } from '../../support/postgres.ts'

/** Columns a table has beyond its record: whose it is and what the gateway keeps for itself. */
const OWN: Record<string, string[]> = {
  homes: ['next_room_id', 'created_at'],
  things: ['secret_hash', 'online', 'seen_at', 'created_at'],
  peripherals: ['created_at'],
  users: ['initialized', 'email_verified', 'created_at', 'signed_out_at'],
  visitors: ['created_at', 'search_text'],
  employees: ['pass_serial', 'created_at', 'search_text'],
  conference_rooms: ['room_no'],
  scanners: ['secret_hash', 'online', 'seen_at', 'created_at'],
  companies: ['created_at'],
  personal_configs: ['cognito_id'],
}

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await createTestDb())
})
afterAll(() => drop())

const tables = [
  ...Object.values(resources).map(({ name, record }) => [`${snake(name)}s`, record] as const),
  ['companies', CompanyProfile] as const,
  ['personal_configs', PersonalConfig] as const,
]

it.each(tables)('%s has the columns of its record, and no others', async (table, record) => {
  const rows = await db.query<{ name: string }>(
    sql`select column_name as name from information_schema.columns where table_name = ${table} and table_schema = 'public'`,
  )
  const expected = [...Object.keys(record.shape).map(snake), 'tenant', ...(OWN[table] ?? [])]
  expect(rows.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
})
