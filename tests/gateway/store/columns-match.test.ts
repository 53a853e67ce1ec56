import { afterAll, beforeAll, expect, it } from 'vitest'
import { CompanyProfile } from '../../../contract/people/company-calls.ts'
import { PersonalConfig } from '../../../contract/people/personal-calls.ts'
import { Automation } from '../../../contract/automation/automation.ts'
import { resources } from '../../../contract/index.ts'
import { toSnakeCase } from '../../../gateway/store/sql.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { createTestDb } from '../../support/postgres.ts'

/** Fields of an automation with a column of their own; the rest of its rule is one column. */
const OF_AUTOMATION = [
  'home_id',
  'automation_id',
  'automation_type',
  'automation_name',
  'description',
  'enabled',
  'owner_id',
  'problem',
  'next_run_at',
  'version',
]

/** Columns of a table beyond its record: the owner and internal data of the gateway. */
const OWN: Record<string, string[]> = {
  homes: ['next_room_id', 'next_floor_id', 'created_at'],
  // `order` is a word of SQL.
  floors: ['place'],
  things: ['secret_hash', 'online', 'seen_at', 'created_at'],
  peripherals: ['created_at'],
  users: ['initialized', 'email_verified', 'created_at', 'signed_out_at', 'foreign_address'],
  visitors: ['created_at', 'search_text', 'folded_text'],
  employees: ['pass_serial', 'created_at', 'search_text', 'folded_text'],
  conference_rooms: ['room_no'],
  scanners: ['secret_hash', 'online', 'seen_at', 'created_at'],
  companies: ['created_at', 'carbon_rule'],
  personal_configs: ['cognito_id'],
  // `order` is a word of SQL.
  scenes: ['action_order'],
  automations: ['rule', 'created_at'],
  report_plans: ['since', 'last_period'],
  // `from` is a word of SQL.
  utility_bills: ['from_day', 'through_day'],
  notification_channels: ['secret', 'month', 'sent', 'tested_at'],
  dashboards: ['everyone', 'may'],
}

/** Fields of a record that are not a column of its table: they are stored elsewhere, within `rule`, or not at all. */
const OTHERWISE: Record<string, readonly string[]> = {
  groups: ['peripheral_list'],
  floors: ['order', 'shapes'],
  // Read from invitations and credentials.
  users: ['invited_until', 'has_initial_password'],
  // References to deleted records are looked up.
  scenes: ['order', 'problem', 'last_run'],
  // From its emails.
  report_plans: ['last'],
  utility_bills: ['from', 'through'],
  // From its owner, and from the departments that see it.
  dashboards: ['owner_name', 'shared'],
  // Counted for the current month.
  notification_channels: ['sent_this_month'],
  automations: Object.keys(Automation.shape)
    .map(toSnakeCase)
    .filter((name) => !OF_AUTOMATION.includes(name)),
}

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())

const tables = [
  ...Object.values(resources).map(({ name, record }) => [`${toSnakeCase(name)}s`, record] as const),
  ['companies', CompanyProfile] as const,
  ['personal_configs', PersonalConfig] as const,
]

it.each(tables)('%s has exactly the columns of its record', async (table, record) => {
  const rows = await db.query<{ name: string }>(
    sql`select column_name as name from information_schema.columns where table_name = ${table} and table_schema = 'public'`,
  )
  const own = Object.keys(record.shape).map(toSnakeCase)
  const stored = own.filter((name) => !OTHERWISE[table]?.includes(name))
  const expected = [...stored, 'tenant', ...(OWN[table] ?? [])]
  expect(rows.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
})
