import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { CarbonReport, MonthlyReport } from '../../../../contract/reports/calls.ts'
import { dayOf, parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import { councilDateAfter, PRICES_CHECKED_ON } from '../../../../contract/tariffs/price-review.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../support/clock.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { addMeter, addSite, type Counted, type Site, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

const zone = 'Asia/Taipei'
const at = (date: string) => startOfDay(parseDay(date), zone)
/** Thursday, 11 June, 10:07. */
const NOW = Date.parse('2026-06-11T02:07:00Z')

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
})
afterAll(() => world.close())

const ask = async (path: string, input: object, by = root) => {
  const { status, results } = await by.post(path, input)
  expect(status).toMatchObject({ code: 0 })
  return results
}
const errorOf = async (path: string, input: object, by = root) => (await by.post(path, input)).status
const report = <R>(HomeID: string | null, Kind: string, Period: string): Promise<R> =>
  ask('/GetReport', { HomeID, Kind, Period })

/** Site of one meter, with a contract of 5 kW. */
async function site(
  name: string,
  from: string,
  countedAt: (at: number) => Counted,
  by = root,
): Promise<Site> {
  const made = await addSite(by, name)
  const meter = await addMeter(world, by, made, `${name}-main`)
  await storeEnergy(world, made, meter, [at(from), Math.floor(NOW / 900_000) * 900_000], countedAt)
  await ask(
    '/UpdateHomeTariff',
    { HomeID: made.HomeID, Tariffs: [homeTariff({ Capacities: { regular: 5 } })] },
    by,
  )
  return made
}
const yearOf = (timestamp: number) => (timestamp < at('2026-01-01') ? 2025 : 2026)

describe('a monthly report', () => {
  let office: string
  let gappy: string
  beforeAll(async () => {
    office = (await site('office', '2025-01-01', (moment) => (yearOf(moment) === 2025 ? 1 : 2))).HomeID
    // May 2026 is unknown from the 20th on.
    gappy = (
      await site('gappy', '2025-01-01', (moment) =>
        moment >= at('2026-05-20') && moment < at('2026-06-01') ? undefined : 1,
      )
    ).HomeID
  })

  it('has energy, cost and carbon of the month and last year, each with its completeness', async () => {
    const { Total, From, Through, IsOver, Carbon, AsOf } = await report<MonthlyReport>(
      office,
      'monthly',
      '2026-05',
    )
    expect({ From, Through, IsOver, AsOf }).toEqual({
      From: '2026-05-01',
      Through: '2026-05-31',
      IsOver: true,
      AsOf: NOW,
    })
    expect(Total.kWh).toEqual({ Now: 31 * 96 * 2, Before: 31 * 96, Change: 1, Said: 'plain' })
    expect(Total.CarbonKg.Now).toBeCloseTo(31 * 96 * 2 * 0.494, 6)
    expect([Total.Complete, Total.CompleteBefore]).toEqual([1, 1])
    expect(Carbon).toEqual([{ Year: 2026, Factor: 0.494, Source: 'constant', Of: 2023 }])
  })

  it('has the bill that ended in the month, its peak and contract, and the largest consumers', async () => {
    const { Detail } = await report<MonthlyReport>(office, 'monthly', '2026-05')
    const bill = await ask('/GetBill', { HomeID: office, Date: '2026-05-10' })
    expect(Detail?.Bill).toEqual({ ...bill, IsOver: true })
    expect(Detail?.Demand).toMatchObject({ PeakKw: 8, Limit: 5, IsAtLeast: false })
    expect(Detail?.Machines).toMatchObject([{ Key: 'office-main', kWh: 31 * 96 * 2, Share: 1, Complete: 1 }])
    expect(Detail?.Machines[0]?.Name).toEqual(expect.any(String))
    expect(Detail?.Days).toHaveLength(31)
    expect(Detail?.Days[0]).toEqual({ Date: '2026-05-01', kWh: 192, Before: 96 })
    expect(Detail?.Balance).toBeNull()
    expect(Detail?.Coverage.Measured).toBe(31 * 96)
  })

  it('compares the past days of the current month with as many of last year', async () => {
    const { Total, From, Through, IsOver, Detail } = await report<MonthlyReport>(office, 'monthly', '2026-06')
    expect({ From, Through, IsOver }).toEqual({ From: '2026-06-01', Through: '2026-06-10', IsOver: false })
    expect(Total.kWh).toMatchObject({ Now: 10 * 96 * 2, Before: 10 * 96 })
    expect(Detail?.Bill).toMatchObject({ From: '2026-06-01', IsOver: false })
  })

  it('has no percentage for a month that is known in part', async () => {
    const { Total } = await report<MonthlyReport>(gappy, 'monthly', '2026-05')
    expect(Total.kWh).toEqual({ Now: 19 * 96, Before: 31 * 96, Change: null, Said: 'none' })
    expect(Total.Complete).toBeCloseTo(19 / 31, 9)
  })

  it('has no percentage if last year has only a few days, even without gaps', async () => {
    const { HomeID } = await site('late', '2025-05-29', () => 1)
    const { Total } = await report<MonthlyReport>(HomeID, 'monthly', '2026-05')
    expect(Total.kWh).toEqual({ Now: 31 * 96, Before: 3 * 96, Change: null, Said: 'none' })
    expect([Total.Complete, Total.CompleteBefore]).toEqual([1, 3 / 31])
    await ask('/DeleteHome', { HomeID })
  })

  it('shows the age of its prices, and asks for a carbon factor that should be published', async () => {
    const { Prices, MissingFactor } = await report<MonthlyReport>(office, 'monthly', '2026-05')
    expect(Prices).toEqual({
      CheckedOn: PRICES_CHECKED_ON,
      ReviewOn: councilDateAfter(PRICES_CHECKED_ON),
      MayHaveChanged: false,
    })
    const { Missing } = await ask('/GetCarbonRule', {})
    expect(MissingFactor ?? null).toBe(Missing)
    // The factor of a later year does not affect an earlier one.
    expect(await report<MonthlyReport>(office, 'monthly', '2024-12')).not.toHaveProperty('MissingFactor')
  })

  it('of the company adds up its sites, and makes no comparison if a site is new', async () => {
    const before = await report<MonthlyReport>(null, 'monthly', '2026-04')
    expect(before.Total.kWh).toMatchObject({
      Now: 30 * 96 * 3,
      Before: 30 * 96 * 2,
      Change: 0.5,
      Said: 'plain',
    })
    expect(before.Sites.map(({ HomeName }) => HomeName)).toEqual(['gappy', 'office'])
    expect(before.Detail).toBeNull()
    await site('added', '2026-03-01', () => 1)
    const { Total } = await report<MonthlyReport>(null, 'monthly', '2026-04')
    expect(Total.kWh).toEqual({ Now: 30 * 96 * 4, Before: 30 * 96 * 2, Change: null, Said: 'none' })
  })

  it('lists open findings that existed in its month only', async () => {
    const { HomeID } = await site('wasteful', '2026-03-01', () => 1)
    const add = async (kind: string, from: string, seen: string, claimed: number | null) => {
      const [row] = await world.db.query<{ id: string }>(sql`
        insert into findings (tenant, home_id, kind, from_day, through_day, amount, confidence, why, evidence, first_seen, last_seen)
        select tenant, home_id, ${kind}, ${parseDay(from)}::int, ${parseDay('2026-06-09')}::int, 1000, 'high',
          '{"Key": "plan", "Values": {}}', '{"Unit": "kWh", "Days": []}', ${parseDay(seen)}::int, ${parseDay('2026-06-09')}::int
        from homes where home_id = ${HomeID} returning finding_id as id`)
      if (claimed !== null)
        await world.db.query(sql`insert into finding_claims (finding_id, meter_id, from_day, kwh)
          values (${row?.id}::uuid, 'wasteful-main', ${parseDay(from)}::int, array[0, 0, 0, ${claimed}]::float8[])`)
    }
    // Its 28 days touch May, but it began in June.
    await add('baseNight', '2026-05-30', '2026-06-05', 12)
    // Found in June by the bills of a year.
    await add('contract', '2025-06-01', '2026-06-09', null)
    const kinds = async (Period: string) =>
      (await report<MonthlyReport>(HomeID, 'monthly', Period)).Findings.map(({ Kind }) => Kind).toSorted()
    expect(await kinds('2026-05')).toEqual(['contract'])
    expect(await kinds('2026-06')).toEqual(['baseNight', 'contract'])
    await ask('/DeleteHome', { HomeID })
  })

  it('is rejected for a period of another kind, or one that has not begun', async () => {
    const of = (Kind: string, Period: string) => errorOf('/GetReport', { HomeID: office, Kind, Period })
    expect(await of('monthly', '2026')).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Period: 'invalid' },
    })
    expect(await of('carbon', '2026-05')).toMatchObject({ fields: { Period: 'invalid' } })
    expect(await of('monthly', '2026-07')).toMatchObject({ fields: { Period: 'future' } })
    expect(await errorOf('/GetReport', { HomeID: 'none', Kind: 'monthly', Period: '2026-05' })).toMatchObject(
      {
        code: ERRORS.NOT_FOUND.code,
      },
    )
  })
})

describe('a carbon report', () => {
  let owner: Caller
  let plant: Site
  const carbon = (Period = '2025', HomeID: string | null = plant.HomeID): Promise<CarbonReport> =>
    ask('/GetReport', { HomeID, Kind: 'carbon', Period }, owner)
  const key = (Period = '2025') => ({ HomeID: plant.HomeID, Kind: 'carbon', Period })
  beforeAll(async () => {
    owner = await world.signUp()
    // The meter has counted since 15 March; one week in July 2025 is only estimated.
    plant = await site(
      'plant',
      '2025-03-15',
      (moment) => (moment >= at('2025-07-01') && moment < at('2025-07-02') ? [1, 'e'] : 1),
      owner,
    )
  })

  it('adds up by site and month what was bought × the factor, and names months without a meter', async () => {
    const found = await carbon()
    const days = parseDay('2026-01-01') - parseDay('2025-03-15')
    expect(found).toMatchObject({
      Method: 'location',
      kWh: days * 96,
      Factor: { Year: 2025, Factor: 0.494, Source: 'constant', Of: 2023 },
      Lacks: [],
      IsProvisional: false,
      Closed: null,
      Sites: [{ Since: '2025-03-15' }],
    })
    expect(found.CarbonKg).toBeCloseTo(days * 96 * 0.494, 6)
    const [months] = found.Sites.map(({ Months }) => Months)
    expect(months?.map(({ IsMetered }) => IsMetered)).toEqual([false, false, ...Array(10).fill(true)])
    expect(months?.[0]).toMatchObject({ Month: '2025-01', kWh: null, CarbonKg: null })
    expect(months?.[6]?.Complete).toBeCloseTo(30 / 31, 9)
    // The days before the meter are as unknown as the estimated one.
    const complete = (days - 1) / 365
    expect(found.Complete).toBeCloseTo(complete, 9)
    expect(found.Sites[0]?.Complete).toBeCloseTo(complete, 9)
  })

  it('is provisional during the year, and while its factor is from an earlier year', async () => {
    expect((await carbon('2026')).Lacks).toEqual([
      { Reason: 'notOver', HomeID: null, Month: null, Have: null },
    ])
    await ask('/UpdateCarbonRule', { Rule: 'byYear' }, owner)
    const found = await carbon()
    expect(found).toMatchObject({ IsProvisional: true, Factor: { Source: 'latest', Of: 2024 } })
    expect(found.Lacks.map(({ Reason }) => Reason)).toEqual(['factor'])
    expect(await errorOf('/CloseReport', key(), owner)).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Period: 'incomplete' },
    })
    await ask('/UpdateCarbonRule', { Rule: 'constant' }, owner)
  })

  it('that is closed keeps its figures, shows what later data would change, and can be reopened', async () => {
    const before = await carbon()
    const closed: CarbonReport = await ask('/CloseReport', key(), owner)
    expect(closed).toMatchObject({
      kWh: before.kWh,
      Closed: { By: owner.cognitoId, ByName: 'Owner Test', IsIntact: true, Differs: null },
    })
    expect(closed.Closed?.Hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await errorOf('/CloseReport', key(), owner)).toMatchObject({ code: ERRORS.CONFLICT.code })

    await ask(
      '/CreateMeterCorrection',
      {
        HomeID: plant.HomeID,
        PeripheralUID: 'plant-main',
        Kind: 'interval',
        From: at('2025-07-01'),
        To: at('2025-07-02'),
        kWh: 196,
      },
      owner,
    )
    const later = await carbon()
    expect(later).toMatchObject({
      kWh: before.kWh,
      CarbonKg: before.CarbonKg,
      Sites: before.Sites,
      AsOf: before.AsOf,
    })
    expect(later.Closed?.Differs?.kWh).not.toBeCloseTo(before.kWh ?? 0, 0)
    expect(later.Closed?.Hash).toBe(closed.Closed?.Hash)

    await ask('/ReopenReport', key(), owner)
    const open = await carbon()
    expect(open.Closed).toBeNull()
    expect(open.kWh).toBe(later.Closed?.Differs?.kWh)
    expect(await errorOf('/ReopenReport', key(), owner)).toMatchObject({ code: ERRORS.NOT_FOUND.code })
  })

  it('reports if its copy no longer matches its hash', async () => {
    const sealed = await site('sealed', '2025-12-01', () => 1, owner)
    await ask('/CloseReport', { ...key(), HomeID: sealed.HomeID }, owner)
    await world.db.query(sql`update report_copies set content = replace(content, '"kWh":', '"kWh": ')
      where home_id = ${sealed.HomeID} and reopened_at is null`)
    expect((await carbon('2025', sealed.HomeID)).Closed).toMatchObject({ IsIntact: false })
  })

  it('is not closed while a month of a site is known to less than 95 %', async () => {
    const broken = await site(
      'broken',
      '2025-01-01',
      (moment) => (dayOf(moment, zone) % 30 < 3 ? undefined : 1),
      owner,
    )
    const found = await carbon('2025', broken.HomeID)
    expect(new Set(found.Lacks.map(({ Reason }) => Reason))).toEqual(new Set(['coverage']))
    expect(found.Lacks[0]).toMatchObject({ HomeID: broken.HomeID, Month: '2025-01' })
    expect(
      await errorOf('/CloseReport', { HomeID: broken.HomeID, Kind: 'carbon', Period: '2025' }, owner),
    ).toMatchObject({ fields: { Period: 'incomplete' } })
  })

  it('is closed with the right to update energy, and reopened with the right to delete it', async () => {
    const reader = await world.createUser(owner, [rights('electricity', 'Read', 'Update')])
    expect(await errorOf('/ReopenReport', key(), reader)).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
    })
  })

  it('of one company is not visible to another', async () => {
    expect(await errorOf('/GetReport', key(), root)).toMatchObject({ code: ERRORS.NOT_FOUND.code })
  })
})
