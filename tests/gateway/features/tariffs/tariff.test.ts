import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { HomeTariff } from '../../../../contract/tariffs/home-tariff-calls.ts'
import type { Tariff } from '../../../../contract/tariffs/tariff.ts'
import { parseDay } from '../../../../contract/time/periods.ts'
import { taipowerPlan } from '../../../../contract/tariffs/taipower-plans.ts'
import type { TariffVersion } from '../../../../contract/tariffs/tariff-terms.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { tariffsOfHome, readCarbonFactors } from '../../../../gateway/features/tariffs/tariffs-of-home.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
})
afterAll(() => world.close())

const current = taipowerPlan('lv_two_stage')?.Versions.at(-1) as TariffVersion
const make = async (TariffName: string, Versions: TariffVersion[] = [current]): Promise<Tariff> =>
  (await root.post('/CreateTariff', { TariffName, Versions })).results
const assign = (...Tariffs: HomeTariff[]) => root.post('/UpdateHomeTariff', { HomeID, Tariffs })

describe('tariffs of a company', () => {
  it('are stored with their versions and published to its screens', async () => {
    const made = await make('Park')
    const { results } = await root.post('/UpdateTariff', { TariffID: made.TariffID, TariffName: 'Park 2' })
    expect(results).toEqual({ ...made, TariffName: 'Park 2', Version: made.Version + 1 })
    expect((await root.post('/ListTariff')).results).toEqual([results])
    expect(
      (await root.post('/CreateTariff', { TariffName: 'park 2', Versions: [current] })).status,
    ).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { TariffName: 'taken' },
    })
    expect((await root.post('/DeleteTariff', { TariffID: made.TariffID })).status.code).toBe(0)
    const names = world.events.map(({ event }) => 'name' in event && event.name)
    expect(names).toEqual(expect.arrayContaining(['tariff.add', 'tariff.update', 'tariff.remove']))
  })

  it('reject an update with an outdated version', async () => {
    const { TariffID, Version } = await make('Shared')
    const save = (TariffName: string, more: object = {}) =>
      root.post('/UpdateTariff', { TariffID, TariffName, ...more })
    expect((await save('Theirs', { Version })).status.code).toBe(0)
    expect((await save('Mine', { Version })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
    expect((await root.post('/ListTariff')).results).toMatchObject([{ TariffName: 'Theirs' }])
    expect((await save('Mine', { Version: Version + 1 })).status.code).toBe(0)
    await root.post('/DeleteTariff', { TariffID })
  })

  it('that omit minutes are rejected with those minutes', async () => {
    const broken = structuredClone(current)
    broken.Seasons[0]?.Windows.weekday.pop()
    const { status } = await root.post('/CreateTariff', { TariffName: 'X', Versions: [broken] })
    expect(status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'Versions.0.Seasons.0.Windows.weekday.09:00-24:00': 'hole' },
    })
  })

  it('cannot be deleted while a home uses them', async () => {
    const { TariffID } = await make('Used')
    await assign(homeTariff({ PlanID: TariffID }))
    expect((await root.post('/DeleteTariff', { TariffID })).status.code).toBe(ERRORS.CONFLICT.code)
    await assign()
    expect((await root.post('/DeleteTariff', { TariffID })).status.code).toBe(0)
  })

  it('of another company cannot be seen, changed or used', async () => {
    const stranger = await world.signUp()
    const theirs = (await stranger.post('/CreateTariff', { TariffName: 'T', Versions: [current] })).results
    expect((await root.post('/ListTariff')).results).toEqual([])
    for (const path of ['/UpdateTariff', '/DeleteTariff'])
      expect((await root.post(path, { TariffID: theirs.TariffID })).status.code).toBe(ERRORS.NOT_FOUND.code)
    expect((await assign(homeTariff({ PlanID: theirs.TariffID }))).status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { 'Tariffs.0.PlanID': 'notFound' },
    })
    for (const path of ['/ListHomeTariff', '/UpdateHomeTariff'])
      expect(
        (await stranger.post(path, { HomeID, ...(path === '/UpdateHomeTariff' && { Tariffs: [] }) })).status
          .code,
      ).toBe(ERRORS.NOT_FOUND.code)
  })
})

describe("a home's tariffs", () => {
  it('are replaced as a whole, and apply when their versions do', async () => {
    const before = homeTariff({ ValidFrom: '2025-01-01', ValidThrough: '2025-12-31', PlanID: 'lv_two_stage' })
    const after = homeTariff({ ValidFrom: '2026-03-01', PlanID: 'lv_three_stage' })
    const { results } = await assign(after, before)
    expect(results).toEqual([before, after])
    expect((await root.post('/ListHomeTariff', { HomeID })).results).toEqual([before, after])
    const tenant = root.cognitoId
    const { Pieces, OffPeakDays } = await tariffsOfHome(world.db, tenant, HomeID)
    expect(
      Pieces.map(({ FromDay, ThroughDay, Version }) => [FromDay, ThroughDay, Version.ValidFrom]),
    ).toEqual([
      [parseDay('2025-01-01'), parseDay('2025-09-30'), '2024-10-16'],
      [parseDay('2025-10-01'), parseDay('2025-12-31'), '2025-10-01'],
      [parseDay('2026-03-01'), Infinity, '2025-10-01'],
    ])
    expect(OffPeakDays.has(parseDay('2026-02-17'))).toBe(true)
    await assign()
    expect((await tariffsOfHome(world.db, tenant, HomeID)).Pieces).toEqual([])
  })

  it('reject a change based on an outdated history', async () => {
    const [first, second] = [homeTariff({ ValidFrom: '2025-01-01' }), homeTariff({ ValidFrom: '2025-06-01' })]
    await assign(first)
    const replace = (Tariffs: HomeTariff[], Seen: HomeTariff[]) =>
      root.post('/UpdateHomeTariff', { HomeID, Tariffs, Seen })
    expect((await replace([second], [])).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Seen: 'changed' },
    })
    expect((await root.post('/ListHomeTariff', { HomeID })).results).toEqual([first])
    expect((await replace([second], [first])).results).toEqual([second])
    expect((await replace([], [second])).results).toEqual([])
  })

  it('never have a day twice', async () => {
    const { status } = await assign(
      homeTariff({ ValidFrom: '2025-01-01', ValidThrough: '2026-01-31' }),
      homeTariff({ ValidFrom: '2026-01-01' }),
    )
    expect(status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'Tariffs.2026-01-01/2026-01-31': 'overlap' },
    })
  })
})

describe("the contract of a home's tariff", () => {
  const replace = (Tariffs: HomeTariff[], Sure?: boolean) =>
    root.post('/UpdateHomeTariff', { HomeID, Tariffs, ...(Sure !== undefined && { Sure }) })
  const stored = async () => (await root.post('/ListHomeTariff', { HomeID })).results
  const kw = (PlanID: string, regular: number, changes: Partial<HomeTariff> = {}) =>
    homeTariff({ PlanID, Capacities: { regular }, ...changes })

  it('is rejected below 100 kW at high voltage, confirmed or not', async () => {
    await assign()
    for (const Sure of [undefined, true])
      expect((await replace([kw('hv_two_stage', 99.5)], Sure)).status).toMatchObject({
        code: ERRORS.INVALID.code,
        fields: { 'Tariffs.0.Capacities.regular': 'belowHighVoltage' },
      })
    expect(await stored()).toEqual([])
    expect((await replace([kw('hv_two_stage', 100)])).results).toHaveLength(1)
  })

  it('is accepted from 100 kW on at low voltage only if confirmed', async () => {
    await assign()
    const [first, second] = [
      kw('lv_two_stage', 99, { ValidThrough: '2025-12-31' }),
      kw('commercial_two_stage', 140, { ValidFrom: '2026-01-01' }),
    ]
    expect((await replace([first, second])).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'Tariffs.1.Capacities.regular': 'beyondLowVoltage', Sure: 'beyondLowVoltage' },
    })
    expect(await stored()).toEqual([])
    expect((await replace([first, second], true)).results).toEqual([first, second])
  })

  it('stays as it is stored, whatever else changes', async () => {
    await assign()
    await replace([kw('lv_two_stage', 140)], true)
    const changed = kw('lv_two_stage', 140, { PowerFactor: 95 })
    expect((await replace([changed])).results).toEqual([changed])
    expect((await replace([kw('lv_two_stage', 150)])).status.fields).toMatchObject({
      Sure: 'beyondLowVoltage',
    })
    await world.db.query(sql`update home_tariffs set plan_id = 'hv_two_stage', capacities = '{"regular": 80}'
      where home_id = ${HomeID}`)
    const old = kw('hv_two_stage', 80, { PowerFactor: 90 })
    expect((await replace([old])).results).toEqual([old])
    expect((await replace([kw('hv_two_stage', 70)])).status.fields).toMatchObject({
      'Tariffs.0.Capacities.regular': 'belowHighVoltage',
    })
    await assign()
  })

  it("of a company's own tariff can be any", async () => {
    const { TariffID } = await make('Estate')
    expect((await replace([kw(TariffID, 400)])).results).toHaveLength(1)
    await assign()
    await root.post('/DeleteTariff', { TariffID })
  })
})

describe('days and factors of a company', () => {
  it('add off-peak days to the list of a year, and remove some', async () => {
    const Days = [
      { Date: '2026-01-01', IsOffPeak: false },
      { Date: '2026-08-08', IsOffPeak: true },
    ]
    const { results } = await root.post('/UpdateOffPeakDay', { Year: 2026, Days })
    expect(results).toEqual(
      expect.arrayContaining([
        { Date: '2026-01-01', Holiday: 'foundingDay', IsOffPeak: false, IsOwn: true },
        { Date: '2026-02-17', Holiday: 'lunarNewYear', IsOffPeak: true, IsOwn: false },
        { Date: '2026-08-08', Holiday: null, IsOffPeak: true, IsOwn: true },
      ]),
    )
    const { OffPeakDays } = await tariffsOfHome(world.db, root.cognitoId, HomeID)
    expect(OffPeakDays.has(parseDay('2026-01-01'))).toBe(false)
    expect(OffPeakDays.has(parseDay('2026-08-08'))).toBe(true)
    expect((await root.post('/UpdateOffPeakDay', { Year: 2025, Days })).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'Days.0.Date': 'invalid' },
    })
    await root.post('/UpdateOffPeakDay', { Year: 2026, Days: [] })
    expect((await root.post('/ListOffPeakDay', { Year: 2026 })).results[0]).toMatchObject({ IsOwn: false })
  })

  it('override the carbon factor of a year', async () => {
    await root.post('/UpdateCarbonFactor', { Factors: [{ Year: 2024, Factor: 0.4 }] })
    const { results } = await root.post('/ListCarbonFactor')
    expect(results).toEqual(
      expect.arrayContaining([
        { Year: 2023, Factor: 0.494, IsOwn: false },
        { Year: 2024, Factor: 0.4, IsOwn: true },
      ]),
    )
    expect(await readCarbonFactors(world.db, root.cognitoId)).toEqual(new Map([[2024, 0.4]]))
    await root.post('/UpdateCarbonFactor', { Factors: [] })
  })

  it('reject a change based on an outdated list, and accept only one of two concurrent ones', async () => {
    const changed = { code: ERRORS.CONFLICT.code, fields: { Seen: 'changed' } }
    const Seen = [{ Year: 2030, Factor: 0.3 }]
    await root.post('/UpdateCarbonFactor', { Factors: Seen, Seen: [] })
    expect((await root.post('/UpdateCarbonFactor', { Factors: [], Seen: [] })).status).toMatchObject(changed)
    const both = await Promise.all(
      [2031, 2032].map((Year) =>
        root.post('/UpdateCarbonFactor', { Factors: [...Seen, { Year, Factor: 0.2 }], Seen }),
      ),
    )
    expect(both.map(({ status }) => status.code).toSorted((a, b) => a - b)).toEqual([0, changed.code])
    expect((await readCarbonFactors(world.db, root.cognitoId)).size).toBe(2)
    await root.post('/UpdateCarbonFactor', { Factors: [] })

    const day = { Date: '2026-08-08', IsOffPeak: true }
    const Days = [{ Date: '2026-08-09', IsOffPeak: true }]
    await root.post('/UpdateOffPeakDay', { Year: 2026, Days: [day], Seen: [] })
    expect((await root.post('/UpdateOffPeakDay', { Year: 2026, Days, Seen: [] })).status).toMatchObject(
      changed,
    )
    expect((await root.post('/UpdateOffPeakDay', { Year: 2026, Days, Seen: [day] })).status.code).toBe(0)
    await root.post('/UpdateOffPeakDay', { Year: 2026, Days: [] })
  })
})
