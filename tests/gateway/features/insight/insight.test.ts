import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { ExplanationRow } from '../../../../contract/energy/insight-calls.ts'
import { dayOf, formatDay, parseDay, startOfDay, weekdayOf } from '../../../../contract/time/periods.ts'
import { mayBePeakDay, PEAK_DAYS_A_YEAR } from '../../../../contract/tariffs/peak-days.ts'
import { leastContract, TAIPOWER_PLANS } from '../../../../contract/tariffs/taipower-plans.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../support/clock.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import {
  addMeter,
  addSite,
  type Counted,
  seeded,
  type Site,
  storeEnergy,
} from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

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
/** kWh in 15 minutes of an office: 2 in working hours, a quarter of that otherwise and at weekends. */
const office = (timestamp: number): number => {
  const day = dayOf(timestamp, zone)
  const hour = (timestamp - startOfDay(day, zone)) / 3_600_000
  return weekdayOf(day) % 6 !== 0 && hour >= 8 && hour < 18 ? 2 : 0.5
}
/** Site of one meter that has counted since a day. */
async function site(name: string, from: string, countedAt: (at: number) => Counted, to = NOW): Promise<Site> {
  const made = await addSite(root, name)
  const meter = await addMeter(world, root, made, `${name}-main`)
  await storeEnergy(world, made, meter, [at(from), Math.floor(to / 900_000) * 900_000], countedAt)
  await ask('/UpdateHomeTariff', {
    HomeID: made.HomeID,
    Tariffs: [homeTariff({ Capacities: { regular: 5 } })],
  })
  return made
}
const range = (from: string, to: string) => ({ From: at(from), To: at(to) })

describe('a load profile', () => {
  let HomeID: string
  beforeAll(async () => {
    HomeID = (await site('profile', '2026-05-01', office)).HomeID
  })

  it('has the mean power of each hour of the week, with the number of hours, of past days only', async () => {
    const found = await ask('/GetLoadProfile', {
      HomeID,
      ...range('2026-06-01', '2026-06-15'),
      Shape: 'week',
    })
    expect(found).toMatchObject({ From: '2026-06-01', Through: '2026-06-10', Classes: [], Duration: [] })
    expect(found.Week).toHaveLength(168)
    expect(found.Week[8]).toEqual({ MeanKw: 8, Hours: 2 })
    expect(found.Week[7]).toEqual({ MeanKw: 2, Hours: 2 })
    // The second Thursday is today.
    expect(found.Week[3 * 24 + 8]).toEqual({ MeanKw: 8, Hours: 1 })
    expect(found.Summary).toMatchObject({ PeakKw: 8, BaseKw: 2, KnownHours: 240, Hours: 240 })
  })

  it('is divided by kinds of days, including listed off-peak days', async () => {
    const { Classes } = await ask('/GetLoadProfile', {
      HomeID,
      ...range('2026-05-01', '2026-06-01'),
      Shape: 'class',
    })
    // 1 May is a holiday.
    expect(Classes.map(({ Class, Days }: { Class: string; Days: number }) => [Class, Days])).toEqual([
      ['weekday', 20],
      ['saturday', 5],
      ['offPeakDay', 6],
    ])
    expect(Classes[0].P50[9]).toBe(8)
  })

  it('is sorted by the duration of each power, for a meter too', async () => {
    const home = await ask('/GetLoadProfile', {
      HomeID,
      ...range('2026-06-01', '2026-06-08'),
      Shape: 'duration',
    })
    const meter = await ask('/GetLoadProfile', {
      HomeID,
      PeripheralUIDs: ['profile-main'],
      ...range('2026-06-01', '2026-06-08'),
      Shape: 'duration',
    })
    expect(home.Duration[0]).toEqual({ Share: 0, Kw: 8 })
    expect(home.Duration.at(-1)).toEqual({ Share: 1, Kw: 2 })
    expect(meter).toEqual(home)
  })

  it('excludes unknown times, and says how much is known', async () => {
    const silent = await site('silent', '2026-06-01', (time) => (time < at('2026-06-02') ? undefined : 1))
    const { Summary, Week } = await ask('/GetLoadProfile', {
      HomeID: silent.HomeID,
      ...range('2026-06-01', '2026-06-03'),
      Shape: 'week',
    })
    expect(Summary).toMatchObject({ MeanKw: 4, KnownHours: 24, Hours: 48 })
    expect(Week[0]).toEqual({ MeanKw: null, Hours: 0 })
  })

  it('rejects what it cannot read', async () => {
    const asked = { HomeID, Shape: 'week' }
    expect(
      await errorOf('/GetLoadProfile', { ...asked, ...range('2026-06-02', '2026-06-01') }),
    ).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { To: 'tooSmall' },
    })
    expect(
      await errorOf('/GetLoadProfile', { ...asked, ...range('2024-01-01', '2026-06-01') }),
    ).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { To: 'tooManyPoints' },
    })
    expect(
      await errorOf('/GetLoadProfile', {
        ...asked,
        ...range('2026-06-01', '2026-06-02'),
        PeripheralUIDs: ['x'],
      }),
    ).toMatchObject({ code: ERRORS.NOT_FOUND.code, fields: { 'PeripheralUIDs.0': 'notFound' } })
    expect(
      await errorOf('/GetLoadProfile', { ...asked, HomeID: 'none', ...range('2026-06-01', '2026-06-02') }),
    ).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
    })
  })
})

describe('a forecast', () => {
  it('predicts the month and the bill with the better method', async () => {
    const { HomeID } = await site('forecast', '2025-11-01', (time) => {
      const day = dayOf(time, zone)
      return office(time) * (1 + (day % 3) / 50)
    })
    const { Month, Bill, Budget } = await ask('/GetForecast', { HomeID })
    expect(Budget).toBeNull()
    expect(Month).toMatchObject({
      From: '2026-06-01',
      Through: '2026-06-30',
      DaysOver: 10,
      DaysKnown: 10,
      Refused: null,
      Forecast: { Method: 'rule', Cost: null },
    })
    const { Low, Mid, High } = Month.Forecast.Kwh
    // 21 workdays and 9 other days: the 19th is the dragon boat festival.
    const truth = 21 * (40 * 2 + 56 * 0.5) * 1.02 + 9 * 48 * 1.02
    expect(Math.abs(Mid - truth) / truth).toBeLessThan(0.03)
    expect(Low).toBeLessThanOrEqual(Mid)
    expect(High).toBeGreaterThanOrEqual(Mid)
    expect(Month.Peak.UpToKw).toBeGreaterThanOrEqual(Month.Peak.SoFarKw)
    expect(Month.Days).toHaveLength(30)
    expect(Month.Days.filter(({ IsForecast }: { IsForecast: boolean }) => IsForecast)).toHaveLength(20)
    expect(Bill.Forecast.Kwh.Mid).toBeCloseTo(Mid)
    const sum = Month.Days.reduce((all: number, { Kwh }: { Kwh: number }) => all + Kwh, 0)
    expect(sum).toBeCloseTo(Mid)
    // The cost of the same energy is a bill with its basic charge and contract.
    expect(Bill.Forecast.Cost.Mid).toBeGreaterThan(5 * 236)
    expect(Bill.Forecast.Cost.Low).toBeLessThanOrEqual(Bill.Forecast.Cost.Mid)
  })

  it('says what is missing, and until when', async () => {
    const { HomeID } = await site('young', '2026-05-31', office)
    const { Month } = await ask('/GetForecast', { HomeID })
    expect(Month).toMatchObject({
      Forecast: null,
      Refused: { Reason: 'history', Have: 11, Needed: 28, EnoughOn: '2026-06-28' },
    })
    const none = await addSite(root, 'no meters')
    expect((await ask('/GetForecast', { HomeID: none.HomeID })).Month).toMatchObject({
      SoFarKwh: null,
      Forecast: null,
      Refused: { Reason: 'history', Have: 0 },
    })
  })

  it('has no cost without a tariff', async () => {
    const { HomeID } = await site('free', '2026-04-01', office)
    await ask('/UpdateHomeTariff', { HomeID, Tariffs: [] })
    expect((await ask('/GetForecast', { HomeID })).Bill.Forecast).toMatchObject({
      Method: 'floor',
      Cost: null,
    })
  })
})

describe('a budget', () => {
  it('is set, visible to all readers, and deleted; the second of two edits is rejected', async () => {
    const { HomeID } = await addSite(root, 'budget')
    const budget = { Unit: 'TWD', Period: 'bill', Amount: 10_000 }
    expect(await ask('/UpdateBudget', { HomeID, Budget: budget, Seen: null })).toEqual({
      HomeID,
      Budget: budget,
    })
    expect((await ask('/GetForecast', { HomeID })).Budget).toEqual(budget)
    expect(await errorOf('/UpdateBudget', { HomeID, Budget: null, Seen: null })).toMatchObject({
      code: ERRORS.CONFLICT.code,
    })
    const kWh = { Unit: 'kWh', Period: 'month', Amount: 500 }
    await ask('/UpdateBudget', { HomeID, Budget: kWh, Seen: budget })
    await ask('/UpdateBudget', { HomeID, Budget: null })
    expect((await ask('/GetForecast', { HomeID })).Budget).toBeNull()
  })

  it('of money is for a bill, and above zero', async () => {
    const { HomeID } = await addSite(root, 'broken budget')
    const refused = async (Budget: object) => (await errorOf('/UpdateBudget', { HomeID, Budget })).fields
    expect(await refused({ Unit: 'TWD', Period: 'month', Amount: 5 })).toEqual({ 'Budget.Period': 'invalid' })
    expect(await refused({ Unit: 'kWh', Period: 'month', Amount: 0 })).toEqual({
      'Budget.Amount': 'tooSmall',
    })
    expect((await errorOf('/UpdateBudget', { HomeID: 'none', Budget: null })).code).toBe(
      ERRORS.NOT_FOUND.code,
    )
  })

  it('of one company is not visible to another', async () => {
    const { HomeID } = await addSite(root, 'theirs')
    const other = await world.signUp()
    for (const [path, input] of [
      ['/GetForecast', {}],
      ['/UpdateBudget', { Budget: null }],
      ['/ExplainChange', range('2026-05-01', '2026-06-01')],
      ['/GetLoadProfile', { ...range('2026-05-01', '2026-06-01'), Shape: 'week' }],
    ] as const)
      expect((await errorOf(path, { HomeID, ...input }, other)).code).toBe(ERRORS.NOT_FOUND.code)
  })
})

describe('why energy changed', () => {
  const sums = (rows: ExplanationRow[]) => ({
    kWh: rows.reduce((sum, row) => sum + row.kWh, 0),
    cents: rows.reduce((sum, row) => sum + Math.round((row.Amount ?? 0) * 100), 0),
  })

  it('adds up to the difference of the bills, over a season, a new meter and a gap', async () => {
    const { HomeID, ...made } = await addSite(root, 'change')
    const whole = { HomeID, ...made }
    const main = await addMeter(world, root, whole, 'c-main')
    const lathe = await addMeter(world, root, whole, 'c-lathe', { parent: 'c-main' })
    const press = await addMeter(world, root, whole, 'c-press', { parent: 'c-main' })
    await storeEnergy(world, whole, main, [at('2026-04-01'), at('2026-06-11')], (time) =>
      time >= at('2026-05-10') && time < at('2026-05-12') ? undefined : office(time) * 3,
    )
    await storeEnergy(world, whole, lathe, [at('2026-04-01'), at('2026-06-11')], office)
    await storeEnergy(world, whole, press, [at('2026-05-15'), at('2026-06-11')], office)
    await ask('/UpdateHomeTariff', { HomeID, Tariffs: [homeTariff({ Capacities: { regular: 20 } })] })
    for (const [from, to, Against] of [
      ['2026-05-01', '2026-06-01', 'previous'],
      ['2026-06-01', '2026-07-01', 'previous'],
      ['2026-05-25', '2026-06-08', 'previous'],
    ] as const) {
      const found = await ask('/ExplainChange', { HomeID, ...range(from, to), Against, By: 'meter' })
      const told = sums(found.Rows)
      expect(told.kWh).toBeCloseTo(found.Now.kWh - found.Base.kWh, 4)
      expect(told.cents).toBe(Math.round(found.Now.Amount * 100) - Math.round(found.Base.Amount * 100))
      expect(found.Weather).toBe('unknown')
    }
    const may = await ask('/ExplainChange', { HomeID, ...range('2026-05-01', '2026-06-01'), By: 'meter' })
    // A complete month equals its bill.
    expect(may.Now.Amount).toBe((await ask('/GetBill', { HomeID, Date: '2026-05-10' })).Total)
    expect(may.Now.Known).toBeCloseTo(29 / 31)
    const row = (kind: string, key = '') =>
      may.Rows.find(({ Kind, Key }: ExplanationRow) => Kind === kind && Key === key)
    expect(row('coverage')?.kWh).toBeLessThan(0)
    expect(row('line', 'c-press')).toMatchObject({ State: 'new' })
    // 1 May, an off-peak day on which it ran as on a workday.
    expect(row('line', 'c-lathe')?.kWh).toBeCloseTo(60)
    expect(row('line', 'untracked')).toMatchObject({ State: 'changed' })
    const june = await ask('/ExplainChange', { HomeID, ...range('2026-06-01', '2026-07-01'), By: 'room' })
    expect([june.Now, june.Base]).toMatchObject([
      { From: '2026-06-01', Through: '2026-06-10' },
      { From: '2026-05-01', Through: '2026-05-10' },
    ])
    expect(june.Rows.at(-1)).toMatchObject({ Kind: 'prices', kWh: 0 })
  })

  it('prices an announced peak day by its own hours, and lists missing ones', async () => {
    const { HomeID } = await site('announced', '2026-05-25', office)
    const PlanID = 'hv_three_stage_variable'
    const Tariffs = [homeTariff({ PlanID, Capacities: { regular: leastContract(PlanID) } })]
    await ask('/UpdateHomeTariff', { HomeID, Tariffs })
    const explained = () =>
      ask('/ExplainChange', { HomeID, ...range('2026-06-08', '2026-06-11'), Against: 'weekBefore' })
    expect(await explained()).toMatchObject({
      Now: { Amount: null },
      PeakDays: { Year: 2026, Known: 0, Needed: PEAK_DAYS_A_YEAR },
    })
    expect(await ask('/GetForecast', { HomeID })).toMatchObject({
      PeakDays: { Year: 2026, Known: 0, Needed: PEAK_DAYS_A_YEAR },
    })
    const announce = (dates: readonly string[], CompleteThrough: string | null) =>
      ask('/UpdatePeakDay', { Year: 2026, Days: dates.map((Date) => ({ Date })), CompleteThrough })
    await announce(['2026-06-09'], '2026-06-10')
    const { Now, Base, Rows, PeakDays } = await explained()
    expect(PeakDays).toBeUndefined()
    // The same energy with more expensive hours on the announced day.
    expect(Now.Amount).toBeGreaterThan(Base.Amount)
    expect(Rows).toEqual([
      expect.objectContaining({
        Kind: 'calendar',
        kWh: 0,
        Amount: expect.closeTo(Now.Amount - Base.Amount, 2),
      }),
    ])
    await announce([], null)
  })

  it('adds up to the cent under every plan, also when clocks change', async () => {
    const berlin = await addSite(root, 'dst', 'Europe/Berlin')
    const random = seeded(4)
    const start = (date: string) => startOfDay(parseDay(date), berlin.zone)
    for (const uid of ['d-a', 'd-b'])
      await storeEnergy(
        world,
        berlin,
        await addMeter(world, root, berlin, uid),
        [start('2026-02-01'), start('2026-06-11')],
        () => (random() < 0.02 ? undefined : 10 * random()),
      )
    const { HomeID } = berlin
    // Plans with variable peak hours have a price once the announced days of the year are known.
    const first = parseDay('2026-05-18')
    const announced = Array.from({ length: 60 }, (_, i) => first + i).filter(mayBePeakDay)
    const Days = announced.slice(0, PEAK_DAYS_A_YEAR).map((day) => ({ Date: formatDay(day) }))
    await ask('/UpdatePeakDay', { Year: 2026, Days, CompleteThrough: null })
    for (const { PlanID } of TAIPOWER_PLANS) {
      const Tariffs = [
        homeTariff({
          PlanID,
          Capacities: { regular: Math.max(30, leastContract(PlanID)) },
          BillingDay: 12,
          PowerFactor: 87,
        }),
      ]
      await ask('/UpdateHomeTariff', { HomeID, Tariffs })
      for (const [from, to] of [
        ['2026-03-20', '2026-04-03'],
        ['2026-03-29', '2026-03-30'],
        ['2026-05-01', '2026-07-01'],
      ] as const) {
        const found = await ask('/ExplainChange', { HomeID, From: start(from), To: start(to), By: 'meter' })
        const told = sums(found.Rows)
        expect(told.kWh).toBeCloseTo(found.Now.kWh - found.Base.kWh, 4)
        const cents = Math.round(found.Now.Amount * 100) - Math.round(found.Base.Amount * 100)
        expect([PlanID, from, told.cents]).toEqual([PlanID, from, cents])
      }
    }
  })

  it('adds up to what a site with a balance bought, to the kWh and the cent, also when clocks change', async () => {
    const berlin = await addSite(root, 'sun', 'Europe/Berlin')
    const { HomeID } = berlin
    const random = seeded(7)
    const start = (date: string) => startOfDay(parseDay(date), berlin.zone)
    const { RoomID } = await ask('/CreateRoom', { HomeID, RoomName: 'Hall' })
    const roles = {
      's-in': 'gridImport',
      's-out': 'gridExport',
      's-roof': 'generation',
      's-give': 'storageDischarge',
      's-take': 'storageCharge',
      's-lathe': 'load',
    }
    const role = (MeterID: string, Value: string, From: string | null = null) =>
      ask('/SetMeterFact', { HomeID, MeterID, Fact: 'role', Value, From })
    for (const [uid, Value] of Object.entries(roles)) {
      const meter = await addMeter(world, root, berlin, uid)
      await storeEnergy(world, berlin, meter, [start('2026-02-01'), start('2026-06-11')], () =>
        random() < 0.02 ? undefined : (uid === 's-in' ? 6 : 3) * random(),
      )
      await role(uid, Value)
    }
    const check = async (what: string) => {
      for (const [By, PlanID] of [
        ['room', 'lv_two_stage'],
        ['meter', 'residential_standard'],
      ] as const) {
        const Capacities = PlanID === 'residential_standard' ? {} : { regular: 30 }
        await ask('/UpdateHomeTariff', { HomeID, Tariffs: [homeTariff({ PlanID, Capacities })] })
        for (const [from, to] of [
          ['2026-03-20', '2026-04-03'],
          ['2026-03-29', '2026-03-30'],
          ['2026-05-01', '2026-06-01'],
        ] as const) {
          const found = await ask('/ExplainChange', { HomeID, From: start(from), To: start(to), By })
          const told = sums(found.Rows)
          const at = [what, By, PlanID, from].join(' ')
          expect(Math.abs(told.kWh - (found.Now.kWh - found.Base.kWh)), at).toBeLessThan(1e-3)
          expect(told.cents, at).toBe(
            Math.round(found.Now.Amount * 100) - Math.round(found.Base.Amount * 100),
          )
          const { Points } = await ask('/GetEnergyBalance', {
            HomeID,
            From: start(from),
            To: start(to),
            Resolution: 'day',
          })
          const bought = Points.reduce(
            (sum: number, point: { Import: number | null }) => sum + (point.Import ?? 0),
            0,
          )
          expect(Math.abs(found.Now.kWh - bought), at).toBeLessThan(1e-3)
        }
      }
    }
    await check('always')
    await ask('/SetMeterFact', {
      HomeID,
      MeterID: 's-lathe',
      Fact: 'room',
      Value: RoomID,
      From: '2026-05-10',
    })
    await check('moved')
    const moved = await ask('/ExplainChange', { HomeID, From: start('2026-05-01'), To: start('2026-06-01') })
    expect(
      moved.Rows.flatMap(({ Key, State, kWh }: ExplanationRow) =>
        State === 'moved' ? [[Key, Math.sign(kWh)]] : [],
      ).toSorted(),
    ).toEqual([
      ['0', -1],
      [String(RoomID), 1],
    ])
    // From a day within both compared periods.
    await ask('/DeleteMeterFact', { HomeID, MeterID: 's-in', Fact: 'role', From: null })
    await role('s-in', 'gridImport', '2026-03-25')
    await check('since')
    // No meter measures imported energy.
    await ask('/DeleteMeterFact', { HomeID, MeterID: 's-in', Fact: 'role', From: '2026-03-25' })
    await role('s-in', 'check')
    await check('unseen')
  })

  it('shows if a site with a balance generated more of its own', async () => {
    const made = await addSite(root, 'roof')
    const { HomeID } = made
    const may = at('2026-05-01')
    const add = async (uid: string, Value: string, countedAt: (at: number) => Counted) => {
      const meter = await addMeter(world, root, made, uid)
      await storeEnergy(world, made, meter, [at('2026-03-01'), at('2026-06-01')], countedAt)
      await ask('/SetMeterFact', { HomeID, MeterID: uid, Fact: 'role', Value, From: null })
    }
    await add('r-in', 'gridImport', (time) => (time < may ? 3 : 2))
    await add('r-roof', 'generation', (time) => (time < may ? 1 : 2))
    await add('r-lathe', 'load', () => 1)
    await ask('/UpdateHomeTariff', { HomeID, Tariffs: [homeTariff({ Capacities: { regular: 20 } })] })
    const found = await ask('/ExplainChange', { HomeID, ...range('2026-05-03', '2026-05-31'), By: 'meter' })
    expect(found).toMatchObject({ HasBalance: true, Now: { Complete: 1 } })
    // Four weeks, one side with more off-peak days than the other: the energy is equal.
    const flow = found.Rows.find(({ Kind }: ExplanationRow) => Kind === 'flow')
    expect(flow).toMatchObject({ Key: 'generation', State: 'changed' })
    expect(flow?.kWh).toBeLessThan(0)
    expect(flow?.Amount).toBeLessThan(0)
    expect(found.Rows.filter(({ Kind }: ExplanationRow) => Kind === 'line')).toEqual([])
  })

  it('has no row if two periods are alike', async () => {
    const { HomeID } = await site('alike', '2025-05-01', office)
    const found = await ask('/ExplainChange', {
      HomeID,
      ...range('2026-03-16', '2026-03-23'),
      Against: 'previous',
    })
    expect(found.Rows).toEqual([])
    expect(found.Now.Amount).toBe(found.Base.Amount)
  })

  it('compares the same weekdays 52 weeks ago, and the same dates of last year', async () => {
    const { HomeID } = await site('years', '2025-05-01', office)
    const asked = { HomeID, ...range('2026-06-01', '2026-06-08') }
    expect((await ask('/ExplainChange', { ...asked, Against: 'lastYearWeekday' })).Base).toMatchObject({
      From: '2025-06-02',
      Through: '2025-06-08',
    })
    expect((await ask('/ExplainChange', { ...asked, Against: 'lastYear' })).Base).toMatchObject({
      From: '2025-06-01',
      Through: '2025-06-07',
    })
  })

  it('falls back to the previous month or weekdays if last year is unknown, and says so', async () => {
    const { HomeID } = await site('newer', '2026-04-01', office)
    expect(
      await ask('/ExplainChange', { HomeID, ...range('2026-05-01', '2026-06-01'), Against: 'lastYear' }),
    ).toMatchObject({ Against: 'previous', Base: { From: '2026-04-01', Through: '2026-04-30' } })
    // A Saturday and the Saturday before.
    expect(
      await ask('/ExplainChange', {
        HomeID,
        ...range('2026-05-09', '2026-05-10'),
        Against: 'lastYearWeekday',
      }),
    ).toMatchObject({ Against: 'weekBefore', Base: { From: '2026-05-02', Through: '2026-05-02' } })
  })

  it('has energy without cost if a day has no price, and is empty before a day is over', async () => {
    const { HomeID } = await site('unpriced', '2026-04-01', office)
    await ask('/UpdateHomeTariff', { HomeID, Tariffs: [] })
    const found = await ask('/ExplainChange', { HomeID, ...range('2026-05-01', '2026-06-01') })
    expect(found.Now.Amount).toBeNull()
    expect(found.Rows.every(({ Amount }: ExplanationRow) => Amount === null)).toBe(true)
    expect(sums(found.Rows).kWh).toBeCloseTo(found.Now.kWh - found.Base.kWh, 4)
    expect(await ask('/ExplainChange', { HomeID, ...range('2026-06-11', '2026-06-12') })).toEqual({
      Now: null,
      Base: null,
      Against: 'previous',
      HasBalance: false,
      Rows: [],
      Weather: 'unknown',
    })
  })

  it('uses the temperature of the marked sensor, and of no other kind of sensor', async () => {
    const { HomeID } = await site(
      'marked',
      '2026-04-01',
      (time) => 1 + 0.2 * ((dayOf(time, zone) % 9) + (time >= at('2026-05-01') ? 3 : 0)),
    )
    const made = { HomeID, ThingName: (await ask('/AddThing', { HomeID, DeviceName: 'hub 2' })).ThingName }
    await addDiscovered(world, root, { ...made, RoomID: 0, type: '753', uids: ['yard'] })
    for (const field of ['Temperature', 'Humidity']) {
      const [series] = await world.db.query<{ id: number }>(sql`
        insert into sample_series (tenant, home_id, peripheral_uid, field)
        values (${root.tenant}, ${HomeID}, 'yard', ${field}) returning series_id as id`)
      for (let day = parseDay('2026-04-01'); day < parseDay('2026-06-01'); day++)
        await world.db.query(sql`insert into device_samples (value, series_id, minute, after_ms)
          select ${24 + (day % 9) + (day >= parseDay('2026-05-01') ? 3 : 0)}, ${series?.id as number}, ${startOfDay(day, zone) / 60_000}::int + 60 * h, 0
          from generate_series(0, 23) h`)
    }
    const weather = async () =>
      (await ask('/ExplainChange', { HomeID, ...range('2026-05-01', '2026-06-01') })).Weather
    expect(await weather()).toBe('unknown')
    const yard = { PeripheralUID: 'yard', Field: 'Temperature' }
    expect(await ask('/GetOutdoorSensor', { HomeID })).toMatchObject({ Sensor: null, Candidates: [yard] })
    const refused = await errorOf('/UpdateOutdoorSensor', { HomeID, Sensor: { ...yard, Field: 'Humidity' } })
    expect(refused.fields).toEqual({ Sensor: 'notMeasured' })
    await ask('/UpdateOutdoorSensor', { HomeID, Sensor: yard, Seen: null })
    expect(await weather()).toBe('counted')
    expect((await errorOf('/UpdateOutdoorSensor', { HomeID, Sensor: null, Seen: null })).code).toBe(
      ERRORS.CONFLICT.code,
    )
    await ask('/UpdateOutdoorSensor', { HomeID, Sensor: null })
    expect(await weather()).toBe('unknown')
  })

  it('separates the weather if a device measured the outdoor temperature', async () => {
    const celsius = (day: number) => 22 + (day % 9) + (day >= parseDay('2026-05-01') ? 3 : 0)
    const { HomeID } = await site('weather', '2026-04-01', (time) => {
      const day = dayOf(time, zone)
      return 1 + 0.2 * Math.max(0, celsius(day) - 24)
    })
    const [series] = await world.db.query<{ id: number }>(sql`
      insert into sample_series (tenant, home_id, peripheral_uid, field)
      values (${root.tenant}, ${HomeID}, 'ac', 'OutdoorTemperature') returning series_id as id`)
    for (let day = parseDay('2026-04-01'); day < parseDay('2026-06-01'); day++)
      await world.db.query(sql`insert into device_samples (value, series_id, minute, after_ms)
        select ${celsius(day)}, ${series?.id as number}, ${startOfDay(day, zone) / 60_000}::int + 60 * h, 0
        from generate_series(0, 23) h`)
    const found = await ask('/ExplainChange', { HomeID, ...range('2026-05-01', '2026-06-01') })
    expect(found.Weather).toBe('counted')
    const weather = found.Rows.find(({ Kind }: ExplanationRow) => Kind === 'weather')
    const line = found.Rows.find(({ Kind }: ExplanationRow) => Kind === 'line')
    // Nearly all of the change is due to weather.
    expect(weather.kWh).toBeGreaterThan(500)
    expect(Math.abs(line?.kWh ?? 0)).toBeLessThan(weather.kWh / 5)
    expect(sums(found.Rows).kWh).toBeCloseTo(found.Now.kWh - found.Base.kWh, 4)
  })
})

describe('the energy use intensity', () => {
  const intensity = (HomeID: string) => ask('/GetEnergyUseIntensity', { HomeID })
  const area = (HomeID: string, Value: number, From: string | null) =>
    ask('/SetPlaceFact', { HomeID, RoomID: null, Fact: 'area', Value, From })

  it("is a year's use by the area of each day, and says what is missing", async () => {
    const { HomeID } = await site('floor', '2025-06-01', () => 1)
    expect(await intensity(HomeID)).toMatchObject({ Eui: null, Lack: 'area', Days: 365, Area: null })
    await area(HomeID, 100, null)
    expect(await intensity(HomeID)).toMatchObject({
      From: '2025-06-11',
      Through: '2026-06-10',
      Lack: null,
      Area: 100,
      Complete: 1,
    })
    expect((await intensity(HomeID)).Eui).toBeCloseTo((365 * 96) / 100, 6)
    // At a site that has grown, each day uses its own area.
    await area(HomeID, 200, '2026-06-01')
    expect((await intensity(HomeID)).Eui).toBeCloseTo((355 * 96) / 100 + (10 * 96) / 200, 6)
  })

  it('is not given for less than a year', async () => {
    const { HomeID } = await site('newcomer', '2026-01-01', () => 1)
    await area(HomeID, 100, null)
    expect(await intensity(HomeID)).toMatchObject({ Eui: null, Lack: 'days', Area: 100 })
  })
})
