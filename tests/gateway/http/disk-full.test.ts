import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDb } from '../../../gateway/store/db.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { startEmbedded } from '../../../gateway/store/embedded.ts'
import { migrate } from '../../../gateway/store/migrate.ts'
import { mountDisk } from '../../support/mount-disk.ts'
import { MIGRATIONS, silentLog } from '../../support/postgres.ts'
import { startWorld } from '../../support/world.ts'

const MEGABYTE = 1_048_576

it('is ready and reports failing writes while the disk of its database is full', async (test) => {
  const disk = mountDisk(test, 'size=300m,mode=755')
  const filler = join(disk, 'filler')
  const server = await startEmbedded({
    dataDir: join(disk, 'data'),
    settings: { wal_compression: 'off' },
    log: silentLog,
  })
  let now = 0
  const db = openDb({ socketDir: server.socketDir, log: silentLog, now: () => now })
  await migrate(db, MIGRATIONS)
  const world = await startWorld({ database: { db, name: 'postgres', dropDatabase: async () => {} } })
  onTestFinished(async () => {
    await world.close()
    await server.stop()
  })
  const root = await world.signUp()
  const ready = async () => {
    const answer = await world.gateway.http.inject({ url: '/health/ready' })
    return { http: answer.statusCode, ...answer.json<object>() }
  }
  const well = {
    http: 200,
    ready: true,
    database: true,
    writes: true,
    broker: true,
    details: [],
    warnings: [],
  }
  expect(await ready()).toEqual(well)

  await db.query(sql`create table filling (n int, text text)`)
  await db.query(sql`alter table filling alter text set storage external`)
  const fill = () =>
    db.query(sql`insert into filling values (1, repeat('x', 500000))`).then(
      () => false,
      () => true,
    )
  await fill()
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(filler, Buffer.alloc(bavail * bsize - 3 * MEGABYTE))
  while (!(await fill())) continue
  expect(await ready()).toEqual({ ...well, writes: false, details: ['writesFail'] })

  rmSync(filler)
  while (await fill()) continue
  now += 30_000
  expect(await ready()).toEqual(well)
  const home = await root.post('/CreateHome', { HomeName: 'After', TimeZone: 'Asia/Taipei' })
  expect(home.status.code).toBe(0)
})
