import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportDatabase, importDatabase } from '../../../gateway/store/backup.ts'
import { type Db, raw, sql } from '../../../gateway/kernel/db.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { migrate } from '../../../gateway/store/migrate.ts'
import { type Building, createBuilding } from '../../support/building.ts'
import { createTestDb, MIGRATIONS, silentLog, testSocketDir } from '../../support/postgres.ts'

/** Last schema version with no partitioned tables among these. */
const BEFORE = 162
const TABLES = [
  { table: 'commands', at: 'requested_at' },
  { table: 'audit_log', at: 'at' },
  { table: 'device_events', at: 'timestamp' },
] as const

let db: Db
let drop: () => Promise<void>
let building: Building
let dir: string
let then: Record<string, unknown>

/** Rows from long ago, in months of the last year, today and next year. */
const TIMES = sql`(values (0::bigint), (1::bigint), ((extract(epoch from now() - interval '100 days') * 1000)::bigint),
  ((extract(epoch from now() - interval '40 days') * 1000)::bigint), ((extract(epoch from now()) * 1000)::bigint),
  ((extract(epoch from now() + interval '1 year') * 1000)::bigint)) as t (at)`

const content = async (of: Db) =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async ({ table }) => {
        // By name: a partitioned table may have another column order.
        const rows = await of.query<{ row: unknown }>(
          sql`select to_jsonb(t) as row from ${raw(table)} t order by to_jsonb(t)::text`,
        )
        return [table, rows.map(({ row }) => row)] as const
      }),
    ),
  )

const addCommand = (of: Db, requestId: string) =>
  of.query(sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, state, history,
      requested_at)
    values (${building.tenant}, ${requestId}, 'light', ${building.homeId}, 't', '{}', 'person', 'sent', '[]', 5)
    on conflict do nothing returning request_id as id`)
const addAudit = async (of: Db): Promise<number> => {
  const [row] = await of.query<{
    id: number
  }>(sql`insert into audit_log (tenant, at, by_name, ip, request_id, path, input)
    values (${building.tenant}, 1, 'n', 'i', 'r', '/p', '{}') returning audit_id as id`)
  return row?.id ?? 0
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'months-'))
  const { db: first, name, dropDatabase: dropIt } = await createTestDb({ template: 'empty' })
  await first.close()
  db = openDb({ socketDir: testSocketDir(), database: name, statementTimeoutMs: 0, log: silentLog })
  drop = async () => {
    await db.close()
    await dropIt()
  }
  await migrate(db, MIGRATIONS, { to: BEFORE })
  building = await createBuilding(db)
  const { tenant, homeId } = building
  await db.query(sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name, state,
      reason, history, requested_at, settled_at, run_id)
    select ${tenant}::uuid, 'r-' || t.at, 'light', ${homeId}, 't', '{"Switch": 1}', 'person', '王小明', 'failed', 'hubOffline',
      '[{"State": "failed"}]', t.at, case when t.at > 0 then t.at + 1 end, 'run' from ${TIMES}`)
  await db.query(sql`insert into audit_log (tenant, at, cognito_id, by_name, ip, request_id, path, input, before, after)
    select ${tenant}::uuid, t.at, ${tenant}::uuid, 'n', 'i', 'r', '/p', '{"a": 1}', null, '{"b": 2}' from ${TIMES}`)
  await building.addDevice('light', '516')
  await db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value, late)
    select ${tenant}::uuid, 'light', t.at, 'Switch', case when t.at > 0 then 1 end, 0, t.at = 1 from ${TIMES}`)
  // Numbers of deleted rows are not reused.
  await addAudit(db)
  await db.query(sql`delete from audit_log where at = 1 and cognito_id is null`)
  then = await content(db)
  await exportDatabase(db, join(dir, 'before'))
  await migrate(db, MIGRATIONS)
})
afterAll(async () => {
  await drop()
  await rm(dir, { recursive: true })
})

describe('tables partitioned by month', () => {
  it('keep every row unchanged, recent ones in the partition of their month', async () => {
    expect(await content(db)).toEqual(then)
    for (const { table, at } of TABLES) {
      const rows = await db.query<{
        name: string
        month: string
      }>(sql`select tableoid::regclass::text as name,
        ${`${table}_`} || to_char(to_timestamp(${raw(at)} / 1000) at time zone 'UTC', 'YYYY_MM') as month
        from ${raw(table)} order by ${raw(at)}`)
      expect(rows.slice(0, 2).map(({ name }) => name)).toEqual([`${table}_default`, `${table}_default`])
      for (const { name, month } of rows.slice(2, 5)) expect(name).toBe(month)
    }
  })

  it('recognize requests and numbers used before', async () => {
    expect(await addCommand(db, 'r-0')).toEqual([])
    expect(await addCommand(db, 'r-new')).toEqual([{ id: 'r-new' }])
    expect(await addAudit(db)).toBe(8)
    await db.query(sql`delete from commands where request_id = 'r-new'`)
    await db.query(sql`delete from audit_log where audit_id = 8`)
  })

  it('write changes by triggers as before, in order of their numbers', async () => {
    await db.query(sql`insert into state_fields (path, field) values ('Switch', 'Switch')`)
    await building.report('light', '516', { Switch: 1 })
    await building.report('light', '516', { Switch: 0 })
    const written = await db.query(
      sql`select before, value, seq from device_events where seq > 6 order by seq`,
    )
    expect(written).toEqual([
      { before: null, value: 1, seq: 7 },
      { before: 1, value: 0, seq: 8 },
    ])
    // Both rows are from long ago.
    expect(await db.query(sql`select seq from aged_events order by seq`)).toEqual([{ seq: 7 }, { seq: 8 }])
    for (const table of ['device_events where seq > 6', 'aged_events', 'device_status', 'state_fields'])
      await db.query(raw(`delete from ${table}`))
  })

  it('are restored from backups made before and after', async () => {
    await exportDatabase(db, join(dir, 'after'))
    for (const file of ['before', 'after']) {
      const { db: small, name, dropDatabase: dropIt } = await createTestDb({ template: 'empty' })
      await small.close()
      const into = openDb({
        socketDir: testSocketDir(),
        database: name,
        statementTimeoutMs: 0,
        log: silentLog,
      })
      await importDatabase(into, join(dir, file), MIGRATIONS)
      expect(await content(into)).toEqual(then)
      expect(await addCommand(into, 'r-1')).toEqual([])
      expect(await addAudit(into)).toBe(file === 'before' ? 8 : 9)
      await into.close()
      await dropIt()
    }
  })

  it('delete rows with their home or company', async () => {
    await db.query(sql`delete from things where tenant = ${building.tenant}`)
    await db.query(sql`delete from homes where tenant = ${building.tenant}`)
    await db.query(sql`delete from companies where tenant = ${building.tenant}`)
    expect(await content(db)).toEqual({ commands: [], audit_log: [], device_events: [] })
  })
})
