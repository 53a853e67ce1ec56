import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { RefusedError, acquireGatewayLock } from '../../../gateway/cluster/lock.ts'
import { createRegistry } from '../../../gateway/cluster/registry.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { ADVISORY_LOCKS, assertNoGatewayRunning } from '../../../gateway/store/advisory-locks.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { migrate } from '../../../gateway/store/migrate.ts'
import { createPartitions } from '../../../gateway/store/partitions.ts'
import { createLogBook } from '../../support/log-book.ts'
import { createTestDb, MIGRATIONS, type TestDb } from '../../support/postgres.ts'
import { PATIENT } from '../../support/patient.ts'

let database: TestDb
beforeAll(async () => {
  database = await createTestDb()
})
afterAll(() => database.dropDatabase())

const take = (shared: boolean, onTaken: (error: RefusedError) => void = () => {}, patience = 0) =>
  acquireGatewayLock({
    connect: database.db.client,
    isShared: shared,
    clock: systemClock,
    log: createLogBook(),
    onLost: onTaken,
    timeoutMs: patience,
  })
const open = (newId: string, { secretMark = 'mark', filesMark = 'directory' } = {}) =>
  createRegistry({
    db: database.db,
    clock: systemClock,
    log: createLogBook(),
    newId: () => newId,
    name: 'test',
    version: '0',
    secretMark,
    filesLocationId: filesMark,
    isAlone: false,
  })
const enter = (...which: Parameters<typeof open>) =>
  open(...which).start({ deleteDead: async () => () => {}, onIdChanged: () => {} })

it('rejects a second gateway on a database without a bus on both, and names the other one', async () => {
  await database.db.query(sql`insert into gateways (id, name, version, schema, secret_mark, started_at)
    values ('g-7f3a', 'one', '0', 1, 'mark', timestamptz '2026-01-05 12:04')`)
  const alone = await take(false)
  for (const shared of [false, true])
    await expect(take(shared)).rejects.toThrow(
      'Another gateway (g-7f3a, since 12:04) works on this database. Several need BUS_URL at each of them.',
    )
  await alone.release()
  const several = [await take(true), await take(true)]
  await expect(take(false)).rejects.toThrow(RefusedError)
  for (const { release } of several) await release()
  await (await take(false)).release()
})

it('does not conflict with other locks of the gateway', async () => {
  const held = [await take(true), await take(true)]
  const partitions = createPartitions(database.db, createLogBook(), { table: 'readings', unit: 1 })
  const now = Date.UTC(2031, 4, 2)
  await partitions.prepare([now], now)
  const [made] = await database.db.query<{ is: boolean }>(
    sql`select to_regclass('readings_2031_05') is not null as is`,
  )
  expect(made?.is).toBe(true)
  await migrate(database.db, MIGRATIONS)
  for (const { release } of held) await release()
  expect(new Set(Object.values(ADVISORY_LOCKS)).size).toBe(Object.keys(ADVISORY_LOCKS).length)
})

it('rejects a restore while gateways are running, and gateways during a restore', async () => {
  const several = [await take(true), await take(true)]
  await several.pop()?.release()
  await expect(assertNoGatewayRunning(database.db, async () => 'restored')).rejects.toThrow(
    'A gateway works on this database. Stop every gateway of it first',
  )
  for (const { release } of several) await release()
  await assertNoGatewayRunning(database.db, () => expect(take(true)).rejects.toThrow(RefusedError))
  // The lock is free again, whatever the result of the restore.
  await expect(
    assertNoGatewayRunning(database.db, () => Promise.reject(new Error('damaged'))),
  ).rejects.toThrow('damaged')
  await vi.waitFor(async () => (await take(false)).release(), PATIENT)
})

it('is taken again after a lost connection, and ends the gateway if another has taken it', async () => {
  const onTaken = vi.fn()
  const lock = await take(false, onTaken, 1_000)
  const cut = () =>
    database.db.query(sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`)
  await cut()
  // If another process takes the lock first, it releases it immediately.
  const isHeld = async () => {
    const thief = await take(true).catch(() => undefined)
    await thief?.release()
    expect(thief).toBeUndefined()
  }
  await vi.waitFor(isHeld, PATIENT)
  expect(onTaken).not.toHaveBeenCalled()
  const thief = await vi.waitFor(async () => {
    await cut()
    return take(true)
  }, PATIENT)
  await vi.waitFor(() => expect(onTaken).toHaveBeenCalledOnce(), PATIENT)
  await thief.release()
  await lock.release()
})

it('rejects a gateway with another SECRET while one with the first is running', async () => {
  await database.db.query(sql`delete from gateways`)
  await enter('g-00000000000001')
  await expect(enter('g-00000000000002', { secretMark: 'other mark' })).rejects.toThrow(
    'SECRET is another one than that of gateway g-00000000000001 on this database',
  )
  await database.db.query(sql`update gateways set seen_at = seen_at - interval '31 s'`)
  await expect(enter('g-00000000000003', { secretMark: 'other mark' })).resolves.toBeUndefined()
})

it('accepts a gateway with another SECRET as soon as the last with the first has ended', async () => {
  await database.db.query(sql`delete from gateways`)
  const last = open('g-00000000000001')
  await last.start({ deleteDead: async () => () => {}, onIdChanged: () => {} })
  await last.close()
  await expect(enter('g-00000000000002', { secretMark: 'other mark' })).resolves.toBeUndefined()
})

it('rejects a gateway with another picture store, but not if one of them does not name it', async () => {
  await database.db.query(sql`delete from gateways`)
  await enter('g-00000000000001')
  await expect(enter('g-00000000000002', { filesMark: 's3:pictures/' })).rejects.toThrow(
    'Pictures and firmware are not kept where gateway g-00000000000001 keeps them',
  )
  await expect(enter('g-00000000000003')).resolves.toBeUndefined()
  // A row of the previous release.
  await database.db.query(sql`update gateways set files_mark = null`)
  await expect(enter('g-00000000000004', { filesMark: 's3:pictures/' })).resolves.toBeUndefined()
})
