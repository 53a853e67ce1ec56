import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EnergyPoint, EnergySeries } from '../../../../../contract/energy/meter-data-calls.ts'
import { monthOfDay, parseDay, QUARTER_MS, startOfDay } from '../../../../../contract/time/periods.ts'
import { flowsOfHome } from '../../../../../gateway/features/energy/meters/home-flows.ts'
import { readMeters } from '../../../../../gateway/features/energy/meters/meters.ts'
import { rollUpHome, rollUpHomes } from '../../../../../gateway/features/energy/rollup/roll-up-home.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { expireDays } from '../../../../../gateway/features/energy/rollup/expire-energy.ts'
import { homeTariff } from '../../../../support/home-tariff.ts'
import { MIGRATIONS, silentLog } from '../../../../support/postgres.ts'
import {
  addMeter,
  addSite,
  type Counted,
  seeded,
  type Site,
  storeEnergy,
} from '../../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'

let world: World
let root: Caller
let site: Site
const meters = new Map<string, number>()
const at = (date: string) => startOfDay(parseDay(date), site.zone)

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  site = await addSite(root, 'Home')
  const random = seeded(5)
  const counted = (): Counted => {
    const chance = random()
    return chance < 0.05
      ? undefined
      : chance < 0.1
        ? [random(), 'e']
        : chance < 0.12
          ? [random(), 'c']
          : random()
  }
  for (const [uid, since] of [
    ['main', '2025-11-20'],
    ['lift', '2025-11-25'],
    ['pump', '2025-12-03'],
  ] as const) {
    meters.set(uid, await addMeter(world, root, site, uid))
    const range = [at(since) + 37 * QUARTER_MS, world.clock.now() + QUARTER_MS] as const
    await storeEnergy(world, site, idOf(uid), range, counted, [at('2025-12-10') + 5 * QUARTER_MS])
  }
  const { status } = await root.post('/UpdateHomeTariff', {
    HomeID: site.HomeID,
    Tariffs: [homeTariff({ Capacities: { regular: 40 } })],
  })
  if (status.code !== 0) throw new Error(JSON.stringify(status))
})
afterAll(() => world.close())

const idOf = (uid: string): number => meters.get(uid) as number

async function energy(Resolution: string, more: object = {}): Promise<EnergySeries[]> {
  const { status, results } = await root.post('/GetEnergySeries', {
    HomeID: site.HomeID,
    From: at(Resolution === 'quarter' ? '2025-12-09' : Resolution === 'hour' ? '2025-12-01' : '2025-11-01'),
    To: at(Resolution === 'quarter' ? '2025-12-12' : '2026-01-07'),
    Resolution,
    ...more,
  })
  if (status.code !== 0) throw new Error(JSON.stringify(status))
  return results.Series
}

const FIELDS = ['kWh', 'Cost', 'CarbonKg'] as const

/** Differences between the home's total and the sum of its top meters, read one by one. */
async function differences(...uids: string[]): Promise<object[]> {
  const found: object[] = []
  for (const Resolution of ['quarter', 'hour', 'day', 'month']) {
    const [home] = await energy(Resolution)
    const [sum] = await energy(Resolution, { PeripheralUIDs: uids })
    for (const [i, expected] of (sum as EnergySeries).Points.entries()) {
      const point = home?.Points[i] as EnergyPoint
      const same =
        isDeepStrictEqual([point.Coverage, point.Resets], [expected.Coverage, expected.Resets]) &&
        FIELDS.every((field) => isNear(point[field], expected[field]))
      if (!same) found.push({ Resolution, point, expected })
    }
  }
  return found
}

const isNear = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) < 1e-6

/** Sets a meter's parent, or none, for all time. */
const place = (MeterID: string, Value: string | null) =>
  root.post('/SetMeterFact', { HomeID: site.HomeID, MeterID, Fact: 'parent', Value, From: null })
const waiting = async () =>
  (await world.db.query(sql`select 1 from home_dirty where home_id = ${site.HomeID}`)).length

describe('a home total', () => {
  it('is no longer computed after the home was deleted, even if requested before', async () => {
    const { HomeID, zone } = await addSite(root, 'Gone')
    const flows = flowsOfHome(await readMeters(world.db, root.tenant, HomeID), zone)
    await root.post('/DeleteHome', { HomeID })
    const month = monthOfDay(parseDay('2025-12-01'))
    await rollUpHome(world.db, { tenant: root.tenant, HomeID, zone, flows }, month, month)
    expect(await world.db.query(sql`select 1 from home_members where home_id = ${HomeID}`)).toEqual([])
  })

  it('is the sum of its meters', async () => {
    expect(await differences('main', 'lift', 'pump')).toEqual([])
  })

  it('follows days that are rewritten or deleted', async () => {
    const meter = idOf('lift')
    for (const table of ['meter_days', 'meter_months'])
      await world.db.pool.query(`delete from ${table} where meter_id = ${meter}`)
    expect(await differences('main', 'lift', 'pump')).toEqual([])
    await storeEnergy(world, site, meter, [at('2025-11-12'), at('2025-12-30')], () => 0.5)
    expect(await differences('main', 'lift', 'pump')).toEqual([])
  })

  it('follows late readings and corrections', async () => {
    const meter = idOf('pump')
    const readings = [0, 3, 4, 40, 200].map((quarter) => at('2025-11-28') + quarter * QUARTER_MS)
    await world.db.query(sql`insert into readings (meter_id, timestamp, accumulate_power)
      select ${meter}::int, t, t / 1e9 from unnest(${readings}::bigint[]) t`)
    await world.db.query(sql`insert into meter_dirty values (${meter}, ${readings[0]}, ${readings[4]})`)
    expect(await differences('main', 'lift', 'pump')).toEqual([])
    const range = { From: at('2025-12-24'), To: at('2025-12-26') }
    const { status, results } = await root.post('/CreateMeterCorrection', {
      HomeID: site.HomeID,
      PeripheralUID: 'pump',
      Kind: 'interval',
      ...range,
      kWh: 99,
      Sharing: 'even',
    })
    expect(status.code, JSON.stringify(status)).toBe(0)
    expect(await differences('main', 'lift', 'pump')).toEqual([])
    expect(
      (await root.post('/UndoMeterCorrection', { HomeID: site.HomeID, CorrectionID: results.CorrectionID }))
        .status.code,
    ).toBe(0)
    expect(await differences('main', 'lift', 'pump')).toEqual([])
  })

  it('excludes meters moved below others, and includes them again', async () => {
    expect((await place('pump', 'main')).status.code).toBe(0)
    expect(await differences('main', 'lift')).toEqual([])
    expect((await place('pump', null)).status.code).toBe(0)
    expect(await differences('main', 'lift', 'pump')).toEqual([])
  })

  it('is computed in the background, including existing data', async () => {
    await rollUpHomes(world.db, silentLog, () => false)
    expect(await waiting()).toBe(0)
    const kept = () =>
      world.db
        .query(sql`select day, cumulative, measured, d.between, estimated, corrected, resets from home_days d
        where home_id = ${site.HomeID} order by day`)
    const before = await kept()
    expect(before.length).toBeGreaterThan(50)
    for (const table of ['home_days', 'home_months', 'home_members', 'home_dirty'])
      await world.db.pool.query(`delete from ${table}`)
    const migration = readFileSync(join(MIGRATIONS, '0025_create_home_days.sql'), 'utf8')
    await world.db.pool.query(migration.slice(migration.lastIndexOf('insert into home_dirty')))
    await rollUpHomes(world.db, silentLog, () => false)
    expect(await kept()).toEqual(before)
    expect(await waiting()).toBe(0)
    expect(await differences('main', 'lift', 'pump')).toEqual([])
  })

  it('follows the clock of its home', async () => {
    await world.db.query(sql`update homes set time_zone = 'Asia/Tokyo' where home_id = ${site.HomeID}`)
    site.zone = 'Asia/Tokyo'
    expect(await differences('main', 'lift', 'pump')).toEqual([])
  })

  it('includes meters for the time that they were at the top', async () => {
    await place('pump', 'main')
    const until = at('2025-12-10') + 50 * QUARTER_MS
    await root.post('/RemovePeripheral', { HomeID: site.HomeID, PeripheralUID: 'main' })
    await world.db.query(sql`update meters set removed_at = ${until} where meter_id = ${idOf('main')}`)
    for (const Resolution of ['quarter', 'hour', 'day', 'month']) {
      const [home] = await energy(Resolution)
      const parts = await energy(Resolution, { By: 'meter' })
      for (const [i, { kWh, Timestamp }] of (home as EnergySeries).Points.entries()) {
        const sum = parts.reduce((all, { Points }) => all + (Points[i]?.kWh ?? 0), 0)
        expect(sum, `${Resolution} ${new Date(Timestamp).toISOString()}`).toBeCloseTo(kWh ?? 0, 6)
      }
    }
  })

  it('keeps its months when its days have expired', async () => {
    const months = async () => (await energy('month', { PeripheralUIDs: ['lift'] }))[0]?.Points
    const before = await months()
    await expireDays(world.db, at('2025-12-15'))
    const [first] = await world.db.query<{ day: number }>(
      sql`select min(day) as day from home_days where home_id = ${site.HomeID}`,
    )
    expect(monthOfDay(first?.day ?? 0)).toBe(monthOfDay(parseDay('2025-12-01')))
    expect((await months())?.map(({ kWh }) => kWh)).toEqual(before?.map(({ kWh }) => kWh))
    const [lost] = await energy('day')
    expect(lost?.Points.slice(0, 29).every(({ kWh }) => kWh === null)).toBe(true)
  })

  it('is deleted with its home', async () => {
    await world.db.query(sql`delete from homes where home_id = ${site.HomeID}`)
    await rollUpHomes(world.db, silentLog, () => false)
    for (const table of ['home_days', 'home_months', 'home_members', 'home_dirty'])
      expect((await world.db.pool.query(`select 1 from ${table}`)).rowCount, table).toBe(0)
  })
})
