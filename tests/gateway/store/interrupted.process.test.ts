import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeDaySums } from '../../../gateway/features/energy/rollup/day-sums.ts'
import { rollUpHomes } from '../../../gateway/features/energy/rollup/roll-up-home.ts'
import { exportDatabase, importDatabase } from '../../../gateway/store/backup.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { migrate, readMigrations } from '../../../gateway/store/migrate.ts'
import {
  deleteDroppedReadings,
  expireDays,
  expireReadings,
} from '../../../gateway/features/energy/rollup/expire-energy.ts'
import { rollUp } from '../../../gateway/features/energy/rollup/roll-up.ts'
import { createBuilding } from '../../support/building.ts'
import { createKillPoints, type KillPoints, points } from '../../support/kill-points.ts'
import { createTestDb, MIGRATIONS, silentLog, type TestDb, testSocketDir } from '../../support/postgres.ts'
import { isThorough } from '../../support/thorough.ts'
import { addMeter, store } from '../features/energy/rollup/meters.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 5, 1)
const FLOOR = Date.UTC(2025, 9, 20)

const databases: TestDb[] = []
async function database(options: Parameters<typeof createTestDb>[0] = {}) {
  const made = await createTestDb({ ...options, max: 20 })
  databases.push(made)
  return made
}
afterAll(async () => {
  for (const { dropDatabase } of databases) await dropDatabase()
})

/**
 * Repeats the work, interrupted at one point after the other until none is left. The work may tolerate an interruption and leave the rest
 * for the next time.
 *
 * each    called after every interruption
 * step    interrupts every n-th statement
 * returns  number of interruptions
 */
async function endEverywhere(
  kills: KillPoints,
  work: () => Promise<unknown>,
  each = async () => {},
  step = 1,
) {
  let ended = 0
  for (const point of points(step)) {
    let failure: unknown
    const reached = await kills.kill(point, () => work().catch((error: unknown) => void (failure = error)))
    if (!reached) {
      if (failure) throw failure
      return ended
    }
    ended += 1
    await each()
  }
  return ended
}

/** Half a year of two meters whose counters fell once; the second is deleted with its home. For a schema of any age. */
async function fill(db: Db) {
  const [stays, goes] = [await createBuilding(db), await createBuilding(db)]
  const readings = Array.from({ length: 180 }, (_, i) => ({
    timestamp: NOW - (180 - i) * DAY,
    kwh: i < 90 ? i * 5 : i * 5 - 440,
  }))
  for (const building of [stays, goes]) {
    await building.addDevice('m', '514')
    const meterId = await addMeter(db, building, 'm')
    const [first] = await db.query<{ energy: boolean }>(
      sql`select to_regclass('meter_dirty') is not null as energy`,
    )
    if (first?.energy) await store(db, meterId, readings)
    else
      await db.query(sql`insert into readings (meter_id, timestamp, accumulate_power)
        select ${meterId}::int, * from unnest(${readings.map((one) => one.timestamp)}::bigint[],
          ${readings.map((one) => one.kwh)}::float8[])`)
  }
  return { goes }
}

describe('background work killed at any of its statements', () => {
  /** All background work of a gateway after a home was deleted. */
  async function work(db: Db) {
    await rollUp(db)
    await rollUpHomes(db, { error: () => {} }, () => false)
    await storeDaySums(db, NOW, () => false)
    await expireReadings(db, FLOOR)
    await expireDays(db, FLOOR - 60 * DAY)
    await deleteDroppedReadings(db)
  }
  /** Results without random identifiers. */
  const made = async (db: Db) => {
    const of = (what: string) => db.pool.query(what).then(({ rows }) => rows)
    return {
      readings: await of('select timestamp, accumulate_power from readings order by 1'),
      days: await of('select day, kwh, quality, cumulative from meter_days order by 1'),
      months: await of('select month, kwh, measured, m.between, estimated from meter_months m order by 1'),
      homes: await of('select month, kwh, measured, h.between from home_months h order by 1'),
      sums: await of('select month, sort, kwh from meter_day_sums order by 1, 2'),
      floors: await of('select * from energy_floors order by 1'),
      left: await of('select 1 from dropped_meters union all select 1 from meter_dirty'),
      tables: await of(`select relname from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p') order by 1`),
    }
  }

  it('reaches the same result when it is started again', { timeout: 300_000 }, async () => {
    const whole = await database()
    const { goes } = await fill(whole.db)
    await whole.db.query(sql`delete from homes where tenant = ${goes.tenant}`)
    // Sums of newly dropped days are deleted in the next pass.
    for (let i = 0; i < 2; i++) await work(whole.db)
    const expected = await made(whole.db)
    expect(expected.months.length).toBeGreaterThan(5)
    expect(expected.readings.length).toBeLessThan(100)

    const broken = await database()
    const kills = createKillPoints(broken)
    const other = await fill(broken.db)
    await broken.db.query(sql`delete from homes where tenant = ${other.goes.tenant}`)
    const ended = await endEverywhere(kills, () => work(broken.db), undefined, isThorough ? 1 : 3)
    expect(ended).toBeGreaterThan(20)
    expect(await made(broken.db)).toEqual(expected)
    await kills.close()
  })
})

describe('migrations and restores', () => {
  let dir: string
  let file: string
  let source: TestDb
  let content: Record<string, string>
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'interrupted-'))
    file = join(dir, 'backup')
    source = await database()
    await fill(source.db)
    await rollUp(source.db)
    const kills = createKillPoints(source)
    content = await kills.content()
    await kills.close()
    await exportDatabase(source.db, file)
  })
  afterAll(() => rm(dir, { recursive: true }))

  /** Tables, columns, indexes and constraints, as text. */
  const schemaOf = async ({ db }: Pick<TestDb, 'db'>) =>
    db.query(sql`
      select c.relname as name, a.attname as part, format_type(a.atttypid, a.atttypmod) as kind
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and not c.relispartition
        and not exists (select from pg_inherits i where i.inhrelid = c.oid)
      union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace and conparentid = 0
      union all select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger
        where not tgisinternal and tgparentid = 0
      order by 1, 2, 3`)

  const open = ({ name }: TestDb) =>
    openDb({ socketDir: testSocketDir(), database: name, statementTimeoutMs: 0, log: silentLog })

  it(
    'leave the schema of a complete migration when killed, and continue from there',
    { timeout: 300_000 },
    async () => {
      const target = await database({ template: 'empty' })
      const kills = createKillPoints(target)
      let version = 0
      const ended = await endEverywhere(
        kills,
        () => migrate(target.db, MIGRATIONS),
        async () => {
          const tables = await kills.content()
          const now = tables['schema_migrations'] ? tables['schema_migrations'].split(' (').length : 0
          expect(now).toBeGreaterThanOrEqual(version)
          version = now
        },
      )
      expect(ended).toBeGreaterThan(10)
      expect(await schemaOf(target)).toEqual(await schemaOf(source))
      await kills.close()
    },
  )

  it(
    'leave a database that is either empty or completely restored when killed',
    { timeout: 300_000 },
    async () => {
      const target = await database({ template: 'empty' })
      const db = open(target)
      const kills = createKillPoints({ ...target, db })
      let restored = false
      const ended = await endEverywhere(
        kills,
        async () => {
          // Migrations after the rows were complete are applied at the next start.
          if (restored) await migrate(db, MIGRATIONS)
          else await importDatabase(db, file, MIGRATIONS)
        },
        async () => {
          const { schema_migrations: _, ...tables } = await kills.content()
          restored = Object.values(tables).some((rows) => rows !== '')
          const whole = { readings: content['readings'], homes: content['homes'] }
          expect(tables).toMatchObject(restored ? whole : {})
        },
        // About three hundred statements, most of them alike.
        isThorough ? 13 : 31,
      )
      expect(ended).toBeGreaterThan(isThorough ? 20 : 8)
      const { schema_migrations: _, ...now } = await kills.content()
      const { schema_migrations: __, ...then } = content
      expect(now).toEqual(then)
      expect(await schemaOf(target)).toEqual(await schemaOf(source))
      await kills.close()
      await db.close()
    },
  )

  it('migrate rows of an early schema to the latest, in the database and from its backups', async () => {
    const all = await readMigrations(MIGRATIONS)
    const db = open(await database({ template: 'empty' }))
    const energyOf = async (of: Db) => {
      await rollUp(of)
      const [row] = await of.query<{ days: number; months: number }>(sql`
        select (select sum(kwh) from meter_days) as days, (select sum(kwh) from meter_months) as months`)
      return row
    }
    // The fourth version has the first readings.
    for (const [index, { version }] of all.entries()) {
      await migrate(db, MIGRATIONS, { to: version })
      if (index === 3) await fill(db)
      if (index < 3 || index % (isThorough ? 9 : 27) !== 3) continue
      const path = join(dir, `backup-${version}`)
      await exportDatabase(db, path)
      const into = open(await database({ template: 'empty' }))
      const { schemaVersion } = await importDatabase(into, path, MIGRATIONS)
      expect(schemaVersion).toBe(all.at(-1)?.version)
      // Each meter has 445 kWh, a counter that fell, and 445 again.
      expect(await energyOf(into)).toEqual({
        days: expect.closeTo(1_780, 6),
        months: expect.closeTo(1_780, 6),
      })
      await into.close()
    }
    expect(await energyOf(db)).toEqual({ days: expect.closeTo(1_780, 6), months: expect.closeTo(1_780, 6) })
    await db.close()
  })
})
