import { afterAll, beforeAll, expect, it } from 'vitest'
import type { bills, PlanBills } from '../../../../contract/tariffs/bill-calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../support/clock.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'
import { store } from '../energy/rollup/meters.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-07-10T10:00:00+08:00')
const JUNE = Date.parse('2026-06-01T00:00:00+08:00')
const PlanID = 'hv_three_stage_variable'

let world: World
let root: Caller
let HomeID: string

/** Site on the plan, with 100 kWh in each hour of June. */
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['main'] })
  const [row] = await world.db.query<{ id: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
    values (${root.tenant}, ${HomeID}, 'main') returning meter_id as id`)
  const hours = Array.from({ length: 30 * 24 + 1 }, (_, i) => ({ timestamp: JUNE + i * HOUR, kwh: i * 100 }))
  await store(world.db, row?.id ?? 0, hours)
  const Tariffs = [homeTariff({ PlanID, Capacities: { regular: 100 } })]
  await root.post('/UpdateHomeTariff', { HomeID, Tariffs })
})
afterAll(() => world.close())

const enter = (dates: readonly string[], more: object = {}) =>
  root.post('/UpdatePeakDay', {
    ...{ Year: 2026, Days: dates.map((Date) => ({ Date })), CompleteThrough: null },
    ...more,
  })
const billOfJune = async () => (await root.post('/GetBill', { HomeID, Date: '2026-06-10' })).results

it('has no bill, cost or advice while the announced days are unknown', async () => {
  expect((await root.post('/ListPeakDay', { Year: 2026 })).results).toEqual({
    Days: [],
    CompleteThrough: null,
  })
  expect(await billOfJune()).toMatchObject({
    ...{ Lines: [], Total: 0, kWh: expect.closeTo(72_000, 3) },
    PeakDays: { Year: 2026, Known: 0, Needed: 30 },
  })
  const { Current } = (await root.post('/CompareTariff', { HomeID })).results as { Current: PlanBills }
  expect(Current.Refused).toEqual({ Reason: 'peakDays', Have: 0, Needed: 30, EnoughOn: null })
  expect(Current.Bills.at(-1)).toEqual({ Total: null, Energy: null })
  const range = { From: JUNE + 9 * 24 * HOUR, To: JUNE + 10 * 24 * HOUR, Resolution: 'day' }
  const { Series } = (await root.post('/GetEnergySeries', { HomeID, ...range })).results
  expect(Series[0].Points[0]).toMatchObject({ kWh: expect.closeTo(2_400, 6), Cost: null })
})

it('rejects invalid Taipower days, days of another year, and an outdated list', async () => {
  const fieldsOf = async (dates: readonly string[], more = {}) => {
    const { status } = await enter(dates, more)
    expect(status.code).toBe(ERRORS.INVALID.code)
    return status.fields
  }
  expect(await fieldsOf(['2026-06-13', '2026-06-10', '2026-01-14'])).toEqual({
    'Days.0.Date': 'notSummerWeekday',
    'Days.2.Date': 'notSummerWeekday',
  })
  expect(await fieldsOf(['2025-06-10'])).toEqual({ 'Days.0.Date': 'invalid' })
  expect(await fieldsOf(['2026-06-10', '2026-06-10'])).toEqual({ 'Days.1.Date': 'taken' })
  expect(await fieldsOf([], { CompleteThrough: '2026-07-12' })).toEqual({ CompleteThrough: 'future' })
  expect((await enter([], { Seen: [{ Date: '2026-06-09' }] })).status.code).toBe(ERRORS.CONFLICT.code)
})

it('charges the peak price in the evening hours of announced days once the list is complete', async () => {
  const { results } = await enter(['2026-06-11', '2026-06-10'], { CompleteThrough: '2026-06-30', Seen: [] })
  expect(results).toEqual({ Days: ['2026-06-10', '2026-06-11'], CompleteThrough: '2026-06-30' })
  const bill = await billOfJune()
  expect(bill).not.toHaveProperty('PeakDays')
  const energy = (bill.Lines as ResultsOf<typeof bills.getBill>['Lines']).filter(
    ({ Item }) => Item === 'energy',
  )
  expect(energy.find(({ Detail }) => Detail === 'peak')).toMatchObject({
    ...{ Quantity: expect.closeTo(2 * 6 * 100, 6), Price: 18.33 },
    Amount: expect.closeTo(2 * 6 * 100 * 18.33, 4),
  })
  // June 2026 has 22 weekdays of which one is a holiday (19 June): 21 × 15 hours that are not off-peak, less those of the peak.
  expect(energy.find(({ Detail }) => Detail === 'semiPeak')?.Quantity).toBeCloseTo((21 * 15 - 12) * 100, 6)
})
