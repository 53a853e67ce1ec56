import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { acquireGatewayLock } from '../../../gateway/cluster/lock.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { exportDatabase, importDatabase } from '../../../gateway/store/backup.ts'
import { type Db, raw, sql } from '../../../gateway/kernel/db.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { startEmbedded } from '../../../gateway/store/embedded.ts'
import { migrate } from '../../../gateway/store/migrate.ts'
import { mountDisk } from '../../support/mount-disk.ts'
import { MIGRATIONS, createTestDb, silentLog, testSocketDir } from '../../support/postgres.ts'

/** Schema with everything that a plain copy of rows would get wrong. */
const FIRST = `
  create table companies (id int generated always as identity primary key, name text not null, owner int);
  create table people (id serial primary key, company int not null references companies, picture bytea, settings jsonb);
  alter table companies add foreign key (owner) references people deferrable initially deferred;
  create table readings (
    meter text, at bigint, kwh double precision, wh double precision generated always as (kwh * 1000) stored,
    primary key (meter, at)
  ) partition by range (at);
  create table readings_0 partition of readings for values from (0) to (1000);
  create table logins (person int);
  create function note_login() returns trigger language plpgsql as
    $$ begin insert into logins values (new.id); return new; end $$;
  create trigger note_login after insert on people for each row execute function note_login();
  insert into companies (name) values ('from the migration');`
const SECOND = `alter table people add nickname text default 'none';`

const ROWS = `
  insert into companies (name) values ('辦公室'), ('E''quote "two"');
  insert into people (company, picture, settings) values (2, '\\x00ff10', '{"a": [1, null, "ü"]}'), (3, null, null);
  update companies set owner = 1 where id = 2;
  create table readings_1 partition of readings for values from (1000) to (30000);
  insert into readings select 'm' || (i % 7), i, sqrt(i) from generate_series(1, 20000) i;`

const TABLES = ['companies', 'people', 'readings', 'logins']
const opened: (() => Promise<unknown>)[] = []
let dir: string
let migrations: string
let source: Db
let dropSource: (() => Promise<unknown>) | undefined
let file: string

const open = async (): Promise<Db> => {
  const { db, name, dropDatabase } = await createTestDb({ template: 'empty' })
  await db.close()
  const long = openDb({ socketDir: testSocketDir(), database: name, statementTimeoutMs: 0, log: silentLog })
  opened.push(async () => {
    await long.close()
    await dropDatabase()
  })
  return long
}
/** All rows of every table as text, in one hash per table. */
const content = async (db: Db) =>
  Promise.all(
    TABLES.map(async (table) => {
      const rows = await db.query<{ hash: string; n: number }>(
        sql`select count(*) as n, md5(string_agg(t::text, '|' order by t::text)) as hash from ${raw(table)} t`,
      )
      return { table, ...rows[0] }
    }),
  )
const relations = async (db: Db) =>
  db.query(sql`select 1 from pg_class where relnamespace = 'public'::regnamespace`)
const changed = async (name: string, change: (bytes: Buffer) => Buffer) => {
  const path = join(dir, name)
  await writeFile(path, change(await readFile(file)))
  return path
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'backup-'))
  migrations = await mkdtemp(join(dir, 'migrations-'))
  await writeFile(join(migrations, '0001_create_all.sql'), FIRST)
  source = await open()
  await migrate(source, migrations)
  await source.query(raw(ROWS))
  file = join(dir, 'backup')
  await exportDatabase(source, file)
  dropSource = opened.pop()
})
afterEach(async () => {
  for (const drop of opened.splice(0)) await drop()
})
afterAll(async () => {
  await dropSource?.()
  await rm(dir, { recursive: true })
})

describe('a backup', () => {
  it('restores to the same rows, partitions, keys and counters', async () => {
    const target = await open()
    const summary = await importDatabase(target, file, migrations)
    expect(summary).toEqual({ schemaVersion: 1, tables: 4, rows: 20_007 })
    expect(await content(target)).toEqual(await content(source))
    expect(await target.query(sql`insert into companies (name) values ('next') returning id`)).toEqual([
      { id: 4 },
    ])
    expect(
      await target.query(sql`select tableoid::regclass::text as t from readings where at = 1500`),
    ).toEqual([{ t: 'readings_1' }])
    await expect(target.query(sql`insert into people (company) values (99)`)).rejects.toMatchObject({
      code: '23503',
    })
  })

  it('is consistent while the gateway writes', async () => {
    const busy = await open()
    await importDatabase(busy, file, migrations)
    const writing = new AbortController()
    const writer = (async () => {
      // One person and one login in each transaction: every snapshot has as many of both.
      while (!writing.signal.aborted) await busy.query(sql`insert into people (company) values (2)`)
    })()
    const whileWriting = join(dir, 'while-writing')
    await exportDatabase(busy, whileWriting)
    writing.abort()
    await writer
    const target = await open()
    await importDatabase(target, whileWriting, migrations)
    const [, people, , logins] = await content(target)
    expect(people?.n).toBe(logins?.n)
  })

  it('restores into a newer program: schema of the file, rows, then the later migrations', async () => {
    const newer = await mkdtemp(join(dir, 'newer-'))
    await writeFile(join(newer, '0001_create_all.sql'), FIRST)
    await writeFile(join(newer, '0002_add_nickname.sql'), SECOND)
    const target = await open()
    expect(await importDatabase(target, file, newer)).toMatchObject({ schemaVersion: 2 })
    expect(await target.query(sql`select distinct nickname from people`)).toEqual([{ nickname: 'none' }])
  })

  it('is rejected by an older or another program', async () => {
    const other = await mkdtemp(join(dir, 'other-'))
    await writeFile(join(other, '0001_create_others.sql'), 'create table others (id int)')
    const target = await open()
    await expect(importDatabase(target, file, other)).rejects.toThrow(
      '0001_create_all.sql, which this version',
    )
    await writeFile(join(other, '0001_create_all.sql'), SECOND)
    await rm(join(other, '0001_create_others.sql'))
    await expect(importDatabase(target, file, other)).rejects.toThrow('another content')
    expect(await relations(target)).toEqual([])
  })

  it('is rejected by a database that contains rows, which stays unchanged', async () => {
    const target = await open()
    await importDatabase(target, file, migrations)
    await target.query(sql`insert into logins values (77)`)
    const before = await content(target)
    await expect(importDatabase(target, file, migrations)).rejects.toThrow('not empty: table companies')
    expect(await content(target)).toEqual(before)
  })

  it('is accepted by a migrated database without rows', async () => {
    const target = await open()
    await migrate(target, migrations)
    await target.query(sql`truncate companies, people, logins`)
    await importDatabase(target, file, migrations)
    expect(await content(target)).toEqual(await content(source))
  })
})

describe('a damaged backup', () => {
  const flip = (bytes: Buffer, at: number) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }
  it.each([
    ['cut off', 'incomplete', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['cut off in its header', 'damaged', (bytes: Buffer) => bytes.subarray(0, 500)],
    ['longer than it was', 'incomplete', (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)])],
    ['changed in its rows', 'damaged', (bytes: Buffer) => flip(bytes, bytes.length - 2000)],
    ['changed in its header', 'damaged', (bytes: Buffer) => flip(bytes, 150)],
    ['no backup', 'is not a backup', () => Buffer.from('-- SQL dump\n'.repeat(20))],
    ['empty', 'is not a backup', () => Buffer.alloc(0)],
  ])('that is %s is rejected and nothing is written', async (what, reason, change) => {
    const target = await open()
    const path = await changed(`damaged ${what}`, change)
    await expect(importDatabase(target, path, migrations)).rejects.toThrow(reason)
    expect(await relations(target)).toEqual([])
  })

  it('leaves no rows behind if the import fails midway', async () => {
    const target = await open()
    await migrate(target, migrations)
    await target.query(sql`truncate companies, people, logins`)
    // The last table cannot store all its rows: the existing partition is too narrow.
    await target.query(sql`create table readings_1 partition of readings for values from (1000) to (2000)`)
    await expect(importDatabase(target, file, migrations)).rejects.toThrow('no partition')
    expect((await content(target)).map(({ n }) => n)).toEqual([0, 0, 0, 0])
    await expect(target.query(sql`insert into people (company) values (99)`)).rejects.toMatchObject({
      code: '23503',
    })
  })

  it('is never left by a failed export', async () => {
    const path = join(dir, 'unfinished')
    await expect(exportDatabase(await open(), path)).rejects.toThrow('nothing to export')
    expect([existsSync(path), existsSync(`${path}.partial`)]).toEqual([false, false])
  })
})

describe('a disk without space for a backup', () => {
  it('is reported, and neither the new nor the existing file is touched', async (test) => {
    const disk = mountDisk(test, 'size=128k')
    const path = join(disk, 'backup')
    await writeFile(path, 'the last one')
    await expect(exportDatabase(source, path)).rejects.toThrow('no space left')
    expect(await readdir(disk)).toEqual(['backup'])
    expect(await readFile(path, 'utf8')).toBe('the last one')
    // The copying connection is usable, or another one can be opened.
    expect(await source.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })
})

describe('the backup command', () => {
  const root = join(import.meta.dirname, '../../..')
  const tool = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'gateway/store/tool.ts', ...args], {
      cwd: root,
    })

  it('moves an embedded database to an external server and back, and backs up a running one', async () => {
    const [first, second] = [join(dir, 'first'), join(dir, 'second')]
    const embedded = await startEmbedded({ dataDir: first, log: silentLog })
    const db = openDb({ socketDir: embedded.socketDir, log: silentLog })
    await migrate(db, MIGRATIONS)
    const company = '00000000-0000-4000-8000-000000000001'
    await db.query(
      sql`insert into companies (tenant, company_name, created_at) values (${company}, '台北廠', 1)`,
    )
    const whole = sql`select * from companies`
    const rows = await db.query(whole)
    await db.close()

    const saved = await tool('export', join(dir, 'saved'), '--from', first)
    expect(saved.stdout).toMatch(/^Exported: 1 rows of \d+ tables/)
    await expect(tool('import', join(dir, 'saved'), '--to', first)).rejects.toMatchObject({
      stderr: expect.stringContaining('Another gateway is running'),
    })
    await embedded.stop()

    const { name, dropDatabase } = await createTestDb({ template: 'empty' })
    const url = `postgres://gateway@/${name}?host=${encodeURIComponent(testSocketDir())}`
    expect((await tool('move', '--from', first, '--to', url)).stdout).toMatch(/^Moved: 1 rows/)
    const working = await acquireGatewayLock({
      connect: () => new pg.Client({ connectionString: url }),
      isShared: true,
      clock: systemClock,
      log: silentLog,
      onLost: () => {},
    })
    for (const command of [
      ['import', join(dir, 'saved'), '--to', url],
      ['move', '--from', url, '--to', second],
    ])
      await expect(tool(...command)).rejects.toMatchObject({
        stderr: expect.stringContaining('A gateway works on this database'),
      })
    await working.release()
    expect((await tool('move', '--from', url, '--to', second)).stdout).toMatch(/^Moved: 1 rows/)
    await dropDatabase()

    const again = await startEmbedded({ dataDir: second, log: silentLog })
    const moved = openDb({ socketDir: again.socketDir, log: silentLog })
    expect(await moved.query(whole)).toEqual(rows)
    await moved.close()
    await again.stop()
  }, 180_000)

  it('prints its usage on request', async () => {
    for (const flag of ['--help', '-h']) expect((await tool(flag)).stdout).toContain('import FILE')
  })

  it('prints its usage after an error, and what is missing', async () => {
    await expect(tool('restore')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('import FILE'),
    })
    await expect(tool('export', join(dir, 'x'), '--from', join(dir, 'nowhere'))).rejects.toMatchObject({
      stderr: expect.stringContaining('There is no data directory'),
    })
  })
})
