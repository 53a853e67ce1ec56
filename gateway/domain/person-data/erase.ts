import type { SignedIn } from '../../kernel/context.ts'
import { deleteLettersTo } from '../../deliveries/legacy.ts'
import { deleteRecipients } from '../../deliveries/store.ts'
import { sql, type Db, type Sql, join, raw } from '../../kernel/db.ts'
import { ADDRESS } from '../../lib/mail/address.ts'
import { idsOf, type Person } from './person.ts'
import { createReplacer, type Pseudonym, pseudonymOf, type Replacer } from './replace.ts'

interface Table {
  name: string
  hasTenant: boolean
  columns: readonly { name: string; isJson: boolean }[]
}

/** Tables that devices fill, with millions of rows and no text that a person has written. */
const OF_DEVICES = /^(device_events|command_keys|aged_events)/
/** Names and addresses of other people, who may share a name or a telephone with the erased person. */
const OF_OTHERS = /^(users|employees|visitors)\.(?!purpose$)/
/** Pages of a table (8 KB) that one statement reads. */
const PAGES_PER_BATCH = 10_000

/** Rows of a company in tables without a column for it. Tables that are not named hold nothing about people. */
const scopesOf = (tenant: string): Readonly<Record<string, Sql>> => ({
  drafts: sql`recipient in (select recipient from recipients where tenant = ${tenant})`,
  messages: sql`recipient in (select recipient from recipients where tenant = ${tenant})`,
  quarantined_readings: sql`meter_id in (select meter_id from meters where tenant = ${tenant})`,
  outbox: sql`recipient in (select ${ADDRESS} from users u where tenant = ${tenant}
    union all select email from employees where tenant = ${tenant} union all select email from visitors where tenant = ${tenant})`,
})

/**
 * Replaces a person's name, address and phone in every text and JSON of the company's tables. It iterates over the tables of the database
 * instead of a list, so that later tables are included.
 */
async function eraseTraces(tx: Db, person: Person, replacer: Replacer): Promise<void> {
  const intact = await tx.query<{ id: string }>(sql`select copy_id as id from report_copies
    where tenant = ${person.tenant} and ${mentions(sql`content`, person)} and ${HASH_OF_COPY} = hash`)
  const scopes = scopesOf(person.tenant)
  for (const table of await readTables(tx)) {
    const scope = table.hasTenant ? sql`tenant = ${person.tenant}` : scopes[table.name]
    if (scope && table.columns.length) await eraseInTable(tx, table, scope, person, replacer)
  }
  await tx.query(sql`update report_copies set hash = ${HASH_OF_COPY}
    where tenant = ${person.tenant} and copy_id = any(${intact.map(({ id }) => id)}::uuid[])`)
}

/** A closed report is sealed by its hash, which follows the pseudonym. */
const HASH_OF_COPY = sql`encode(sha256(convert_to(content, 'UTF8')), 'hex')`

async function readTables(tx: Db): Promise<Table[]> {
  const tables = await tx.query<Table>(sql`
    select c.relname as name, bool_or(a.attname = 'tenant') as "hasTenant",
      coalesce(json_agg(json_build_object('name', a.attname, 'isJson', a.atttypid = 'jsonb'::regtype))
        filter (where a.atttypid in ('text'::regtype, 'jsonb'::regtype)), '[]') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    group by c.relname order by c.relname`)
  return tables
    .filter(({ name }) => !OF_DEVICES.test(name))
    .map((table) => ({
      ...table,
      columns: table.columns.filter((column) => !OF_OTHERS.test(`${table.name}.${column.name}`)),
    }))
}

/** The condition that a text may hold a trace; the replacer decides. */
function mentions(text: Sql, person: Person): Sql {
  const { email, names, phones } = person
  const needles = [email, ...names, ...phones, ...idsOf(person)].map((needle) => needle.toLowerCase())
  return sql`exists (select from unnest(${needles}::text[]) needle where strpos(lower(${text}), needle) > 0)`
}

async function eraseInTable(
  tx: Db,
  table: Table,
  scope: Sql,
  person: Person,
  replacer: Replacer,
): Promise<void> {
  const name = raw(`"${table.name}"`)
  const columns = table.columns.map((column) => ({ ...column, sql: raw(`"${column.name}"`) }))
  const text = sql`concat_ws(' ', ${join(columns.map((column) => (column.isJson ? sql`${column.sql}::text` : column.sql)))})`
  const list = join(columns.map((column) => column.sql))
  const [size] = await tx.query<{ pages: number }>(
    sql`select ceil(pg_relation_size(${table.name}::regclass) / current_setting('block_size')::numeric)::int as pages`,
  )
  // Each statement reads a limited part of the table. An updated row that moves to a later page has no trace left.
  for (let page = 0; page < (size?.pages ?? 0); page += PAGES_PER_BATCH) {
    const rows = await tx.query<Record<string, unknown> & { place: string }>(sql`
      select ctid::text as place, ${list} from only ${name}
      where ${scope} and ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + PAGES_PER_BATCH},0)`}::tid
        and ${mentions(text, person)}
      for update`)
    for (const row of rows) {
      const sets = columns.flatMap((column) => changeOf(column, row[column.name], replacer))
      if (sets.length)
        await tx.query(sql`update only ${name} set ${join(sets)} where ctid = ${row.place}::tid`)
    }
  }
}

/** The assignment for a column whose value holds a trace; empty if it holds none. */
function changeOf(
  column: { name: string; isJson: boolean; sql: Sql },
  before: unknown,
  replacer: Replacer,
): Sql[] {
  if (before === null) return []
  const after = column.isJson
    ? replacer.json(before, column.name)
    : replacer.text(before as string, column.name)
  if (JSON.stringify(after) === JSON.stringify(before)) return []
  return [sql`${column.sql} = ${column.isJson ? JSON.stringify(after) : after}`]
}

/**
 * Erases a person in the open transaction: deletes the employee record, messages and stored results, clears visits, and replaces name,
 * address and phone in all remaining data. The caller deletes the account afterwards, if there is one.
 */
export async function erasePerson(person: Person, context: SignedIn): Promise<Pseudonym> {
  const { db, clock } = context
  const { tenant, email, account, formerAccounts, employee, visits } = person
  const accounts = [...(account ? [account] : []), ...formerAccounts]
  const pseudonym = pseudonymOf(person)
  const now = clock.now()
  // Neither table has a tenant column: entries that other companies need for the address stay.
  const isOfOthers = sql`exists (select from users where tenant <> ${tenant} and ${email} in (email, foreign_address)
    union all select from employees where tenant <> ${tenant} and email = ${email}
    union all select from visitors where tenant <> ${tenant} and email = ${email})`
  await db.query(sql`delete from outbox where recipient = ${email} and not ${isOfOthers}`)
  if (account)
    await db.query(sql`delete from company_invitations where email = ${email} and not ${isOfOthers}`)
  await deleteRecipients(db, tenant, [email, ...accounts, ...accounts.map((id) => `person:${id}`)])
  await deleteLettersTo(db, tenant, { email, accounts })
  await db.query(
    sql`delete from request_results where tenant = ${tenant} and cognito_id = any(${accounts}::uuid[])`,
  )
  await db.query(sql`update audit_log set by_name = ${pseudonym.name}, ip = ''
    where tenant = ${tenant} and cognito_id = any(${accounts}::uuid[])`)
  if (employee) {
    await db.query(sql`delete from employees where tenant = ${tenant} and employee_id = ${employee.id}`)
    if (employee.photoUrl) context.emit('pictureDropped', { imageUrl: employee.photoUrl })
    context.change('employee.remove', { EmployeeID: employee.id })
  }
  await db.query(sql`
    update visitors set visitor_name = '', company = '', email = '', phone = '', ext = '', purpose = '', host_employee_id = null,
      revoked_at = case when checked_out_at is null and valid_until > ${now}::bigint then coalesce(revoked_at, ${now}::bigint)
        else revoked_at end,
      anonymised_at = ${now}, version = version + 1
    where tenant = ${tenant} and visitor_id = any(${[...visits]}::text[])`)
  for (const VisitorID of visits) context.change('visitor.update', { VisitorID })
  await db.query(
    sql`delete from people_inside where tenant = ${tenant} and person_id = any(${idsOf(person)}::text[])`,
  )
  await eraseTraces(db, person, createReplacer(person, pseudonym))
  return pseudonym
}
