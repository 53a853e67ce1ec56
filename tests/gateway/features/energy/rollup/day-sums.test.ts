import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '../../../../../contract/index.ts'
import type { EnergySeries } from '../../../../../contract/energy/meter-data-calls.ts'
import { parseDay, QUARTER_MS, startOfDay } from '../../../../../contract/time/periods.ts'
import type { TariffVersion } from '../../../../../contract/tariffs/tariff-terms.ts'
import { taipowerPlan } from '../../../../../contract/tariffs/taipower-plans.ts'
import { storeDaySums } from '../../../../../gateway/features/energy/rollup/day-sums.ts'
import { getSeries } from '../../../../../gateway/features/energy/calls/series.ts'
import { createQueryDeps } from '../../../../../gateway/features/energy/query/context.ts'
import { readPricing } from '../../../../../gateway/features/tariffs/tariffs-of-home.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { expireDays } from '../../../../../gateway/features/energy/rollup/expire-energy.ts'
import { homeTariff } from '../../../../support/home-tariff.ts'
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
const meters: number[] = []
// Clocks change within the queried months.
const zone = 'Europe/Berlin'
const at = (date: string) => startOfDay(parseDay(date), zone)

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  site = await addSite(root, 'Home', zone)
  const random = seeded(11)
  const counted = (): Counted => {
    const chance = random()
    return chance < 0.05 ? undefined : chance < 0.1 ? [random(), 'e'] : random()
  }
  for (const [uid, since, parent] of [
    ['main', '2025-08-20', undefined],
    ['lift', '2025-09-05', 'main'],
    ['pump', '2025-11-03', undefined],
  ] as const) {
    const id = await addMeter(world, root, site, uid, {
      type: uid === 'pump' ? '528' : '514',
      ...(parent && { parent }),
    })
    meters.push(id)
    const resets = [at('2025-10-10') + 5 * QUARTER_MS]
    await storeEnergy(
      world,
      site,
      id,
      [at(since) + 37 * QUARTER_MS, world.clock.now() + QUARTER_MS],
      counted,
      resets,
    )
  }
})
afterAll(() => world.close())

const kept = async () => (await world.db.query(sql`select from meter_day_sums`)).length
const forget = () => world.db.query(sql`delete from meter_day_sums`)
const keep = () => storeDaySums(world.db, world.clock.now(), () => false)

/** Responses of a newly started gateway. */
async function answers(): Promise<EnergySeries[]> {
  const deps = createQueryDeps({ db: world.db, clock: world.clock, pricingOf: readPricing })
  const all: EnergySeries[] = []
  for (const By of ['meter', 'room', 'use', 'category'] as const) {
    const range = { From: at('2025-08-15'), To: world.clock.now() }
    const { Series } = await getSeries(deps, root.tenant, {
      HomeID: site.HomeID,
      ...range,
      Resolution: 'month',
      By,
    })
    all.push(...Series)
  }
  return all
}

/** Rounds away the differences caused by the order of addition. */
const rounded = (all: EnergySeries[]) =>
  all.map(({ Key, Points }) => ({
    Key,
    Points: Points.map(({ kWh, Cost, CarbonKg, ...point }) => ({
      ...point,
      amounts: [kWh, Cost, CarbonKg].map((one) => (one === null ? null : Math.round(one * 1e6) / 1e6 + 0)),
    })),
  }))

async function assign(versions: TariffVersion[], terms: object): Promise<void> {
  const { status, results } = await root.post(resources.tariff.operations.create.path, {
    TariffName: `Ours ${await world.db.query(sql`select from tariffs`).then((rows) => rows.length)}`,
    Versions: versions,
  })
  if (status.code !== 0) throw new Error(JSON.stringify(status))
  const done = await root.post('/UpdateHomeTariff', {
    HomeID: site.HomeID,
    Tariffs: [homeTariff({ PlanID: results.TariffID, ValidFrom: '2025-01-01', ...terms })],
  })
  if (done.status.code !== 0) throw new Error(JSON.stringify(done.status))
}

const PLANS = [
  'residential_three_stage',
  'lv_two_stage',
  'commercial_standard',
  'residential_two_stage',
] as const
const latest = (plan: string): TariffVersion => ({
  ...(taipowerPlan(plan)?.Versions.at(-1) as TariffVersion),
  ValidFrom: '2020-01-01',
  ValidThrough: null,
})

describe('sums of similar days', () => {
  it('match the days, however prices divide them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PLANS),
        fc.integer({ min: 1, max: 28 }),
        fc.constantFrom(1, 2),
        fc.integer({ min: 0, max: 3 }),
        async (plan, BillingDay, BillingMonths, quarters) => {
          const version = latest(plan)
          const later = (minute: number) =>
            minute === 0 || minute === 1440 ? minute : minute + quarters * 15 - 30
          const Seasons = version.Seasons.map((season) => ({
            ...season,
            Windows: {
              ...season.Windows,
              weekday: season.Windows.weekday.map((window) => ({
                ...window,
                FromMinute: later(window.FromMinute),
                ThroughMinute: later(window.ThroughMinute),
              })),
            },
          }))
          await assign([{ ...version, Seasons }], { BillingDay, BillingMonths })
          await forget()
          const slowly = await answers()
          await keep()
          // August to December: one meter has five months, one four, one two; each has three kinds of days.
          expect(await kept()).toBe((5 + 4 + 2) * 3)
          expect(rounded(await answers())).toEqual(rounded(slowly))
          expect(slowly.some(({ Points }) => Points.some(({ Cost }) => Cost))).toBe(true)
        },
      ),
      { numRuns: 12 },
    )
  })

  it('are read', async () => {
    await assign([latest('residential_three_stage')], {})
    await keep()
    const before = await answers()
    await world.db.query(sql`update meter_day_sums set kwh = 2 * kwh,
      cumulative = array(select 2 * kwh from unnest(cumulative) as kwh)`)
    const doubled = await answers()
    await forget()
    await keep()
    const cost = (all: EnergySeries[]) =>
      all.find(({ Key }) => Key === 'lift')?.Points.map((point) => point.Cost ?? 0)
    // September is complete, and January's days are read one by one.
    expect(cost(doubled)?.[1]).toBeGreaterThan(1.8 * (cost(before)?.[1] ?? 0))
    expect(cost(doubled)?.at(-1)).toBe(cost(before)?.at(-1))
  })

  it('are invalidated and rebuilt when a day of their month is recomputed', async () => {
    await keep()
    const [lift] = meters.slice(1)
    await world.db.query(
      sql`update meter_days set kwh = kwh + 1 where meter_id = ${lift} and day = ${parseDay('2025-10-07')}`,
    )
    await world.db.query(sql`update meter_months set kwh = kwh + 1
      where meter_id = ${lift} and month = ${2025 * 12 + 9}`)
    const now = await answers()
    await forget()
    expect(rounded(now)).toEqual(rounded(await answers()))
    await keep()
    expect(rounded(await answers())).toEqual(rounded(now))
  })

  it('are deleted with their month, and with its days', async () => {
    await keep()
    await world.db.query(
      sql`delete from meter_months where meter_id = ${meters[2]} and month = ${2025 * 12 + 10}`,
    )
    expect(await kept()).toBe((5 + 4 + 1) * 3)
    await expireDays(world.db, Date.parse('2025-11-15T00:00:00Z'))
    await keep()
    // November and December of two meters, and December of one.
    expect(await kept()).toBe((2 + 2 + 1) * 3)
  })
})
