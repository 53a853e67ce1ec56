import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { acquireGatewayLock } from '../../../gateway/cluster/lock.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import type { GatewayError } from '../../../gateway/kernel/errors.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { createLogBook } from '../../support/log-book.ts'
import { silentLog } from '../../support/postgres.ts'
import { hasBaseBackup, type PostgresServer, startPair, urlOf } from '../../support/postgres-pair.ts'
import { PATIENT } from '../../support/patient.ts'

const installed = hasBaseBackup()
if (!installed) console.warn('SKIPPED: several database servers need pg_basebackup (apt install postgresql)')

const portOf = async (db: Db) =>
  (await db.query<{ port: number }>(sql`select current_setting('port')::int as port`))[0]?.port
/** Rejection of a statement, and the error of the server or connection. */
const refusalOf = (statement: Promise<unknown>) =>
  statement.then(
    () => undefined,
    (error: GatewayError) => [error.code, (error.cause as Error).message],
  )
const write = (db: Db, id: number) => db.query(sql`insert into notes values (${id})`)

describe.skipIf(!installed)('a database of several servers', () => {
  let pair: Awaited<ReturnType<typeof startPair>>
  let primary: PostgresServer
  let standby: PostgresServer
  beforeAll(async () => {
    pair = await startPair()
    ;({ primary, standby } = pair)
  })
  afterAll(() => pair.stop())

  it('uses the primary, wherever it is in the list', async () => {
    for (const servers of [
      [primary, standby],
      [standby, primary],
    ]) {
      const db = openDb({ connectionString: urlOf(...servers), log: silentLog })
      expect(await portOf(db)).toBe(primary.port)
      await db.close()
    }
    const db = openDb({ connectionString: urlOf(standby), log: silentLog })
    expect(await refusalOf(portOf(db))).toEqual([
      'UNAVAILABLE',
      `No server of DATABASE_URL takes writes: 127.0.0.1:${standby.port}: a standby`,
    ])
    await db.close()
  })

  it('moves every connection to the standby when the primary hangs', async () => {
    const db = openDb({ connectionString: urlOf(primary, standby), log: silentLog })
    await db.query(sql`create table notes (id int primary key)`)
    const heard: string[] = []
    const missed = vi.fn()
    db.listen('news', { onPayload: (payload) => void heard.push(payload), onMissed: missed })
    await vi.waitFor(() => expect(missed).toHaveBeenCalledOnce(), PATIENT)
    const onTaken = vi.fn()
    const lock = await acquireGatewayLock({
      connect: db.client,
      isShared: false,
      clock: systemClock,
      log: createLogBook(),
      onLost: onTaken,
    })
    await write(db, 1)
    await vi.waitFor(async () => {
      const other = openDb({ connectionString: urlOf(primary), log: silentLog })
      const rows = await other.query(
        sql`select 1 from pg_stat_replication where replay_lsn = pg_current_wal_lsn()`,
      )
      await other.close()
      expect(rows).toHaveLength(1)
    }, PATIENT)

    const slow = refusalOf(db.query(sql`select pg_sleep(20)`))
    primary.signal('SIGSTOP')
    await standby.promote()
    const stopped = performance.now()
    // The statement was running on an unreachable server: its loss is detected long before its time limit.
    expect(await slow).toEqual(['UNAVAILABLE', 'Connection terminated unexpectedly'])
    expect(performance.now() - stopped).toBeLessThan(15_000)
    await vi.waitFor(() => write(db, 2), PATIENT)
    expect(await portOf(db)).toBe(standby.port)
    expect(await db.query(sql`select id from notes order by id`)).toEqual([{ id: 1 }, { id: 2 }])
    expect(db.failoverCount()).toBe(1)

    await vi.waitFor(() => expect(missed).toHaveBeenCalledTimes(2), PATIENT)
    await db.query(sql`notify news, 'of the new one'`)
    await vi.waitFor(() => expect(heard).toEqual(['of the new one']), PATIENT)
    await vi.waitFor(async () => {
      const locks = await db.query(sql`select 1 from pg_locks where locktype = 'advisory' and granted`)
      expect(locks).toHaveLength(1)
    }, PATIENT)
    expect(onTaken).not.toHaveBeenCalled()
    await lock.release()
    await db.close()
  })

  it('is unavailable while none accepts writes, with the reason for each', async () => {
    const db = openDb({ connectionString: urlOf(primary, standby), log: silentLog })
    await primary.stop()
    await write(db, 3)
    standby.signal('SIGKILL')
    const none = [primary, standby].map(({ port }) => `127.0.0.1:${port}: ECONNREFUSED`).join('; ')
    await vi.waitFor(
      async () =>
        expect(await refusalOf(write(db, 4))).toEqual([
          'UNAVAILABLE',
          `No server of DATABASE_URL takes writes: ${none}`,
        ]),
      PATIENT,
    )
    await db.close()
  })
})
