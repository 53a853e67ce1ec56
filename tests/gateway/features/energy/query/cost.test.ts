import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EnergyPoint, EnergySeries } from '../../../../../contract/energy/meter-data-calls.ts'
import { tierCharge } from '../../../../../contract/tariffs/energy-totals.ts'
import { formatDay, parseDay, QUARTER_MS, startOfDay } from '../../../../../contract/time/periods.ts'
import { taipowerPlan } from '../../../../../contract/tariffs/taipower-plans.ts'
import { seasonOf, versionOn } from '../../../../../contract/tariffs/tariff-terms.ts'
import { addMeter, addSite, seeded, type Site, storeEnergy } from '../../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'

const HOUR = 4 * QUARTER_MS

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const at = (date: string, zone = 'Asia/Taipei') => startOfDay(parseDay(date), zone)

/** Assigns plans to a home from given days on, the first according to the other terms. */
async function setTariffs(
  site: Site,
  ...plans: [PlanID: string, ValidFrom: string, ValidThrough?: string, billing?: object][]
) {
  const terms = {
    Capacities: {},
    Phases: 'single',
    PowerFactor: null,
    BillingDay: 1,
    BillingMonths: 1,
    FirstMonth: 1,
    FeedIn: null,
  }
  const Tariffs = plans.map(([PlanID, ValidFrom, ValidThrough = null, billing = {}]) => ({
    ...terms,
    ...billing,
    PlanID,
    ValidFrom,
    ValidThrough,
  }))
  const { status } = await root.post('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs })
  if (status.code !== 0) throw new Error(JSON.stringify(status))
}

async function energy(
  site: Site,
  from: string,
  to: string,
  Resolution: string,
  more: object = {},
): Promise<EnergySeries[]> {
  const range = { From: at(from, site.zone), To: at(to, site.zone) }
  const { status, results } = await root.post('/GetEnergySeries', {
    HomeID: site.HomeID,
    ...range,
    Resolution,
    ...more,
  })
  if (status.code !== 0) throw new Error(JSON.stringify(status))
  return results.Series
}
const points = async (...asked: Parameters<typeof energy>): Promise<EnergyPoint[]> =>
  (await energy(...asked))[0]?.Points ?? []
const costOf = (all: readonly EnergyPoint[]) => all.reduce((sum, { Cost }) => sum + (Cost ?? 0), 0)
const kWhOf = (all: readonly EnergyPoint[]) => all.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0)

describe('a time-of-use tariff', () => {
  let site: Site
  beforeAll(async () => {
    site = await addSite(root, 'Stages')
    const random = seeded(3)
    const meter = await addMeter(world, root, site, 'stages')
    await storeEnergy(world, site, meter, [at('2025-10-01'), at('2026-01-04')], () => random())
    await setTariffs(site, ['residential_three_stage', '2025-10-01'])
  })

  it('prices each hour by its band', async () => {
    // A winter Friday: semi-peak 06-11 and 14-24, else off-peak; a Sunday is off-peak all day.
    const hours = await points(site, '2025-12-05', '2025-12-06', 'hour')
    for (const [hour, { kWh, Cost }] of hours.entries()) {
      const semiPeak = (hour >= 6 && hour < 11) || hour >= 14
      expect(Cost).toBeCloseTo((kWh ?? 0) * (semiPeak ? 4.48 : 1.99), 6)
    }
    const [sunday] = await points(site, '2025-12-07', '2025-12-08', 'day')
    expect(sunday?.Cost).toBeCloseTo((sunday?.kWh ?? 0) * 1.99, 6)
  })

  it('costs the same by quarters, hours, days and months, and as the sum of its bands', async () => {
    const range = ['2025-12-01', '2025-12-31'] as const
    const days = await points(site, '2025-12-01', '2026-01-01', 'day')
    const hours = await points(site, '2025-12-01', '2026-01-01', 'hour')
    const months = await points(site, ...range, 'month')
    const quarters = await points(site, '2025-12-01', '2026-01-01', 'quarter')
    const bands = await energy(site, ...range, 'month', { By: 'band' })
    expect(bands.map(({ Key }) => Key).toSorted()).toEqual(['offPeak', 'semiPeak'])
    for (const all of [days, hours, quarters, bands.flatMap(({ Points }) => Points)]) {
      expect(costOf(all)).toBeCloseTo(costOf(months), 4)
      expect(kWhOf(all)).toBeCloseTo(kWhOf(months), 4)
    }
    const covered = bands
      .flatMap(({ Points }) => Points)
      .reduce((sum, { Coverage }) => sum + Coverage.Measured, 0)
    expect(covered).toBe(31 * 96)
  })

  it('applies a corrected price immediately, also to past months', async () => {
    const plan = taipowerPlan('residential_three_stage')
    const Versions = plan?.Versions.slice(-1) ?? []
    const { TariffID } = (await root.post('/CreateTariff', { TariffName: 'Ours', Versions })).results
    await setTariffs(site, [TariffID, '2025-10-01'])
    const before = await points(site, '2025-10-01', '2026-01-01', 'month')
    const dearer = Versions.map((version) => ({
      ...version,
      Seasons: version.Seasons.map((season) => ({
        ...season,
        Prices: Object.fromEntries(Object.entries(season.Prices).map(([band, price]) => [band, price * 2])),
      })),
    }))
    const { status } = await root.post('/UpdateTariff', { TariffID, Versions: dearer })
    expect(status.code).toBe(0)
    const after = await points(site, '2025-10-01', '2026-01-01', 'month')
    expect(after.map(({ Cost }) => Cost)).toEqual(
      before.map(({ Cost }) => expect.closeTo((Cost ?? 0) * 2, 6)),
    )
  })

  it('has no cost for a day, or a month with a day, without a tariff', async () => {
    await setTariffs(site, ['residential_three_stage', '2025-12-15'])
    const days = await points(site, '2025-12-14', '2025-12-16', 'day')
    expect(days.map(({ Cost }) => Cost)).toEqual([null, expect.any(Number)])
    expect((await points(site, '2025-12-01', '2025-12-31', 'month'))[0]).toMatchObject({
      kWh: expect.any(Number),
      Cost: null,
    })
    const bands = await energy(site, '2025-12-01', '2025-12-31', 'month', { By: 'band' })
    expect(bands.map(({ Key }) => Key).toSorted()).toEqual(['none', 'offPeak', 'semiPeak'])
    expect(bands.find(({ Key }) => Key === 'none')?.Points[0]?.Cost).toBeNull()
  })

  it('uses local time when clocks change', async () => {
    const zone = 'Europe/Berlin'
    const berlin = await addSite(root, 'Berlin', zone)
    const meter = await addMeter(world, root, berlin, 'berlin')
    await storeEnergy(
      world,
      berlin,
      meter,
      [at('2025-10-27', zone) - 25 * HOUR, at('2025-10-27', zone)],
      () => 0.25,
    )
    const [summer] = taipowerPlan('residential_two_stage')?.Versions.slice(-1) ?? []
    const night = [
      { FromMinute: 0, ThroughMinute: 180, Band: 'offPeak' },
      { FromMinute: 180, ThroughMinute: 1440, Band: 'peak' },
    ]
    const Versions = [
      {
        ...summer,
        ValidFrom: '2025-01-01',
        Surcharge: null,
        Seasons: [
          {
            Season: 'allYear',
            From: '01-01',
            Through: '12-31',
            Windows: { weekday: night, saturday: night, offPeakDay: night },
            Prices: { offPeak: 1, peak: 10 },
            Tiers: [],
            CapacityRates: {},
          },
        ],
      },
    ]
    const { results } = await root.post('/CreateTariff', { TariffName: 'Night', Versions })
    await setTariffs(berlin, [results.TariffID, '2025-01-01'])
    // 00:00 to 03:00 local time are four hours on the day that has 25.
    const [day] = await points(berlin, '2025-10-26', '2025-10-27', 'day')
    expect(day).toMatchObject({ kWh: 25, Cost: 4 * 1 + 21 * 10 })
    const bands = await energy(berlin, '2025-10-26', '2025-10-27', 'day', { By: 'band' })
    expect(Object.fromEntries(bands.map(({ Key, Points }) => [Key, Points[0]?.kWh]))).toEqual({
      offPeak: 4,
      peak: 21,
    })
  })
})

describe('a tiered tariff', () => {
  let site: Site
  beforeAll(async () => {
    site = await addSite(root, 'Tiers')
    const [main, below] = [
      await addMeter(world, root, site, 'house'),
      await addMeter(world, root, site, 'kitchen', { parent: 'house' }),
    ]
    const range = [at('2025-09-01'), at('2026-01-05')] as const
    await storeEnergy(world, site, main, range, (t) => (t % (2 * QUARTER_MS) ? 0.2 : 0.4))
    await storeEnergy(world, site, below, range, () => 0.1)
    await setTariffs(site, ['residential_standard', '2024-04-01'])
  })
  const tiersOf = (date: string) => {
    const day = parseDay(date)
    const version = versionOn(taipowerPlan('residential_standard')?.Versions ?? [], day)
    return version ? seasonOf(version, day).Tiers : []
  }

  it('charges a month by its tiers, shared in proportion to energy', async () => {
    const [month] = await points(site, '2025-12-01', '2025-12-02', 'month')
    const charge = tierCharge(month?.kWh ?? 0, tiersOf('2025-12-01'))
    expect(month?.Cost).toBeCloseTo(charge, 6)
    const days = await points(site, '2025-12-01', '2026-01-01', 'day')
    expect(costOf(days)).toBeCloseTo(charge, 4)
    expect(days[0]?.Cost).toBeCloseTo(charge / 31, 6)
  })

  it("gives a meter its share of the whole home's charge", async () => {
    const [home] = await points(site, '2025-12-01', '2025-12-02', 'month')
    const [kitchen] = await points(site, '2025-12-01', '2025-12-02', 'month', { PeripheralUIDs: ['kitchen'] })
    expect((kitchen?.Cost ?? 0) / (home?.Cost ?? 1)).toBeCloseTo((kitchen?.kWh ?? 0) / (home?.kWh ?? 1), 9)
  })

  it('prorates seasons and versions by days in a month with several', async () => {
    await setTariffs(
      site,
      ['residential_standard', '2024-04-01', '2025-12-10'],
      ['commercial_standard', '2025-12-11'],
    )
    const [month] = await points(site, '2025-12-01', '2025-12-02', 'month')
    const commercial = taipowerPlan('commercial_standard')?.Versions ?? []
    const version = versionOn(commercial, parseDay('2025-12-11'))
    const tiers = version ? seasonOf(version, parseDay('2025-12-11')).Tiers : []
    const perDay = (month?.kWh ?? 0) / 31
    const charge =
      tierCharge(perDay * 10, tiersOf('2025-12-01'), 10 / 31) + tierCharge(perDay * 21, tiers, 21 / 31)
    expect(month?.Cost).toBeCloseTo(charge, 6)
    const days = await points(site, '2025-12-01', '2026-01-01', 'day')
    expect(costOf(days)).toBeCloseTo(charge, 4)
    await setTariffs(site, ['residential_standard', '2024-04-01'])
  })

  it.each([
    ['every two months', { BillingMonths: 2 }],
    ['every two months from the next on', { BillingMonths: 2, FirstMonth: 2 }],
    ['from the 11th on', { BillingDay: 11 }],
  ])('costs the billed amount if the meter is read %s', async (_, billing) => {
    await setTariffs(site, ['residential_standard', '2024-04-01', undefined, billing])
    const { results } = await root.post('/GetBill', { HomeID: site.HomeID, Date: '2025-11-20' })
    const [first, end] = [results.From, formatDay(parseDay(results.Through) + 1)]
    const days = await points(site, first, end, 'day')
    expect(costOf(days)).toBeCloseTo(results.Energy, 1)
    const months = await points(site, first, end, 'month')
    const asDays = await points(site, '2025-11-01', '2025-12-01', 'day')
    const november = months.find(({ Timestamp }) => Timestamp === at('2025-11-01'))
    expect(november?.Cost).toBeCloseTo(costOf(asDays), 6)
    await setTariffs(site, ['residential_standard', '2024-04-01'])
  })
})

describe('carbon', () => {
  it("uses 0.494, the factor of each year if chosen, or the company's own", async () => {
    const site = await addSite(root, 'Carbon')
    const meter = await addMeter(world, root, site, 'carbon')
    for (const date of ['2022-06-01', '2023-06-01'])
      await storeEnergy(world, site, meter, [at(date), at(date) + HOUR], () => 25)
    const carbon = async (date: string) =>
      (
        await points(
          site,
          date,
          date.replace(/..$/, (day) => String(Number(day) + 1).padStart(2, '0')),
          'hour',
        )
      )[0]?.CarbonKg
    expect(await carbon('2022-06-01')).toBe(49.4)
    const { results } = await root.post('/UpdateCarbonRule', { Rule: 'byYear' })
    expect(results).toEqual({ Rule: 'byYear' })
    expect(await carbon('2022-06-01')).toBe(49.5)
    expect(await carbon('2023-06-01')).toBe(49.4)
    const asked = { HomeID: site.HomeID, From: at('2022-06-01'), To: at('2025-06-01'), Resolution: 'month' }
    expect((await root.post('/GetEnergySeries', asked)).results.Carbon).toEqual([
      { Year: 2022, Factor: 0.495, Source: 'published', Of: 2022 },
      { Year: 2023, Factor: 0.494, Source: 'published', Of: 2023 },
      { Year: 2024, Factor: 0.474, Source: 'published', Of: 2024 },
      { Year: 2025, Factor: 0.474, Source: 'latest', Of: 2024 },
    ])
    const Factors = [{ Year: 2023, Factor: 0.1 }]
    expect((await root.post('/UpdateCarbonFactor', { Factors })).status.code).toBe(0)
    expect(await carbon('2023-06-01')).toBe(10)
  })
})
