import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../gateway/lib/log.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { migrate } from '../../../gateway/store/migrate.ts'
import { type TestDb, createTestDb, silentLog, testSocketDir } from '../../support/postgres.ts'

let test: TestDb
let dir: string
const write = (name: string, text: string) => writeFile(join(dir, name), text)
const tables = async () =>
  (
    await test.db.query<{
      name: string
    }>(sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'r' order by 1`)
  ).map(({ name }) => name)

beforeEach(async () => {
  test = await createTestDb({ template: 'empty' })
  dir = await mkdtemp(join(tmpdir(), 'migrations-'))
  await write(
    '0001_create_rooms.sql',
    'create table rooms (id int primary key);\ninsert into rooms values (0);\n',
  )
  await write('0002_create_hubs.sql', 'create table hubs (id int);')
})
afterEach(async () => {
  await test.dropDatabase()
  await rm(dir, { recursive: true })
})

describe('migrating', () => {
  it('applies each file once, in order', async () => {
    expect(await migrate(test.db, dir)).toEqual({
      version: 2,
      applied: ['0001_create_rooms.sql', '0002_create_hubs.sql'],
    })
    expect(await migrate(test.db, dir)).toEqual({ version: 2, applied: [] })
  })

  it('logs one line for all migrations of a start, and none if the schema is current', async () => {
    let lines = ''
    const log = createLog('info', { write: (text) => void (lines += text) })
    await migrate(test.db, dir, { log })
    await migrate(test.db, dir, { log })
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ level: 30, count: 2, last: '0002_create_hubs.sql', msg: 'migrated the database' }])
  })

  it('stops at a given version and continues from there', async () => {
    expect(await migrate(test.db, dir, { to: 1 })).toMatchObject({ version: 1 })
    expect(await tables()).toEqual(['rooms', 'schema_migrations'])
    expect(await migrate(test.db, dir)).toEqual({ version: 2, applied: ['0002_create_hubs.sql'] })
  })

  it('allows three gateways to start at once', async () => {
    const dbs = [1, 2, 3].map(() =>
      openDb({ socketDir: testSocketDir(), database: test.name, log: silentLog }),
    )
    const results = await Promise.all(dbs.map((db) => migrate(db, dir)))
    expect(results.map(({ version }) => version)).toEqual([2, 2, 2])
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual([
      '0001_create_rooms.sql',
      '0002_create_hubs.sql',
    ])
    await Promise.all(dbs.map((db) => db.close()))
  })

  it('rejects a migration that was edited after it was applied', async () => {
    await migrate(test.db, dir)
    await write('0001_create_rooms.sql', 'create table rooms (id bigint primary key);')
    await expect(migrate(test.db, dir)).rejects.toThrow('0001_create_rooms.sql was edited')
  })

  it('accepts a file with other line endings as the same', async () => {
    await migrate(test.db, dir)
    await write(
      '0001_create_rooms.sql',
      'create table rooms (id int primary key);\r\ninsert into rooms values (0);\r\n',
    )
    expect(await migrate(test.db, dir)).toEqual({ version: 2, applied: [] })
  })

  it('rolls back a file that fails midway and names it', async () => {
    await write('0003_break.sql', 'create table half (id int);\ninsert into rooms values (0);')
    await expect(migrate(test.db, dir)).rejects.toThrow(/0003_break.sql failed: duplicate key/)
    expect(await tables()).toEqual(['hubs', 'rooms', 'schema_migrations'])
  })

  it('rejects a database that is newer than the program', async () => {
    await migrate(test.db, dir)
    await rm(join(dir, '0002_create_hubs.sql'))
    await expect(migrate(test.db, dir)).rejects.toThrow('0002_create_hubs.sql, which this version')
  })

  it('accepts only migrations of a later release that are compatible with this one', async () => {
    const compat = (steps: object) => write('compat.json', JSON.stringify({ released: '0.9.0', steps }))
    await compat({})
    await write('0003_add_names.sql', 'alter table hubs add column name text;')
    await migrate(test.db, dir)
    // Simulates the older release.
    await rm(join(dir, '0003_add_names.sql'))
    expect(await migrate(test.db, dir, { release: '0.9.0' })).toEqual({ version: 3, applied: [] })
    expect(await migrate(test.db, dir, { release: '0.10.0' })).toEqual({ version: 3, applied: [] })
    const refusal = '0003_add_names.sql, which this version'
    await expect(migrate(test.db, dir, { release: '0.8.9' })).rejects.toThrow(refusal)
    await expect(migrate(test.db, dir)).rejects.toThrow(refusal)

    await write('0003_add_names.sql', 'alter table hubs add column name text;')
    await write('0004_drop_rooms.sql', 'drop table rooms;')
    const why = 'Rooms are areas since then, and nobody asks for them.'
    await compat({
      '0004_drop_rooms.sql': { step: 'contract', since: '0.10.0', breaks: ['rooms is gone'], why },
    })
    await migrate(test.db, dir)
    for (const name of ['0003_add_names.sql', '0004_drop_rooms.sql']) await rm(join(dir, name))
    expect(await migrate(test.db, dir, { release: '0.10.0' })).toEqual({ version: 4, applied: [] })
    await expect(migrate(test.db, dir, { release: '0.9.0' })).rejects.toThrow(
      '0004_drop_rooms.sql, which this version',
    )
  })

  it('rejects a file inserted before an applied one and a duplicate number', async () => {
    await write('0004_create_users.sql', 'create table users (id int);')
    await migrate(test.db, dir)
    await write('0003_create_people.sql', 'create table people (id int);')
    await expect(migrate(test.db, dir)).rejects.toThrow(
      '0003_create_people.sql comes before 0004_create_users.sql',
    )
    await write('0003_create_others.sql', 'select 1')
    await expect(migrate(test.db, dir)).rejects.toThrow('share a number')
  })
  it('rejects an invalid file name', async () => {
    await write('later.sql', 'select 1')
    await expect(migrate(test.db, dir)).rejects.toThrow('later.sql must be called')
  })
})
