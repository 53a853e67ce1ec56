import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Db, join, sql } from '../../../gateway/kernel/db.ts'
import { isUniqueViolation } from '../../../gateway/store/database-errors.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { type TestDb, createTestDb, silentLog, testSocketDir } from '../../support/postgres.ts'
import { PATIENT } from '../../support/patient.ts'

let test: TestDb
let db: Db
const notes = async () =>
  (await db.query<{ id: number }>(sql`select id from notes order by id`)).map(({ id }) => id)
const add = (to: Db, id: number) => to.query(sql`insert into notes (id) values (${id})`)
const backend = async (of: Db) =>
  (await of.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid
const kill = (pid?: number) => db.query(sql`select pg_terminate_backend(${pid}, 5000)`)

beforeAll(async () => {
  test = await createTestDb({ template: 'empty' })
  db = test.db
  await db.query(sql`create table notes (id int primary key, text text)`)
})
afterAll(() => test.dropDatabase())
beforeEach(() => db.query(sql`truncate notes`))

describe('a statement', () => {
  it('passes values separately and reads 64-bit numbers as numbers', async () => {
    const text = `'); drop table notes; --`
    await db.query(sql`insert into notes values ${join([sql`(1, ${text})`, sql`(2, null)`])}`)
    expect(await db.query(sql`select text, 1785542400000::bigint as at from notes where id = 1`)).toEqual([
      { text, at: 1_785_542_400_000 },
    ])
  })

  it('can be prepared under a name', async () => {
    const query = { name: 'twice', text: 'select $1::int * 2 as n', values: [21] }
    expect([await db.query(query), await db.query(query)]).toEqual([[{ n: 42 }], [{ n: 42 }]])
  })

  it('reports a key violation to its caller, and returns the connection to the pool', async () => {
    const one = openDb({ socketDir: testSocketDir(), database: test.name, max: 1, log: silentLog })
    const before = await backend(one)
    await add(one, 1)
    const error = await add(one, 1).catch((e: unknown) => e)
    expect([
      isUniqueViolation(error),
      isUniqueViolation(error, 'notes_pkey'),
      isUniqueViolation(error, 'other'),
    ]).toEqual([true, true, false])
    expect(await backend(one)).toBe(before)
    await one.close()
  })
})

describe('connections from before a failover', () => {
  it.each([
    ['the server takes no writes any more', 'set transaction read only'],
    ['the server ends', 'select pg_terminate_backend(pg_backend_pid())'],
  ])('are not reused once %s', async (_when, statement) => {
    const one = openDb({ socketDir: testSocketDir(), database: test.name, max: 3, log: silentLog })
    // Three concurrent statements use three connections.
    const backends = () =>
      Promise.all(
        [1, 2, 3].map(() =>
          one.query<{ pid: number }>(sql`select pg_backend_pid() as pid from pg_sleep(0.05)`),
        ),
      ).then((rows) => rows.map(([row]) => row?.pid))
    const before = await backends()
    expect(new Set(before).size).toBe(3)
    const failing = one.transaction(async (tx) => {
      await tx.query({ text: statement, values: [], name: statement })
      await add(tx, 1)
    })
    await expect(failing).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const after = await backends()
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
    await one.close()
  })
})

describe('a transaction', () => {
  it('commits when its work resolves and rolls back when it rejects', async () => {
    await db.transaction((tx) => add(tx, 1))
    await expect(
      db.transaction(async (tx) => {
        await add(tx, 2)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await notes()).toEqual([1])
  })

  it('keeps the outer work if a nested one fails', async () => {
    await db.transaction(async (tx) => {
      await add(tx, 1)
      await tx.transaction(async (inner) => {
        await add(inner, 2)
        await inner.transaction((innermost) => add(innermost, 3))
        await inner.transaction((innermost) => add(innermost, 3)).catch(() => {})
        await add(inner, 4)
      })
      await tx.transaction((inner) => add(inner, 1)).catch(() => {})
      await add(tx, 5)
    })
    expect(await notes()).toEqual([1, 2, 3, 4, 5])
  })

  it('does not report success if a failed statement was swallowed', async () => {
    const work = db.transaction(async (tx) => {
      await add(tx, 1)
      await add(tx, 1).catch(() => {})
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await notes()).toEqual([])
  })

  it('cannot be used after its end', async () => {
    let leaked: Db | undefined
    await db.transaction(async (tx) => void (leaked = tx))
    await expect(add(leaked as Db, 1)).rejects.toThrow('over')
    expect(await notes()).toEqual([])
  })
})

describe('work after the commit', () => {
  it('runs once the transaction is committed, in order, including released savepoints', async () => {
    const done: string[] = []
    await db.transaction(async (tx) => {
      tx.afterCommit(() => done.push('first'))
      await tx.transaction(async (inner) => {
        await add(inner, 1)
        inner.afterCommit(() => done.push('second'))
      })
      await tx
        .transaction(async (inner) => {
          inner.afterCommit(() => done.push('never'))
          throw new Error('no')
        })
        .catch(() => {})
      expect(done).toEqual([])
    })
    expect(done).toEqual(['first', 'second'])
    expect(await notes()).toEqual([1])
  })

  it('does not run after a rollback', async () => {
    const done: string[] = []
    const failing = db.transaction(async (tx) => {
      tx.afterCommit(() => done.push('never'))
      await add(tx, 1)
      await add(tx, 1)
    })
    await expect(failing).rejects.toThrow('notes_pkey')
    expect(done).toEqual([])
  })

  it('runs immediately outside of a transaction', () => {
    const done: string[] = []
    db.afterCommit(() => done.push('now'))
    expect(done).toEqual(['now'])
  })
})

describe('a database failure', () => {
  it('throws UNAVAILABLE if the connection is lost in a transaction, and the next call works', async () => {
    const work = db.transaction(async (tx) => {
      await add(tx, 1)
      await kill(await backend(tx))
      await add(tx, 2)
    })
    await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await notes()).toEqual([])
  })

  it('survives the loss of an idle connection', async () => {
    const one = openDb({ socketDir: testSocketDir(), database: test.name, max: 1, log: silentLog })
    const lost = once(one.pool, 'error')
    await kill(await backend(one))
    await lost
    expect(await one.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
    await one.close()
  })

  it('throws UNAVAILABLE if a statement takes too long', async () => {
    const hasty = openDb({
      socketDir: testSocketDir(),
      database: test.name,
      statementTimeoutMs: 50,
      log: silentLog,
    })
    await expect(hasty.query(sql`select pg_sleep(20)`)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The database took too long',
    })
    await hasty.ping()
    await hasty.close()
  })

  it('throws UNAVAILABLE if no connection is free', async () => {
    await db.query(sql`create role guest login connection limit 0`)
    const guest = openDb({
      connectionString: `postgres://guest@/${test.name}?host=${encodeURIComponent(testSocketDir())}`,
      log: silentLog,
    })
    await expect(guest.ping()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The database has no free connection',
    })
    await guest.close()
    await db.query(sql`drop role guest`)
  })

  it('releases locks soon after a gateway was killed in a statement', async () => {
    const program = resolve(import.meta.dirname, 'long-statement.ts')
    const child = spawn(process.execPath, ['--import', 'tsx', program, testSocketDir(), test.name], {
      stdio: 'inherit',
    })
    const holders = () =>
      db.query(sql`select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and granted
        and database = (select oid from pg_database where datname = current_database())`)
    await vi.waitFor(async () => expect(await holders()).toHaveLength(1), PATIENT)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    await vi.waitFor(async () => expect(await holders()).toEqual([]), PATIENT)
  })

  it('throws UNAVAILABLE if no server listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    await once(server.close(), 'close')
    const nowhere = openDb({ connectionString: `postgres://a@127.0.0.1:${port}/a`, log: silentLog })
    await expect(nowhere.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await nowhere.close()
  })
})
