import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDb } from '../../../gateway/store/db.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { startEmbedded } from '../../../gateway/store/embedded.ts'
import { mountDisk } from '../../support/mount-disk.ts'
import { silentLog } from '../../support/postgres.ts'

const MEGABYTE = 1_048_576

describe('a full disk', () => {
  it.for([
    {
      what: 'rows, the statement fails',
      // The WAL has enough space; the table cannot grow.
      insert: (n: number) => sql`insert into rows values (${n}, repeat('x', 500000))`,
      spare: 3,
      message: /^The database disk is full$/,
      crashes: false,
    },
    {
      what: 'log of changes, the server fails',
      // A logical message is written to the WAL only, so the table need not grow.
      insert: (
        n: number,
      ) => sql`with logged as (select pg_logical_emit_message(true, '', repeat('x', 1000000)))
        insert into rows select ${n}, '' from logged`,
      spare: 0,
      message: /^The database /,
      crashes: true,
    },
  ])(
    'for the $what: UNAVAILABLE, no committed data is lost and it works once there is space',
    async (given, test) => {
      const disk = mountDisk(test, 'size=200m,mode=755')
      const complaints: string[] = []
      const log = {
        ...silentLog,
        error: (_: unknown, text: string) => void complaints.push(text),
      } as typeof silentLog
      const dataDir = join(disk, 'data')
      const filler = join(disk, 'filler')
      const server = await startEmbedded({ dataDir, settings: { wal_compression: 'off' }, log })
      let now = 0
      const db = openDb({ socketDir: server.socketDir, log: silentLog, now: () => now })
      onTestFinished(async () => {
        await db.close()
        await server.stop()
      })
      const insert = (n: number) =>
        db.query(given.insert(n)).then(
          () => undefined,
          (error: unknown) => error,
        )
      await db.query(sql`create table rows (n int, filling text)`)
      await db.query(sql`alter table rows alter filling set storage external`)
      expect(await insert(0)).toBeUndefined()
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(filler, Buffer.alloc(bavail * bsize - given.spare * MEGABYTE))

      let committed = 1
      let refusal: unknown
      while (!(refusal = await insert(committed))) committed++
      expect(refusal).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(given.message) })
      // A failed server is unavailable; one that responds cannot write.
      expect(given.crashes || db.areWritesFailing()).toBe(true)

      rmSync(filler)
      while (await insert(-1)) continue
      now += 30_000
      expect(db.areWritesFailing()).toBe(false)
      expect(complaints.includes('database disk full')).toBe(given.crashes)
      expect(await db.query(sql`select count(*) as n from rows where n >= 0`)).toEqual([{ n: committed }])
    },
  )
})
