import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlanBills } from '../../../../../contract/tariffs/bill-calls.ts'
import type { EnergyPoint, HistoryStatus } from '../../../../../contract/energy/meter-data-calls.ts'
import { rollUp } from '../../../../../gateway/features/energy/rollup/roll-up.ts'
import { rollUpHomes } from '../../../../../gateway/features/energy/rollup/roll-up-home.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../../support/clock.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'
import { store } from '../rollup/meters.ts'

const DAY = 86_400_000
const METERS = 12
const NOW = Date.parse('2026-01-05T10:00:00+08:00')
const YEAR = { From: Date.parse('2025-01-01T00:00:00+08:00'), To: Date.parse('2026-01-01T00:00:00+08:00') }

let world: World
let root: Caller
let HomeID: string
const ids: number[] = []

/** Site of twelve meters with a year of newly stored days; no job rolls it up. */
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const uids = Array.from({ length: METERS }, (_, i) => `m${i}`)
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids })
  const Terms = { PlanID: 'residential_standard', Capacities: {}, Phases: 'three', PowerFactor: null }
  await root.post('/UpdateHomeTariff', {
    HomeID,
    Tariffs: [
      {
        ...{ ...Terms, BillingDay: 1, BillingMonths: 1, FirstMonth: 1, FeedIn: null },
        ...{ ValidFrom: '2020-01-01', ValidThrough: null },
      },
    ],
  })
  for (const uid of uids) {
    const [row] = await world.db.query<{
      id: number
    }>(sql`insert into meters (tenant, home_id, peripheral_uid)
      values (${root.tenant}, ${HomeID}, ${uid})
      on conflict (tenant, home_id, peripheral_uid) do update set home_id = excluded.home_id returning meter_id as id`)
    const id = row?.id ?? 0
    ids.push(id)
    const days = Array.from({ length: 366 }, (_, i) => ({ timestamp: YEAR.From + i * DAY, kwh: i }))
    await store(world.db, id, days)
  }
})
afterAll(() => world.close())

const series = async (range: { From: number; To: number }, Resolution = 'month') =>
  (await root.post('/GetEnergySeries', { HomeID, ...range, Resolution })).results
const waiting = async () =>
  (await world.db.query<{ count: number }>(sql`select count(*)::int as count from meter_dirty`))[0]?.count
const totalOf = (points: readonly EnergyPoint[]) => points.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0)

it('answers immediately while a year of readings waits, with the share that is computed', async () => {
  const before = await waiting()
  const { Series, ComputedPercent } = await series(YEAR)
  expect(ComputedPercent).toBe(0)
  expect(Series[0].Points[5]).toMatchObject({ kWh: null, Coverage: { Measured: 0 } })
  expect(Series[0].Points[5].Coverage.Missing).toBeGreaterThan(0)
  expect(await waiting()).toBe(before)
  const [days] = (await root.post('/GetDailySummationData', { HomeID, Days: 31 })).results
  // Four of these 31 days have no backlog.
  expect(days.ComputedPercent).toBe(12)
})

it('answers from the computed meters, without presenting their sum as a total', async () => {
  await rollUp(world.db, ids.slice(0, 6))
  await rollUpHomes(world.db, createLogBook(), () => false)
  // A remaining backlog, as a call alone would compute only 6 of 12 meters.
  await world.db.query(
    sql`insert into meter_dirty select meter_id, from_timestamp, through_timestamp from meter_dirty`,
  )
  const { Series, ComputedPercent } = await series(YEAR)
  expect(ComputedPercent).toBe(50)
  const [june] = (Series[0].Points as EnergyPoint[]).slice(5)
  expect(june?.kWh).toBeCloseTo(6 * 30, 6)
  expect(june?.Coverage.Missing).toBe(6 * 30 * 96)
  const { results } = await root.post('/GetBill', { HomeID, Date: '2025-06-10' })
  expect(results).toMatchObject({ ComputedPercent: 50, Known: 0.5 })
})

it('returns in every insight view how much is computed', async () => {
  const year = { HomeID, ...YEAR }
  const profile = (await root.post('/GetLoadProfile', { ...year, Shape: 'week' })).results
  const change = (await root.post('/ExplainChange', { ...year, Against: 'previous', By: 'meter' })).results
  const forecast = (await root.post('/GetForecast', { HomeID })).results
  const intensity = (await root.post('/GetEnergyUseIntensity', { HomeID })).results
  for (const { ComputedPercent } of [profile, change, forecast, intensity]) {
    expect(ComputedPercent).toBeGreaterThanOrEqual(0)
    expect(ComputedPercent).toBeLessThan(100)
  }
})

it('gives no advice and compares no months in the meantime', async () => {
  const compared = (await root.post('/CompareTariff', { HomeID })).results
  expect(compared.ComputedPercent).toBeGreaterThan(0)
  const reasons = (compared.Plans as PlanBills[]).map(({ Refused }) => Refused?.Reason)
  expect(new Set(reasons)).toEqual(new Set(['computing']))
  const report = { HomeID, Kind: 'monthly', Period: '2025-06' }
  expect((await root.post('/GetReport', report)).results).toMatchObject({
    ComputedPercent: expect.any(Number),
    Total: { kWh: { Change: null } },
  })
})

it('has no totals of a meter while its month waits', async () => {
  const [id] = ids as [number]
  const ofMonth = async () => {
    const statuses = (await root.post('/GetAllMeterData', { HomeID })).results as HistoryStatus[]
    return statuses.find(({ PeripheralUID }) => PeripheralUID === 'm0')?.MonthlyKwh
  }
  await store(world.db, id, [{ timestamp: NOW - 3_600_000, kwh: 400 }])
  await rollUp(world.db, [id])
  expect(await ofMonth()).toBeCloseTo(35, 6)
  await store(world.db, id, [{ timestamp: NOW - 60_000, kwh: 401 }])
  expect(await ofMonth()).toBeNull()
  await rollUp(world.db, [id])
})

it('reports no progress for a time without a backlog, or once all is computed', async () => {
  const later = { From: Date.parse('2026-01-04T00:00:00+08:00'), To: Date.parse('2026-01-05T00:00:00+08:00') }
  expect(await series(later, 'day')).not.toHaveProperty('ComputedPercent')
  await rollUp(world.db)
  const { Series, ...rest } = await series(YEAR)
  expect(rest).not.toHaveProperty('ComputedPercent')
  expect(totalOf(Series[0].Points)).toBeCloseTo(METERS * 365, 6)
})
