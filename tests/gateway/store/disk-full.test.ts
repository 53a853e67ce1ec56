import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDb, sql } from '../../../gateway/store/db.ts'
import { startEmbedded } from '../../../gateway/store/embedded.ts'
import { quiet } from '../../support/postgres.ts'

const MEGABYTE = 1_048_576
let disk: string
let mounted = false

beforeAll(() => {
  disk = mkdtempSync(join(tmpdir(), 'disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', disk], { stdio: 'ignore' })
    mounted = true
  } catch {
    // Not root, or not allowed to: the tests say so and are skipped.
  }
})
afterAll(() => {
  if (mounted) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true })
})

describe('a full disk', () => {
  beforeEach((test) => test.skip(!mounted, 'needs the right to mount a small disk'))

  it.each([
    {
      what: 'rows, the statement fails',
      // Written ahead there is room enough; the table cannot grow.
      insert: (n: number) => sql`insert into rows values (${n}, repeat('x', 500000))`,
      spare: 3,
      message: /^The database disk is full$/,
      crashes: false,
    },
    {
      what: 'log of changes, the server fails',
      // A message goes to the log and nowhere else, so the table need not grow.
      insert: (
        n: number,
      ) => sql`with logged as (select pg_logical_emit_message(true, '', repeat('x', 1000000)))
        insert into rows select ${n}, '' from logged`,
      spare: 0,
      message: /^The database /,
      crashes: true,
    },
  ])(
    'for the $what: UNAVAILABLE, nothing committed is lost and it works when there is room',
    async (given) => {
      const complaints: string[] = []
      const log = {
        ...quiet,
        error: (_: unknown, text: string) => void complaints.push(text),
      } as typeof quiet
      const dataDir = join(disk, 'data')
      const filler = join(disk, 'filler')
      const server = await startEmbedded({ dataDir, settings: { wal_compression: 'off' }, log })
      const db = openDb({ socketDir: server.socketDir, log: quiet })
      onTestFinished(async () => {
        await db.close()
        await server.stop()
        rmSync(dataDir, { recursive: true })
        rmSync(filler, { force: true })
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

      rmSync(filler)
      while (await insert(-1)) continue
      expect(complaints.includes('The disk of the database is full')).toBe(given.crashes)
      expect(await db.query(sql`select count(*) as n from rows where n >= 0`)).toEqual([{ n: committed }])
    },
  )
})
