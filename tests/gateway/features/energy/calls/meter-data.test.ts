import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import type {
  EnergyPoint,
  EnergySeries,
  HistoryRow,
} from '../../../../../contract/energy/meter-data-calls.ts'
import { dayOf, QUARTER_MS, startOfDay, parseDay, weekdayOf } from '../../../../../contract/time/periods.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import {
  addMeter,
  addSite,
  type Counted,
  seeded,
  type Site,
  storeEnergy,
  storeReadings,
} from '../../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'
import { store } from '../rollup/meters.ts'

const HOUR = 4 * QUARTER_MS
const DAY = 24 * HOUR

let world: World
let root: Caller
/** Monday 5 January 2026, 09:00 in Taipei. */
let now: number
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  now = world.clock.now()
})
afterAll(() => world.close())

const at = (date: string, zone = 'Asia/Taipei') => startOfDay(parseDay(date), zone)
const sum = (points: readonly EnergyPoint[]) => points.reduce((all, { kWh }) => all + (kWh ?? 0), 0)
const energy = async (site: Site, From: number, To: number, more: object = {}): Promise<EnergySeries[]> => {
  const body = { HomeID: site.HomeID, From, To, Resolution: 'day', ...more }
  const { status, results } = await root.post('/GetEnergySeries', body)
  if (status.code !== 0) throw new Error(JSON.stringify(status))
  return results.Series
}
const only = async (site: Site, From: number, To: number, more: object = {}): Promise<EnergyPoint[]> =>
  (await energy(site, From, To, more))[0]?.Points ?? []

describe('the energy of all homes together', () => {
  it('is added up at the same times across time zones; what a home lacks is counted as missing', async () => {
    const company = await world.signUp()
    expect((await company.post('/GetCompanyEnergy', { From: now - HOUR, To: now })).results).toEqual({
      Points: [],
      Homes: 0,
      Meters: { Reporting: 0, Total: 0 },
    })
    const taipei = await addSite(company, 'Taipei')
    const tokyo = await addSite(company, 'Tokyo', 'Asia/Tokyo')
    const seoul = await addSite(company, 'Seoul', 'Asia/Seoul')
    await addSite(company, 'Without meters')
    for (const [site, from, to, kWh] of [
      [taipei, now - HOUR, now, 1],
      [tokyo, now - HOUR / 2, now, 0.5],
      // Silent in the last quarter hour.
      [seoul, now - HOUR / 2, now - QUARTER_MS, 0.25],
    ] as const)
      await storeEnergy(world, site, await addMeter(world, company, site, site.HomeID), [from, to], () => kWh)
    const { results } = await company.post('/GetCompanyEnergy', { From: now - HOUR, To: now + HOUR })
    expect(results.Homes).toBe(3)
    expect(results.Points.map(({ kWh }: EnergyPoint) => kWh)).toEqual([
      ...[1, 1, 1.75, 1.5],
      ...[null, null, null, null],
    ])
    const known = { Between: 0, Estimated: 0, Corrected: 0, Withheld: 0 }
    expect(results.Points.slice(2, 4)).toEqual([
      { Timestamp: now - HOUR / 2, kWh: 1.75, Coverage: { ...known, Measured: 3, Missing: 0 } },
      { Timestamp: now - QUARTER_MS, kWh: 1.5, Coverage: { ...known, Measured: 2, Missing: 1 } },
    ])
    expect((await company.post('/GetCompanyEnergy', { From: now, To: now })).status.code).toBe(
      ERRORS.INVALID.code,
    )
  })
})

describe('the hours of a day', () => {
  let site: Site
  beforeAll(async () => {
    site = await addSite(root, 'Hours')
    const meter = await addMeter(world, root, site, 'hours')
    // Since Sunday 12:00, with an hour unknown, one estimated and one corrected; today until 09:07.
    await storeEnergy(
      world,
      site,
      meter,
      [at('2026-01-04') + 12 * HOUR, now + QUARTER_MS],
      (t): Counted => {
        const hour = (t - at('2026-01-05')) / HOUR
        if (hour >= 2 && hour < 3) return undefined
        return hour >= 3 && hour < 4 ? [1, 'e'] : hour >= 4 && hour < 5 ? [2, 'c'] : 0.25
      },
      [at('2026-01-05') + HOUR + QUARTER_MS],
    )
  })
  const today = async (more: object = {}) =>
    (await root.post('/GetAggregationSummationData', { HomeID: site.HomeID, PeriodType: 1, ...more })).results
      .AggregationDataList

  it('are all listed, future ones without a value', async () => {
    const [list] = await today()
    expect(list).toMatchObject({
      TimeStart: at('2026-01-05'),
      TimeEnd: at('2026-01-06'),
      PeripheralUID: null,
    })
    const points = list.AggregationData as EnergyPoint[]
    expect(points.map(({ kWh }) => kWh)).toEqual([
      1,
      1,
      null,
      4,
      8,
      1,
      1,
      1,
      1,
      0.25,
      ...Array(14).fill(null),
    ])
    expect(points.map(({ Timestamp }) => Timestamp)).toEqual(
      Array.from({ length: 24 }, (_, i) => at('2026-01-05') + i * HOUR),
    )
  })

  it('show the measured, estimated, corrected and missing shares, and counter drops', async () => {
    const points = (await today())[0].AggregationData as EnergyPoint[]
    const none = { Measured: 0, Between: 0, Estimated: 0, Corrected: 0, Missing: 0, Withheld: 0 }
    expect(points[0]?.Coverage).toEqual({ ...none, Measured: 4 })
    expect(points[2]?.Coverage).toEqual({ ...none, Missing: 4 })
    expect(points[3]?.Coverage).toEqual({ ...none, Estimated: 4 })
    expect(points[4]?.Coverage).toEqual({ ...none, Corrected: 4 })
    // The current interval is partly known; future intervals are empty.
    expect(points[9]?.Coverage).toEqual({ ...none, Measured: 1 })
    expect(points[10]?.Coverage).toEqual(none)
    expect(points.map(({ Resets }) => Resets)).toEqual([0, 1, ...Array(22).fill(0)])
  })

  it('include carbon by the factor of their year, and no cost without a tariff', async () => {
    const [point] = (await today())[0].AggregationData as EnergyPoint[]
    expect(point).toMatchObject({ CarbonKg: 0.494, Cost: null })
  })

  it('are compared with those of the previous day', async () => {
    const [, before] = await today({ Compare: 'previous' })
    expect(before).toMatchObject({ TimeStart: at('2026-01-04'), TimeEnd: at('2026-01-05') })
    expect(sum(before.AggregationData)).toBe(12)
    // No interval before the day of the first reading counts as missing.
    expect(before.AggregationData[0].Coverage.Missing).toBe(4)
  })

  it('are compared with the same weekday last week if last year is unknown, and say so', async () => {
    const sunday = at('2026-01-11')
    for (const Compare of [true, 'lastYear', 'lastYearWeekday']) {
      const body = { HomeID: site.HomeID, PeriodType: 1, Compare, Timestamp: sunday }
      const { results } = await root.post('/GetAggregationSummationData', body)
      expect(results.Compared).toEqual({ With: 'weekBefore', Adjusted: [] })
      expect(results.AggregationDataList[1]).toMatchObject({ TimeStart: at('2026-01-04') })
      if (Compare === true) continue
      const range = { From: sunday, To: at('2026-01-12'), Resolution: 'day', Compare }
      const series = (await root.post('/GetEnergySeries', { HomeID: site.HomeID, ...range })).results
      expect(series.Compared).toMatchObject({
        ...{ With: 'weekBefore', From: at('2026-01-04'), To: at('2026-01-05') },
      })
    }
  })

  it('are compared with an unknown last year if last week is unknown too', async () => {
    const body = { HomeID: site.HomeID, PeriodType: 1, Compare: true }
    const { results } = await root.post('/GetAggregationSummationData', body)
    expect(results.Compared).toEqual({ With: 'lastYearWeekday', Adjusted: [] })
  })

  it('add up to the day, days to the month and months to the year', async () => {
    const [from, to] = [at('2026-01-01'), at('2026-02-01')]
    const totals = await Promise.all(
      ['quarter', 'hour', 'day', 'month'].map(async (Resolution) =>
        sum(await only(site, from, to, { Resolution })),
      ),
    )
    expect(totals).toEqual([30.25, 30.25, 30.25, 30.25])
    const coverage = await Promise.all(
      ['quarter', 'hour', 'day', 'month'].map(async (Resolution) =>
        (await only(site, from, to, { Resolution })).reduce(
          (all, { Coverage, Resets }) => [
            (all[0] as number) + Coverage.Measured,
            (all[1] as number) + Coverage.Missing,
            (all[2] as number) + Resets,
          ],
          [0, 0, 0],
        ),
      ),
    )
    for (const one of coverage) expect(one).toEqual([48 + 24 + 1, 48 + 4, 1])
    const year = (await root.post('/GetAggregationSummationData', { HomeID: site.HomeID, PeriodType: 4 }))
      .results
    expect(year.AggregationDataList[0].AggregationData.map(({ kWh }: EnergyPoint) => kWh)).toEqual([
      30.25,
      ...Array(11).fill(null),
    ])
    const month = (await root.post('/GetAggregationSummationData', { HomeID: site.HomeID, PeriodType: 2 }))
      .results
    expect(month.AggregationDataList[0].AggregationData).toHaveLength(31)
    const days = (await root.post('/GetDailySummationData', { HomeID: site.HomeID, Days: 3 })).results
    expect(days[0].Days.map(({ kWh }: EnergyPoint) => kWh)).toEqual([null, 12, 18.25])
  })

  it('include every reading stored before the call', async () => {
    const fresh = await addSite(root, 'Fresh')
    const meter = await addMeter(world, root, fresh, 'fresh')
    const begin = at('2026-01-05')
    const store = async (readings: [number, number][]) => {
      await storeReadings(world, meter, readings)
      await world.db.query(sql`insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
        values (${meter}, ${readings[0]?.[0]}::bigint, ${readings.at(-1)?.[0]}::bigint)`)
    }
    const hours = async () =>
      (await only(fresh, begin, now, { Resolution: 'hour' })).map(({ kWh }) => kWh).slice(0, 3)
    await store([
      [begin, 100],
      [begin + HOUR, 104],
    ])
    expect(await hours()).toEqual([4, null, null])
    await store([[begin + 3 * HOUR, 110]])
    expect(await hours()).toEqual([4, 3, 3])
  })

  it('are updated as soon as a day is recomputed', async () => {
    const past = await addSite(root, 'Again')
    const meter = await addMeter(world, root, past, 'again')
    const range = [at('2026-01-02'), at('2026-01-03')] as const
    await storeEnergy(world, past, meter, range, () => 1)
    expect(sum(await only(past, ...range, { Resolution: 'hour' }))).toBe(96)
    await world.db.pool.query(`delete from meter_days where meter_id = ${meter}`)
    await world.db.pool.query(`delete from meter_months where meter_id = ${meter}`)
    await storeEnergy(world, past, meter, range, () => 2)
    expect(sum(await only(past, ...range, { Resolution: 'hour' }))).toBe(192)
  })
})

describe('a day on which the clocks change', () => {
  it.each([
    ['has 23 hours in spring', 'Europe/Berlin', '2025-03-30', 23],
    ['has 25 hours in autumn', 'Europe/Berlin', '2025-10-26', 25],
    ['begins after midnight where that does not exist', 'America/Santiago', '2025-09-07', 23],
    ['has whole hours where they are shifted by half of one', 'Asia/Kolkata', '2025-10-26', 24],
  ])('%s', async (_what, zone, date, hours) => {
    const site = await addSite(root, `Clock ${zone} ${date}`, zone)
    const uid = `${zone.replace('/', '-')}-${date}`
    const meter = await addMeter(world, root, site, uid)
    const [from, to] = [at(date, zone), startOfDay(parseDay(date) + 1, zone)]
    await storeEnergy(world, site, meter, [from, to], () => 0.5)
    const { results } = await root.post('/GetAggregationSummationData', {
      HomeID: site.HomeID,
      PeriodType: 1,
      Timestamp: from + 5 * HOUR,
    })
    const points = results.AggregationDataList[0].AggregationData as EnergyPoint[]
    expect(points.map(({ kWh }) => kWh)).toEqual(Array(hours).fill(2))
    expect(sum(await only(site, from, to))).toBe(hours * 2)
  })
})

describe('the comparison of a period', () => {
  let site: Site
  beforeAll(async () => {
    site = await addSite(root, 'Compared')
    const meter = await addMeter(world, root, site, 'compared')
    // A kWh in each interval of weekdays, a half on Saturdays, a quarter on Sundays and off-peak days; since December 2024.
    const offPeak = new Set(['2025-12-25', '2026-01-01', '2025-01-01'].map(parseDay))
    await storeEnergy(world, site, meter, [at('2024-12-01'), now], (t) => {
      const day = dayOf(t, 'Asia/Taipei')
      if (offPeak.has(day) || weekdayOf(day) === 0) return 0.25
      return weekdayOf(day) === 6 ? 0.5 : 1
    })
  })
  const ask = async (body: object) =>
    (await root.post('/GetAggregationSummationData', { HomeID: site.HomeID, ...body })).results

  it('defaults to the same weekday a year ago', async () => {
    const monday = await ask({ PeriodType: 1, Timestamp: at('2026-01-05'), Compare: true })
    expect(monday.Compared).toEqual({ With: 'lastYearWeekday', Adjusted: [] })
    expect(monday.AggregationDataList[1]).toMatchObject({ TimeStart: at('2025-01-06') })
    const date = await ask({ PeriodType: 1, Timestamp: at('2026-01-05'), Compare: 'lastYear' })
    expect(date.Compared.With).toBe('lastYear')
    expect(date.AggregationDataList[1]).toMatchObject({ TimeStart: at('2025-01-05') })
    expect((await ask({ PeriodType: 1 })).Compared).toBeNull()
  })

  it('of a month also uses its own calendar', async () => {
    const december = await ask({ PeriodType: 2, Timestamp: at('2025-12-10'), Compare: 'lastYearWeekday' })
    expect(december.AggregationDataList[1]).toMatchObject({ TimeStart: at('2024-12-01') })
    const { AggregationDataList, Compared } = await ask({
      PeriodType: 2,
      Timestamp: at('2025-12-10'),
      Compare: true,
    })
    const [is, was] = AggregationDataList.map(({ AggregationData }: { AggregationData: EnergyPoint[] }) =>
      sum(AggregationData),
    )
    // 22 weekdays, 4 Saturdays and 5 off-peak days in December; 20, 5 and 5 in November.
    expect([is, was]).toEqual([96 * (22 + 2 + 1.25), 96 * (20 + 2.5 + 1.25)])
    expect(Compared).toEqual({ With: 'previous', Adjusted: [{ PeripheralUID: null, kWh: is }] })
    // Completed days of January: 1 to 4 January 2026, an off-peak day, a Friday, a Saturday and a Sunday.
    const january = await ask({ PeriodType: 2, Timestamp: at('2026-01-05'), Compare: 'previous' })
    expect(january.Compared).toMatchObject({ With: 'previous' })
    expect(january.Compared.Adjusted[0].kWh).toBeCloseTo(96 * (0.25 + 1 + 0.5 + 0.25), 6)
  })

  it('is rejected if unknown', async () => {
    const { status } = await root.post('/GetAggregationSummationData', {
      HomeID: site.HomeID,
      PeriodType: 1,
      Compare: 'lastWeek',
    })
    expect(status).toMatchObject({ code: ERRORS.INVALID.code, fields: { Compare: 'invalid' } })
  })
})

describe('a day that a zone skips', () => {
  it.each([
    ['2011-12-31', 'previous'],
    ['2012-12-30', 'lastYear'],
    ['2012-12-28', 'lastYearWeekday'],
  ])('is never used for comparison: %s, %s', async (date, Compare) => {
    const zone = 'Pacific/Apia'
    const { HomeID } = await addSite(root, `Apia ${date}`, zone)
    const { status, results } = await root.post('/GetAggregationSummationData', {
      HomeID,
      PeriodType: 1,
      Timestamp: at(date, zone),
      Compare,
    })
    expect(status.code).toBe(0)
    expect(results.AggregationDataList).toMatchObject([
      { TimeStart: at(date, zone) },
      { TimeStart: at('2011-12-29', zone), TimeEnd: at('2011-12-29', zone) + DAY },
    ])
  })
})

describe('a home with a meter tree', () => {
  let site: Site
  let room: number
  const range = [at('2025-12-01'), at('2025-12-03')] as const
  const random = seeded(7)
  beforeAll(async () => {
    site = await addSite(root, 'Tree')
    room = (await root.post('/CreateRoom', { HomeID: site.HomeID, RoomName: '2F' })).results.RoomID
    const put = async (uid: string, options: object, countedAt: (t: number) => Counted) =>
      storeEnergy(world, site, await addMeter(world, root, site, uid, options), range, countedAt)
    await put('main', {}, () => 5 + random())
    await put('floor', { parent: 'main' }, () => 3 + random())
    await put('socket', { parent: 'floor', type: '518', RoomID: room }, () => 1)
    await put('pump', { parent: 'floor', type: '526', RoomID: room }, (t) =>
      t % (3 * QUARTER_MS) ? 1 : undefined,
    )
    await put('sign', { type: '520' }, () => random())
  })

  it('counts nothing twice: only top meters make the total', async () => {
    const total = sum(await only(site, ...range))
    const each = await energy(site, ...range, { By: 'meter', PeripheralUIDs: ['main', 'sign'] })
    expect(sum(each[0]?.Points ?? []) + sum(each[1]?.Points ?? [])).toBeCloseTo(total, 6)
  })

  it.each(['hour', 'day', 'month'])(
    'adds up to its total by meter, room and category (%s)',
    async (Resolution) => {
      const total = await only(site, ...range, { Resolution })
      for (const By of ['meter', 'room', 'use', 'category']) {
        const series = await energy(site, ...range, { Resolution, By })
        for (const [i, { kWh }] of total.entries()) {
          const parts = series.reduce((all, { Points }) => all + (Points[i]?.kWh ?? 0), 0)
          expect(parts, By).toBeCloseTo(kWh ?? 0, 6)
        }
      }
    },
  )

  it('shows what no sub-meter measured: the main meter minus the lowest meters', async () => {
    const series = await energy(site, ...range, { By: 'meter' })
    expect(series.map(({ Key }) => Key).toSorted()).toEqual(['pump', 'sign', 'socket', 'untracked'])
    const of = (key: string) => sum(series.find(({ Key }) => Key === key)?.Points ?? [])
    const [main] = await energy(site, ...range, { PeripheralUIDs: ['main'] })
    expect(of('pump') + of('socket') + of('untracked')).toBeCloseTo(sum(main?.Points ?? []), 6)
  })

  it('shows a remainder below 0 as a wiring or assignment fault', async () => {
    const wrong = await addSite(root, 'Wrong')
    await storeEnergy(world, wrong, await addMeter(world, root, wrong, 'small'), range, () => 1)
    const below = await addMeter(world, root, wrong, 'large', { parent: 'small' })
    await storeEnergy(world, wrong, below, range, () => 3)
    const series = await energy(wrong, ...range, { By: 'meter' })
    expect(series.find(({ Key }) => Key === 'untracked')?.Points.map(({ kWh }) => kWh)).toEqual([-192, -192])
    expect(sum(await only(wrong, ...range))).toBe(192)
  })

  it('rejects loops, the meter itself and meters of another home as parent', async () => {
    const above = (ParentMeter: string) =>
      root.post('/UpdatePeripheralAdvanceInfo', { HomeID: site.HomeID, PeripheralUID: 'main', ParentMeter })
    expect((await above('main')).status.fields).toEqual({ ParentMeter: 'loop' })
    expect((await above('socket')).status.fields).toEqual({ ParentMeter: 'loop' })
    expect((await above('hours')).status.fields).toEqual({ ParentMeter: 'notFound' })
  })

  it('keeps the past of a removed meter, and does not count its sub-meters twice', async () => {
    const moved = await addSite(root, 'Removed')
    const until = at('2026-01-05')
    const span = [at('2026-01-03'), until] as const
    await storeEnergy(world, moved, await addMeter(world, root, moved, 'old'), span, () => 3)
    const child = await addMeter(world, root, moved, 'child', { parent: 'old' })
    await storeEnergy(world, moved, child, [span[0], now], () => 1)
    const before = await only(moved, ...span)
    await root.post('/RemovePeripheral', { HomeID: moved.HomeID, PeripheralUID: 'old' })
    await world.db.pool.query(`update meters set removed_at = ${until} where peripheral_uid = 'old'`)
    expect(await only(moved, ...span)).toEqual(before)
    expect((await only(moved, span[0], now)).map(({ kWh }) => kWh)).toEqual([288, 288, 36])
    expect(
      (await only(moved, until - HOUR, until + HOUR, { Resolution: 'hour' })).map(({ kWh }) => kWh),
    ).toEqual([12, 4])
  })
})

describe('the last status of a meter', () => {
  let site: Site
  let meter: number
  beforeAll(async () => {
    site = await addSite(root, 'Status')
    meter = await addMeter(world, root, site, 'status')
    await storeEnergy(world, site, meter, [at('2026-01-05') - DAY, now], () => 1)
    await storeReadings(world, meter, [
      [now - DAY, 10],
      [now - 60_000, 100],
    ])
    await addMeter(world, root, site, 'silent')
  })
  const statuses = async () => (await root.post('/GetAllMeterData', { HomeID: site.HomeID })).results

  it('has the totals of the hour, day and month of its last reading', async () => {
    const [silent, status] = await statuses()
    expect(status).toEqual({
      PeripheralUID: 'status',
      HomeID: site.HomeID,
      LastUpdateTimestamp: now - 60_000,
      HourlyKwh: null,
      DailyKwh: 36,
      MonthlyKwh: 132,
      AccumulatePower: 100,
      AvgElectricCurrent: 1,
      Power: 100,
      PowerMeterUpdateFrequency: 900,
      IsCurrent: true,
    })
    expect(silent).toMatchObject({
      PeripheralUID: 'silent',
      LastUpdateTimestamp: null,
      DailyKwh: null,
      IsCurrent: false,
    })
  })

  it('is stale after its update frequency has passed', async () => {
    const { results } = await root.post('/GetEnergySeries', {
      HomeID: site.HomeID,
      From: now - DAY,
      To: now,
      Resolution: 'day',
    })
    expect(results.Meters).toEqual({ Reporting: 1, Total: 2 })
    const change = (seconds: number) =>
      root.post('/UpdatePeripheralAdvanceInfo', {
        HomeID: site.HomeID,
        PeripheralUID: 'status',
        PowerMeterUpdateFrequency: seconds,
      })
    await change(60)
    expect((await statuses())[1].IsCurrent).toBe(false)
    await change(900)
  })

  it('is returned for some meters in the requested order, and for the whole company', async () => {
    const some = { HomeID: site.HomeID, PeripheralUIDs: ['status', 'silent'] }
    const { results } = await root.post('/GetLastHistoryStatusData', some)
    expect(results.map((one: { PeripheralUID: string }) => one.PeripheralUID)).toEqual(['status', 'silent'])
    expect((await root.post('/GetAllMeterData')).results.length).toBeGreaterThan(2)
  })

  it('includes its readings, paged, each with the time since the previous one', async () => {
    const page = (more: object) =>
      root.post('/GetHistoryStatusData', {
        HomeID: site.HomeID,
        PeripheralUID: 'status',
        From: 0,
        To: now,
        Limit: 1,
        ...more,
      })
    const first = (await page({})).results
    expect(first.Rows).toMatchObject([
      { StartTime: null, kWh: null, Timestamp: now - DAY, AccumulatePower: 10 },
    ])
    const second = (await page({ Cursor: first.NextCursor })).results
    expect(second).toMatchObject({
      Rows: [{ StartTime: now - DAY, AccumulationTime: 86_340, kWh: 90, Timestamp: now - 60_000 }],
      NextCursor: null,
    })
  })
})

describe('quarantined readings', () => {
  it('are listed but not counted, and the next reading continues from the last counted one', async () => {
    const site = await addSite(root, 'Quarantined')
    const meter = await addMeter(world, root, site, 'quarantined')
    await store(
      world.db,
      meter,
      [100, 101, 5, 103, 5_000_000, 104].map((kwh, i) => ({ timestamp: now - DAY + i * QUARTER_MS, kwh })),
    )
    const { results } = await root.post('/GetHistoryStatusData', {
      HomeID: site.HomeID,
      PeripheralUID: 'quarantined',
      From: now - DAY + 2 * QUARTER_MS,
      To: now,
    })
    const rows = results.Rows as HistoryRow[]
    expect(rows.map(({ AccumulatePower, kWh, State }) => [AccumulatePower, kWh, State])).toEqual([
      [5, null, 'withheld'],
      [103, 2, 'counted'],
      [5_000_000, null, 'withheld'],
      [104, 1, 'counted'],
    ])
    expect(rows[1]?.StartTime).toBe(now - DAY + QUARTER_MS)
  })

  it('are marked, with the decision of a person', async () => {
    const site = await addSite(root, 'Decided')
    const { HomeID } = site
    const PeripheralUID = 'decided'
    const meter = await addMeter(world, root, site, PeripheralUID)
    const at = (quarter: number) => now - DAY + quarter * QUARTER_MS
    await store(
      world.db,
      meter,
      [100, 101, 5, 103, 5_000_000, 104, 105].map((kwh, i) => ({ timestamp: at(i), kwh })),
    )
    // A second value for the same time does not affect the one that counts until a user prefers it.
    await world.db.query(sql`insert into quarantined_readings (meter_id, timestamp, value, reason)
      values (${meter}, ${at(1)}, 7, 'conflict'), (${meter}, ${at(6)}, 106, 'conflict')`)
    const decide = (quarter: number, Decision: string) =>
      root.post('/DecideQuarantinedReading', {
        HomeID,
        Decision,
        Readings: [{ PeripheralUID, Timestamp: at(quarter) }],
      })
    const range = { HomeID, PeripheralUID, From: at(0), To: now }
    const states = async () =>
      ((await root.post('/GetHistoryStatusData', range)).results.Rows as HistoryRow[]).map(
        ({ State }) => State,
      )
    await states()
    await decide(2, 'dropped')
    await decide(6, 'accepted')
    expect(await states()).toEqual([
      'counted',
      'counted',
      'dropped',
      'counted',
      'withheld',
      'counted',
      'accepted',
    ])
  })
})

describe('the coverage of quarantined readings', () => {
  const at = (quarter: number) => now - DAY + quarter * QUARTER_MS
  const QUARANTINED = [2, 4]

  /** Site whose meter has a glitch and a jump among valid readings, both yesterday. */
  async function addQuarantined(name: string): Promise<Site> {
    const site = await addSite(root, name)
    const meter = await addMeter(world, root, site, name)
    await store(
      world.db,
      meter,
      [100, 101, 5, 103, 5_000_000, 105, 106].map((kwh, i) => ({ timestamp: at(i), kwh })),
    )
    return site
  }
  const decide = (name: string, { HomeID }: Site, Decision: string) =>
    root.post('/DecideQuarantinedReading', {
      HomeID,
      Decision,
      Readings: QUARANTINED.map((quarter) => ({ PeripheralUID: name, Timestamp: at(quarter) })),
    })

  /** Coverage of the six intervals in each call that returns it, keyed by call. */
  async function coverages(name: string, site: Site) {
    const { HomeID } = site
    const found: Record<string, { kWh: number } & EnergyPoint['Coverage']> = {}
    const fields = ['Measured', 'Between', 'Estimated', 'Corrected', 'Missing', 'Withheld'] as const
    const add = (call: string, points: readonly EnergyPoint[]) => {
      const none = { Measured: 0, Between: 0, Estimated: 0, Corrected: 0, Missing: 0, Withheld: 0 }
      const total = { kWh: sum(points), ...none }
      for (const { Coverage } of points) for (const field of fields) total[field] += Coverage[field]
      found[call] = total
    }
    const six = { Resolution: 'quarter' }
    for (const By of ['home', 'meter', 'room', 'use', 'category', 'band'])
      add(`series by ${By}`, await only(site, at(0), at(6), { ...six, By }))
    add('series of a meter', await only(site, at(0), at(6), { ...six, PeripheralUIDs: [name] }))
    const month = async (more: object) =>
      (await root.post('/GetAggregationSummationData', { HomeID, ...more })).results.AggregationDataList[0]
        .AggregationData as EnergyPoint[]
    add('hours', await month({ PeriodType: 1, Timestamp: at(0) }))
    add('days', await month({ PeriodType: 2 }))
    add('days of a meter', await month({ PeriodType: 2, PeripheralUIDs: [name] }))
    add('months', await month({ PeriodType: 4 }))
    const daily = (await root.post('/GetDailySummationData', { HomeID, Days: 2 })).results[0].Days
    add('days of the dashboard', daily)
    return found
  }

  it('is missing in every call until a person decides, and other energy is counted', async () => {
    const site = await addQuarantined('waits')
    for (const [call, { kWh, Missing, ...rest }] of Object.entries(await coverages('waits', site))) {
      expect(rest, call).toEqual({ Measured: 4, Between: 0, Estimated: 0, Corrected: 0, Withheld: 2 })
      expect(kWh, call).toBeCloseTo(6, 9)
      // Longer periods also lack the intervals up to now.
      expect(Missing, call).toBeGreaterThanOrEqual(2)
      expect(call.startsWith('series') ? Missing : 2, call).toBe(2)
    }
  })

  it.each([
    ['dropped', { Measured: 4, Between: 0, Estimated: 2, Corrected: 0, Withheld: 0 }, 2],
    // Energy counted while the counter fell, once after each of them, is unknown before a replacement is entered.
    ['accepted', { Measured: 4, Between: 0, Estimated: 0, Corrected: 0, Withheld: 0 }, 0],
  ])('is correct in every call once they are %s', async (decision, known, found) => {
    const site = await addQuarantined(decision)
    const before = await coverages(decision, site)
    expect((await decide(decision, site, decision)).status.code).toBe(0)
    for (const [call, { kWh: _, Missing, ...rest }] of Object.entries(await coverages(decision, site))) {
      expect(rest, call).toEqual(known)
      expect(Missing, call).toBe((before[call]?.Missing as number) - found)
    }
  })
})

describe('energy', () => {
  it('of unknown meters, homes and other companies is not found', async () => {
    const site = await addSite(root, 'Mine')
    const stranger = await world.signUp()
    const range = { From: now - DAY, To: now, Resolution: 'day' }
    const { HomeID } = site
    const calls: [string, object][] = [
      ['/GetEnergySeries', { HomeID, ...range }],
      ['/GetAggregationSummationData', { HomeID, PeriodType: 1 }],
      ['/GetDailySummationData', { HomeID }],
      ['/GetAllMeterData', { HomeID }],
      ['/GetLastHistoryStatusData', { HomeID }],
      ['/GetHistoryStatusData', { HomeID, PeripheralUID: 'status', From: 0, To: now }],
    ]
    for (const [path, input] of calls)
      expect((await stranger.post(path, input)).status.code, path).toBe(ERRORS.NOT_FOUND.code)
    expect((await stranger.post('/GetAllMeterData')).results).toEqual([])
    expect((await stranger.post('/GetDailySummationData')).results).toEqual([])
    const PeripheralUIDs = ['status', 'nobody']
    for (const [path, input] of [calls[0], calls[1], calls[4]] as [string, object][])
      expect((await root.post(path, { ...input, PeripheralUIDs })).status, path).toMatchObject({
        code: ERRORS.NOT_FOUND.code,
        fields: { 'PeripheralUIDs.0': 'notFound', 'PeripheralUIDs.1': 'notFound' },
      })
  })

  it('of a home without a meter is empty, not 0', async () => {
    const site = await addSite(root, 'Empty')
    expect(
      (await only(site, now - DAY, now)).map(({ kWh, Cost, CarbonKg }) => [kWh, Cost, CarbonKg]),
    ).toEqual([
      [null, null, null],
      [null, null, null],
    ])
    expect(await energy(site, now - DAY, now, { By: 'meter' })).toEqual([])
  })

  it('is limited to a valid range', async () => {
    const { HomeID } = await addSite(root, 'Bounds')
    const ask = async (more: object) =>
      (
        await root.post('/GetEnergySeries', {
          HomeID,
          From: now - DAY,
          To: now,
          Resolution: 'quarter',
          ...more,
        })
      ).status
    expect(await ask({ From: now - 32 * DAY })).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { To: 'tooManyPoints' },
    })
    expect((await ask({ To: now - DAY })).fields).toEqual({ To: 'tooSmall' })
    expect((await ask({ From: 0 })).fields).toEqual({ From: 'tooSmall' })
    expect((await ask({ To: 8.64e15 })).fields).toEqual({ To: 'tooBig' })
    expect((await ask({})).code).toBe(0)
  })
})

describe('this month compared with the same dates of last year', () => {
  const ask = async (caller: Caller) => (await caller.post('/GetMonthBesideYear')).results
  const quartersOf = (days: number) => days * 96

  it('adds up all homes on the days known in both, with their number', async () => {
    const chain = await world.signUp()
    const year = async (name: string, was: Counted, is: Counted, from = '2025-01-01') => {
      const site = await addSite(chain, name)
      const meter = await addMeter(world, chain, site, name)
      await storeEnergy(world, site, meter, [at(from), at('2025-01-10')], () => was)
      await storeEnergy(world, site, meter, [at('2026-01-01'), at('2026-01-05')], () => is)
      return site
    }
    await year('both', 1, 0.5)
    await year('half', 2, 3, '2025-01-03')
    const fresh = await addSite(chain, 'fresh')
    const meter = await addMeter(world, chain, fresh, 'fresh')
    await storeEnergy(world, fresh, meter, [at('2026-01-01'), at('2026-01-05')], () => 100)
    await addSite(chain, 'bare')
    expect(await ask(chain)).toMatchObject({
      Days: 4,
      Homes: { Compared: 2, Total: 3 },
      Partly: true,
      Now: { kWh: quartersOf(4) * 0.5 + quartersOf(2) * 3, Cost: null },
      Before: { kWh: quartersOf(4) * 1 + quartersOf(2) * 2, Cost: null },
    })
  })

  it('is empty if no home was measured a year ago', async () => {
    const none = { Homes: { Compared: 0, Total: 0 }, Partly: false, Now: null, Before: null }
    expect(await ask(await world.signUp())).toEqual({ Days: 0, ...none })
  })
})
