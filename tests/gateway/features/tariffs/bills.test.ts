import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import {
  billingCycles,
  billingPeriodOn,
  billingPeriodsBefore,
} from '../../../../gateway/domain/tariffs/billing-periods.ts'
import { formatDay, parseDay, QUARTER_MS, startOfDay } from '../../../../contract/time/periods.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../support/clock.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { addMeter, addSite, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'
import { store } from '../energy/rollup/meters.ts'

let world: World
let root: Caller
let HomeID: string
let meters: number[]
const zone = 'Asia/Taipei'
const NOW = Date.parse('2026-07-15T02:07:00Z')

beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: zone })).results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['main', 'press', 'lathe'] })
  for (const PeripheralUID of ['press', 'lathe'])
    await root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID, ParentMeter: 'main' })
  meters = []
  for (const uid of ['main', 'press'])
    meters.push(
      (
        await world.db.query<{ id: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
          values (${root.cognitoId}, ${HomeID}, ${uid}) returning meter_id as id`)
      )[0]?.id as number,
    )
  // A year and a half of 10 kWh in each interval; on one day the press takes 30 more between 14:00 and 14:15.
  for (const [meter, kwh] of [
    [meters[0], 10],
    [meters[1], 4],
  ] as const)
    await world.db.query(sql`insert into meter_days
        (kwh, meter_id, day, measured, estimated, corrected, missing, resets, cumulative, quality)
      select sum(c), ${meter}, day, 96, 0, 0, 0, 0, array_agg(total order by i), repeat('m', 96) from (
        select day, i, c, sum(c) over (partition by day order by i) as total from (
          select day, i, ${kwh}::float8 + case when day = ${parseDay('2026-06-10')}::int and i = 57 then 30 else 0 end as c
          from generate_series(${parseDay('2025-01-01')}::int, ${parseDay('2026-07-14')}::int) day,
            generate_series(1, 96) i) a) b
      group by day`)
})
afterAll(() => world.close())

const assign = (...Tariffs: unknown[]) => root.post('/UpdateHomeTariff', { HomeID, Tariffs, Sure: true })

describe('billing periods', () => {
  const dates = (day: string, BillingDay: number, BillingMonths: 1 | 2, FirstMonth: 1 | 2) => {
    const cycles = billingCycles([{ ValidFrom: '2020-01-01', BillingDay, BillingMonths, FirstMonth }])
    const { FromDay, EndDay } = billingPeriodOn(parseDay(day), cycles)
    return [formatDay(FromDay), formatDay(EndDay)]
  }
  it('start on their day, every second month for two-month bills', () => {
    expect(dates('2026-03-04', 1, 1, 1)).toEqual(['2026-03-01', '2026-04-01'])
    expect(dates('2026-03-04', 5, 1, 1)).toEqual(['2026-02-05', '2026-03-05'])
    expect(dates('2026-03-05', 5, 2, 1)).toEqual(['2026-03-05', '2026-05-05'])
    expect(dates('2026-03-05', 5, 2, 2)).toEqual(['2026-02-05', '2026-04-05'])
    const year = billingPeriodsBefore(
      parseDay('2026-07-15'),
      12,
      billingCycles([{ ValidFrom: '2020-01-01', BillingDay: 1, BillingMonths: 2, FirstMonth: 1 }]),
    )
    expect(year.map(({ FromDay }) => formatDay(FromDay))).toEqual([
      '2025-07-01',
      '2025-09-01',
      '2025-11-01',
      '2026-01-01',
      '2026-03-01',
      '2026-05-01',
    ])
  })

  it('end when their terms change, with prorated months, and no day is in two', () => {
    const from = (ValidFrom: string, BillingDay: number, BillingMonths: 1 | 2) => ({
      ValidFrom,
      BillingDay,
      BillingMonths,
      FirstMonth: 1 as const,
    })
    const cycles = billingCycles([
      from('2025-01-01', 1, 2),
      from('2026-02-11', 1, 2),
      from('2026-03-21', 8, 1),
      from('2026-06-01', 8, 1),
    ])
    const shown = (day: string) => {
      const { FromDay, EndDay, Months } = billingPeriodOn(parseDay(day), cycles)
      return [formatDay(FromDay), formatDay(EndDay), Months]
    }
    // Repeated terms end nothing; the first terms also apply to the time before them.
    expect(shown('2026-02-20')).toEqual(['2026-01-01', '2026-03-01', 2])
    expect(shown('2024-12-31')).toEqual(['2024-11-01', '2025-01-01', 2])
    expect(shown('2026-03-20')).toEqual(['2026-03-01', '2026-03-21', (20 / 61) * 2])
    expect(shown('2026-03-21')).toEqual(['2026-03-21', '2026-04-08', 18 / 31])
    expect(shown('2026-06-01')).toEqual(['2026-05-08', '2026-06-08', 1])
    for (let day = parseDay('2025-11-01'); day < parseDay('2026-07-01'); day++) {
      const period = billingPeriodOn(day, cycles)
      expect([period.FromDay <= day, day < period.EndDay]).toEqual([true, true])
    }
    for (let day = parseDay('2025-11-01'); day < parseDay('2026-07-01');) {
      const period = billingPeriodOn(day, cycles)
      expect(period.FromDay).toBe(day)
      day = period.EndDay
    }
    const before = billingPeriodsBefore(parseDay('2026-06-20'), 3, cycles)
    expect(before.map(({ FromDay }) => formatDay(FromDay))).toEqual([
      '2026-03-01',
      '2026-03-21',
      '2026-04-08',
      '2026-05-08',
    ])
  })
})

describe('a bill', () => {
  it('counts the home by its top meters, each band at its price', async () => {
    await assign(homeTariff({ Capacities: { regular: 40 } }))
    const { results } = await root.post('/GetBill', { HomeID, Date: '2026-06-15' })
    expect(results).toMatchObject({
      From: '2026-06-01',
      Through: '2026-06-30',
      DaysWithoutTariff: 0,
      Known: 1,
    })
    expect(results.kWh).toBeCloseTo(30 * 960 + 30, 6)
    // June 2026: 21 weekdays without the holiday of the 19th, 4 Saturdays, 4 Sundays; 60 peak intervals a day.
    const line = (Item: string, Detail: string) =>
      results.Lines.find(
        (one: { Item: string; Detail: string }) => one.Item === Item && one.Detail === Detail,
      )
    expect(line('energy', 'peak').Quantity).toBeCloseTo(21 * 60 * 10 + 30, 6)
    expect(line('energy', 'saturdaySemiPeak').Quantity).toBeCloseTo(4 * 60 * 10, 6)
    expect(line('capacity', 'regular')).toMatchObject({ Quantity: 40, Price: 236.2, Amount: 9448 })
    // 160 kW against 40: 4 at twice the rate, 116 at three times.
    const over = results.Lines.filter(({ Item }: { Item: string }) => Item === 'overCapacity')
    expect(
      over.map(({ Quantity, Factor }: { Quantity: number; Factor: number }) => [Quantity, Factor]),
    ).toEqual([
      [4, 2],
      [116, 3],
    ])
    const sum = results.Lines.reduce((all: number, { Amount }: { Amount: number }) => all + Amount, 0)
    expect(results.Total).toBeCloseTo(sum, 2)
  })

  it('is prorated by days when contract terms change, for any requested day', async () => {
    const before = { Capacities: { regular: 40 }, ValidThrough: '2026-06-10' }
    const after = { Capacities: { regular: 200 }, ValidFrom: '2026-06-11' }
    await assign(homeTariff(before), homeTariff(after))
    const { results } = await root.post('/GetBill', { HomeID, Date: '2026-06-02' })
    expect((await root.post('/GetBill', { HomeID, Date: '2026-06-29' })).results).toEqual(results)
    const lines = (Item: string) =>
      results.Lines.filter((one: { Item: string }) => one.Item === Item).map(
        ({ Quantity, Factor, Amount }: Record<string, number>) => [Quantity, Factor, Amount],
      )
    // Ten days with 40 kW, of which 160 are reached on the tenth; twenty with 200. 236.2 NT$ for each kW and month.
    expect(lines('capacity')).toEqual([
      [40, 10 / 30, 3149.33],
      [200, 20 / 30, 31493.33],
    ])
    expect(lines('overCapacity')).toEqual([
      [4, (2 * 10) / 30, 629.87],
      [116, (3 * 10) / 30, 27399.2],
    ])
    expect(lines('energy')).toHaveLength(3)
    // It does not start another bill.
    expect([results.From, results.Through]).toEqual(['2026-06-01', '2026-06-30'])
  })

  it('charges excess over the contract once if the same terms are stated again', async () => {
    const ofJune = async () => {
      const { Lines, Total } = (await root.post('/GetBill', { HomeID, Date: '2026-06-02' })).results
      return { Lines, Total }
    }
    await assign(homeTariff({ Capacities: { regular: 40 } }))
    const once = await ofJune()
    await assign(
      homeTariff({ Capacities: { regular: 40 }, ValidThrough: '2026-06-15' }),
      homeTariff({ Capacities: { regular: 40 }, ValidFrom: '2026-06-16' }),
    )
    expect(await ofJune()).toEqual(once)
  })

  it('is not divided by a price table that was republished without a change', async () => {
    // High voltage cost the same before and after 1 October 2025; its summer ends on the 15th.
    await assign(
      homeTariff({
        PlanID: 'hv_two_stage',
        Capacities: {},
        BillingDay: 11,
        ValidFrom: '2025-01-01',
      }),
    )
    // Stored before contracts of high voltage below 100 kW were rejected.
    await world.db.query(
      sql`update home_tariffs set capacities = '{"regular": 30}' where home_id = ${HomeID}`,
    )
    const { Lines } = (await root.post('/GetBill', { HomeID, Date: '2025-10-01' })).results
    const of = (Item: string) =>
      Lines.filter((one: { Item: string }) => one.Item === Item).map(
        ({ Detail, Quantity, Factor }: Record<string, number>) => [Detail, Quantity, Factor],
      )
    expect(of('capacity')).toEqual([['regular', 30, 1]])
    expect(of('overCapacity')).toEqual([
      ['peak', 3, 2],
      ['peak', 7, 3],
    ])
  })

  it('for days without a tariff has no lines', async () => {
    await assign(homeTariff({ ValidFrom: '2026-06-16' }))
    const { results } = await root.post('/GetBill', { HomeID, Date: '2026-06-15' })
    expect(results).toMatchObject({ DaysWithoutTariff: 15 })
    await assign()
    expect((await root.post('/GetBill', { HomeID, Date: '2026-06-15' })).results).toMatchObject({
      Lines: [],
      Total: 0,
      DaysWithoutTariff: 30,
    })
  })
})

describe('a comparison', () => {
  it('prices the last bills under every plan, and finds the cheapest contract', async () => {
    await assign(homeTariff({ ValidFrom: '2025-01-01', Capacities: { regular: 40 } }))
    const { results } = await root.post('/CompareTariff', { HomeID })
    expect(results.Periods).toHaveLength(12)
    expect(results.Periods[0]).toMatchObject({ From: '2025-07-01', Through: '2025-07-31', kWh: 31 * 960 })
    expect(results.Current).toMatchObject({ PlanID: 'lv_two_stage', Priced: 12 })
    const same = results.Plans.find(({ PlanID }: { PlanID: string }) => PlanID === 'lv_two_stage')
    expect(same).toMatchObject({ Total: results.Current.Total, Difference: 0, Drivers: [] })
    // 40 kW all year; one peak of 160 in June does not justify a contract of 160.
    expect(same.Best.Regular).toBe(40)
    const three = results.Plans.find(({ PlanID }: { PlanID: string }) => PlanID === 'lv_three_stage')
    expect(three.Difference).toBeCloseTo(three.Total - results.Current.Total, 1)
    expect(three.Drivers.length).toBeGreaterThan(0)
    const totals = results.Plans.filter(({ Priced }: { Priced: number }) => Priced === 12).map(
      ({ Total }: { Total: number }) => Total,
    )
    expect(totals).toEqual(totals.toSorted((a: number, b: number) => a - b))
  })

  it('uses the best contract if none is configured, and the one that is tried', async () => {
    await assign(homeTariff({ PlanID: 'commercial_standard', Capacities: {} }))
    const PlanIDs = ['lv_two_stage', 'hv_two_stage']
    const { results } = await root.post('/CompareTariff', { HomeID, PlanIDs })
    const [low, high] = PlanIDs.map((id) =>
      results.Plans.find(({ PlanID }: { PlanID: string }) => PlanID === id),
    )
    expect(low.Capacities).toEqual({ regular: 40 })
    expect(low.Total).toBe(low.Best.Total)
    expect(high.Best.Regular).toBe(100)
    expect(high.Capacities).toEqual({ regular: 100 })
    const tried = await root.post('/CompareTariff', {
      HomeID,
      PlanIDs,
      Capacities: { regular: 60 },
    })
    const at60 = tried.results.Plans.find(({ PlanID }: { PlanID: string }) => PlanID === 'lv_two_stage')
    expect(at60.Total).toBeGreaterThan(at60.Best.Total)
    // High voltage is not available below 100 kW.
    const highAt60 = tried.results.Plans.find(({ PlanID }: { PlanID: string }) => PlanID === 'hv_two_stage')
    expect(highAt60.Capacities).toEqual({ regular: 100 })
  })

  /** Home whose meter counted 1 kWh in each interval from a day until yesterday, with `quality` by position in the day. */
  async function aHomeSince(
    date: string,
    quality: (quarter: number) => 'm' | 'e' | undefined,
    name: string,
  ): Promise<string> {
    const site = await addSite(root, name, zone)
    const [from, to] = [date, '2026-07-15'].map((day) => startOfDay(parseDay(day), zone)) as [number, number]
    await storeEnergy(world, site, await addMeter(world, root, site, name), [from, to], (at) => {
      const letter = quality(Math.floor(((at - from) / QUARTER_MS) % 96))
      return letter && [1, letter]
    })
    await root.post('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs: [homeTariff()] })
    return site.HomeID
  }
  const refusals = async (id: string, more: object = {}) => {
    const { results } = await root.post('/CompareTariff', { HomeID: id, ...more })
    return (PlanID: string) => results.Plans.find((one: { PlanID: string }) => one.PlanID === PlanID)
  }

  it('gives no advice with too few months, and says until when there will be enough', async () => {
    const id = await aHomeSince('2026-03-01', () => 'm', 'new')
    const of = await refusals(id)
    // March to June are known; ten months with two of summer are reached on 1 January 2027.
    const Refused = { Reason: 'coverage', Have: 4, Needed: 10, EnoughOn: '2027-01-01' }
    for (const PlanID of ['residential_standard', 'lv_two_stage', 'hv_two_stage'])
      expect(of(PlanID)).toMatchObject({ Refused, Best: null, Difference: null, Drivers: [] })
    expect(of('lv_two_stage').Total).toBeGreaterThan(0)
    // Without a contract a plan has no bills either: they would be those of its best contract.
    await root.post('/UpdateHomeTariff', {
      HomeID: id,
      Tariffs: [homeTariff({ PlanID: 'commercial_standard', Capacities: {} })],
    })
    const low = (await refusals(id))('lv_two_stage')
    expect(low).toMatchObject({ Refused, Capacities: {}, Priced: 0, Total: 0 })
    expect(low.Bills).toEqual(Array.from({ length: 12 }, () => ({ Total: null, Energy: null })))
  })

  it('gives no advice with less than a year', async () => {
    const PlanIDs = ['residential_standard']
    expect((await refusals(HomeID, { PlanIDs, Months: 6 }))('residential_standard')).toMatchObject({
      Refused: { Reason: 'coverage', Have: 6, Needed: 10, EnoughOn: null },
      Difference: null,
    })
  })

  it('advises without measured quarter-hours only on plans without a contract', async () => {
    const of = await refusals(await aHomeSince('2025-01-01', (i) => (i % 4 ? 'e' : 'm'), 'hourly'))
    expect(of('lv_two_stage')).toMatchObject({
      Refused: { Reason: 'quarterHours', Have: 0, Needed: 10, EnoughOn: null },
      Best: null,
      Difference: null,
    })
    // The cost of the present contract is unknown, so nothing is cheaper or more expensive.
    expect(of('residential_two_stage')).toMatchObject({ Refused: null, Difference: null })
  })

  it('gives no hourly price advice if a counter is read once a month, and marks such a bill', async () => {
    const id = await aHomeSince('2025-01-01', () => 'e', 'monthly')
    const agree = (PlanID: string) =>
      root.post('/UpdateHomeTariff', { HomeID: id, Tariffs: [homeTariff({ PlanID, Capacities: {} })] })
    const bill = async () => (await root.post('/GetBill', { HomeID: id, Date: '2026-05-10' })).results
    await agree('residential_standard')
    const of = await refusals(id)
    expect(of('residential_standard')).toMatchObject({ Refused: null, Difference: 0 })
    for (const PlanID of ['residential_two_stage', 'residential_three_stage'])
      expect(of(PlanID)).toMatchObject({
        Refused: { Reason: 'hours', Have: 0, Needed: 10, EnoughOn: null },
        Difference: null,
      })
    expect(await bill()).toMatchObject({ Known: 1 })
    expect(await bill()).not.toHaveProperty('EnergyKnown')
    await agree('residential_two_stage')
    expect(await bill()).toMatchObject({ Known: 0, EnergyKnown: 1 })
    // Its own bill is unknown, so a plan without bands cannot be called cheaper.
    expect((await refusals(id))('residential_standard')).toMatchObject({ Refused: null, Difference: null })
  })

  it('treats meters that report at different minutes, and hourly corrections, as measured hours', async () => {
    const site = await addSite(root, 'staggered', zone)
    const at = (date: string) => startOfDay(parseDay(date), zone)
    const [begin, end] = [at('2026-05-01'), at('2026-06-01')]
    const ids: number[] = []
    for (const minute of [0, 2]) {
      const meter = await addMeter(world, root, site, `staggered-${minute}`)
      ids.push(meter)
      // In May one of the meters was imported.
      await storeEnergy(world, site, meter, [at('2025-01-01'), at('2026-07-15')], (time) =>
        minute === 2 && time >= begin && time < end
          ? [1, 'c']
          : [1, (time / QUARTER_MS) % 4 === minute ? 'm' : 'e'],
      )
    }
    const hour = 4 * QUARTER_MS
    // Ten days are hourly, the others daily.
    const hourly = begin + 10 * 24 * hour
    for (const [length, since, until] of [
      [hour, begin, hourly],
      [24 * hour, hourly, end],
    ] as const)
      await world.db.query(sql`
        insert into meter_corrections (correction_id, tenant, home_id, meter_id, kind, from_timestamp, to_timestamp, kwh, sharing,
          created_by, author_name, created_at)
        select gen_random_uuid()::text, ${root.tenant}, ${site.HomeID}, ${ids[1]}, 'interval', at, at + ${length}::bigint, 4, 'even',
          ${root.cognitoId}, 'A', 0
        from generate_series(${since}::bigint, ${until - length}::bigint, ${length}::bigint) as at`)
    await root.post('/UpdateHomeTariff', {
      HomeID: site.HomeID,
      Tariffs: [homeTariff({ PlanID: 'residential_two_stage', Capacities: {} })],
    })
    const bill = async (Date: string) => (await root.post('/GetBill', { HomeID: site.HomeID, Date })).results
    expect(await bill('2026-04-10')).toMatchObject({ Known: 1 })
    const may = await bill('2026-05-10')
    expect(may.Known).toBeCloseTo((31 + 10) / 62, 6)
    expect(may.EnergyKnown).toBe(1)
    expect((await refusals(site.HomeID))('residential_three_stage').Refused).toBeNull()
  })

  it('says when prices were last checked, and warns from the next council date on', async () => {
    const id = await aHomeSince('2026-07-01', () => 'm', 'checked')
    const prices = async (Date: string) => (await root.post('/GetBill', { HomeID: id, Date })).results.Prices
    const checked = { CheckedOn: '2026-09-15', ReviewOn: '2026-10-01' }
    expect(await prices('2026-07-10')).toEqual({ ...checked, MayHaveChanged: false })
    expect(await prices('2026-10-01')).toEqual({ ...checked, MayHaveChanged: true })
    const compare = await root.post('/CompareTariff', { HomeID: id, PlanIDs: ['residential_standard'] })
    expect(compare.results.Prices).toEqual({ ...checked, MayHaveChanged: false })
    // It is July, and the factor of the previous year is not built in.
    expect((await root.post('/GetCarbonRule')).results).toMatchObject({
      CheckedOn: '2026-11-28',
      Missing: 2025,
    })
    await root.post('/UpdateCarbonFactor', { Factors: [{ Year: 2025, Factor: 0.46 }] })
    expect((await root.post('/GetCarbonRule')).results).toMatchObject({ Missing: null })
    await root.post('/UpdateCarbonFactor', { Factors: [] })
  })

  it('gives no advice for periods that are known to less than 95 %', async () => {
    const of = await refusals(await aHomeSince('2025-01-01', (i) => (i < 5 ? undefined : 'm'), 'gaps'))
    expect(of('residential_standard').Refused).toMatchObject({ Reason: 'coverage', Have: 0 })
    const better = await refusals(await aHomeSince('2025-01-01', (i) => (i < 4 ? undefined : 'm'), 'few'))
    expect(better('residential_standard').Refused).toBeNull()
  })

  it('rejects unknown tariffs and homes', async () => {
    expect((await root.post('/CompareTariff', { HomeID, PlanIDs: ['none'] })).status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { 'PlanIDs.0': 'notFound' },
    })
    const stranger = await world.signUp()
    for (const path of ['/CompareTariff', '/GetDemand'])
      expect((await stranger.post(path, { HomeID })).status.code).toBe(ERRORS.NOT_FOUND.code)
  })
})

describe('demand', () => {
  it('shows the highest intervals of a month with their contributions', async () => {
    await assign(homeTariff({ Capacities: { regular: 100 } }))
    const { results } = await root.post('/GetDemand', { HomeID, Month: '2026-06' })
    expect(results.Month).toBe('2026-06')
    expect(results.Peaks[0]).toMatchObject({
      Timestamp: startOfDay(parseDay('2026-06-10'), zone) + 14 * 3_600_000,
      kW: 160,
      Band: 'peak',
      Limit: 100,
      // The main meter caused every peak; of those below it, the press caused this one.
      Meters: [{ PeripheralUID: 'press', kW: 136 }],
    })
    expect(results.Peaks[1].kW).toBe(40)
  })

  it('is the present power of top meters, with the expected interval', async () => {
    const readings = [
      [meters[0], -22, 0],
      [meters[0], -7, 25],
      [meters[0], 0, 25 + (7 / 60) * 120],
      [meters[1], -7, 0],
      [meters[1], 0, 99],
    ] as const
    for (const [meter, minutes, kwh] of readings)
      await world.db.query(sql`insert into readings (timestamp, accumulate_power, meter_id, power)
        values (${NOW + minutes * 60_000}, ${kwh}, ${meter}, 120000)`)
    const { results } = await root.post('/GetDemand', { HomeID })
    // 100 kW for eight minutes and 120 kW for seven; the interval began seven minutes ago.
    expect(results.Rolling).toBeCloseTo((100 * 8 + 120 * 7) / 15, 6)
    expect(results.Forecast).toBeCloseTo(120, 6)
    expect(results).toMatchObject({ Band: 'peak', Limit: 100, Reporting: 1, Meters: 1, Month: '2026-07' })
  })

  it('is a minimum for the reporting meters, and unknown while a subtracted meter is silent', async () => {
    const site = await addSite(root, 'Partly silent')
    const [loads, solar] = [
      await addMeter(world, root, site, 'loads'),
      await addMeter(world, root, site, 'solar'),
    ]
    await store(world.db, loads, [
      { timestamp: NOW - 20 * 60_000, kwh: 0 },
      { timestamp: NOW, kwh: 20 },
    ])
    const demand = async () => (await root.post('/GetDemand', { HomeID: site.HomeID })).results
    expect(await demand()).toMatchObject({ Rolling: 60, Forecast: 60, Reporting: 1, Meters: 2 })
    // One reading with its power: no 15 minutes of it are known yet.
    await world.db.query(sql`insert into readings (timestamp, accumulate_power, meter_id, power)
      values (${NOW}, 5, ${solar}, 10000)`)
    expect(await demand()).toMatchObject({ Rolling: null, Forecast: 70, Reporting: 2, Meters: 2 })
    await world.db.query(sql`delete from readings where meter_id = ${solar}`)
    await root.post('/SetMeterFact', {
      HomeID: site.HomeID,
      MeterID: 'solar',
      Fact: 'role',
      Value: 'generation',
      From: null,
    })
    expect(await demand()).toMatchObject({ Rolling: null, Forecast: null, Reporting: 1, Meters: 2 })
  })

  it('is returned for all homes in one answer', async () => {
    await root.post('/CreateHome', { HomeName: 'Without meters', TimeZone: zone })
    const { Month: _month, Peaks: _peaks, ...now } = (await root.post('/GetDemand', { HomeID })).results
    const all = (await root.post('/ListDemand')).results as { HomeID: string }[]
    expect(all.find((one) => one.HomeID === HomeID)).toEqual({ HomeID, ...now })
    expect(all).toContainEqual(
      expect.objectContaining({ Rolling: null, Forecast: null, Limit: null, Reporting: 0, Meters: 0 }),
    )
    expect((await (await world.signUp()).post('/ListDemand')).results).toEqual([])
  })

  it('excludes quarantined readings', async () => {
    const site = await addSite(root, 'Quarantined')
    const meter = await addMeter(world, root, site, 'quarantined')
    await store(world.db, meter, [
      { timestamp: NOW - 22 * 60_000, kwh: 0 },
      { timestamp: NOW - 7 * 60_000, kwh: 25 },
      // Wh instead of kWh.
      { timestamp: NOW - 60_000, kwh: 27_000_000 },
    ])
    const { results } = await root.post('/GetDemand', { HomeID: site.HomeID })
    expect(results).toMatchObject({ Rolling: 100, Forecast: 100, Reporting: 1 })
  })

  it('is unknown without readings', async () => {
    const other = (await root.post('/CreateHome', { HomeName: 'B', TimeZone: zone })).results.HomeID
    expect((await root.post('/GetDemand', { HomeID: other })).results).toMatchObject({
      Rolling: null,
      Forecast: null,
      Limit: null,
      Meters: 0,
      Peaks: [],
    })
  })
})
