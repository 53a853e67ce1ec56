import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { MAX_NAMED_ROWS, type MeterImportCheck } from '../../../../contract/meters/import-calls.ts'
import { formatDay, dayOf, parseDay, QUARTER_MS, startOfDay } from '../../../../contract/time/periods.ts'
import { limitOf, limitsBetween } from '../../../../gateway/domain/meters/meter-limit.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { addMeter, addSite, type Site } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

const zone = 'Asia/Taipei'
const HOUR = 4 * QUARTER_MS
const DAY = 24 * HOUR

let world: World
let root: Caller
let site: Site
let count = 0
/** Midnight of the home's local time, ten days before now. */
let from: number
const uid = () => `figure-${count}`

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  from = startOfDay(dayOf(world.clock.now(), zone) - 10, zone)
})
afterAll(() => world.close())
beforeEach(async () => {
  site = await addSite(root, `Site ${(count += 1)}`, zone)
  await addMeter(world, root, site, uid())
})

type Row = readonly [timestamp: number, value: number, quarters?: number]
/** `number` rows, one every `ms`, with the value of each. */
const series = (number: number, ms: number, valueOf: (index: number) => number, begin = from): Row[] =>
  Array.from({ length: number }, (_, i) => [begin + i * ms, valueOf(i), ms / QUARTER_MS])
const sum = (rows: readonly Row[]) => rows.reduce((total, [, value]) => total + value, 0)

async function draft(Kind: 'counter' | 'interval', rowsOf: Readonly<Record<string, readonly Row[]>>) {
  const { HomeID } = site
  const made = await root.post('/CreateMeterImport', { HomeID, FileName: 'past.csv', Kind })
  const key = { HomeID, MeterImportID: made.results.MeterImportID as string }
  const Meters = Object.keys(rowsOf)
  const rows = Object.values(rowsOf).flatMap((of, meter) => of.map((row) => ({ meter, row })))
  for (let at = 0; at < rows.length; at += 10_000) {
    const some = rows.slice(at, at + 10_000)
    const { status } = await root.post('/AddMeterImportRows', {
      ...key,
      Meters,
      Rows: {
        Row: some.map((_, i) => at + i),
        Meter: some.map(({ meter }) => meter),
        Timestamp: some.map(({ row: [timestamp] }) => timestamp),
        Quarters: some.map(({ row: [, , quarters] }) => (Kind === 'counter' ? 1 : (quarters ?? 1))),
        Value: some.map(({ row: [, value] }) => value),
      },
    })
    expect(status).toEqual({ code: 0 })
  }
  const check = async () => (await root.post('/CheckMeterImport', key)).results as MeterImportCheck
  const commit = (input: object = {}) => root.post('/CommitMeterImport', { ...key, ...input })
  return { key, check, commit }
}
/** Imports rows that count. */
async function store(...of: Parameters<typeof draft>) {
  const { commit } = await draft(...of)
  expect((await commit()).status).toEqual({ code: 0 })
}
const NOT_SURE = { code: ERRORS.INVALID.code, fields: { Sure: 'implausible' } }

describe('The check of an import names for each meter', () => {
  it('the energy, time, power and limit of new intervals', async () => {
    const { check, commit } = await draft('interval', {
      [uid()]: series(24, HOUR, (hour) => (hour === 9 ? 2 : 0.5)),
    })
    const { Meters, OverLimit, OverLimitCount } = await check()
    expect(Meters).toEqual([
      {
        PeripheralUID: uid(),
        kWh: expect.closeTo(13.5, 9),
        From: from,
        Through: from + DAY,
        PerDay: expect.closeTo(13.5, 9),
        MeanKw: expect.closeTo(13.5 / 24, 9),
        MaxKw: 2,
        LimitKw: 10_000,
        Ratio: null,
        Overlaps: 0,
        CostPerMonth: null,
      },
    ])
    expect([OverLimit, OverLimitCount]).toEqual([[], 0])
    expect((await commit()).status).toEqual({ code: 0 })
  })

  it('a mean power over the time of the rows, and energy a day over the whole time', async () => {
    const rows = [...series(2, HOUR, () => 3), ...series(2, HOUR, () => 3, from + DAY - 2 * HOUR)]
    const [found] = (await (await draft('interval', { [uid()]: rows })).check()).Meters
    expect(found).toMatchObject({ kWh: 12, PerDay: 12, MeanKw: 3, Through: from + DAY })
  })

  it('the increase of a counter, without its falls', async () => {
    const values = [100, 103, 106, 2, 4, 10]
    const rows = values.map((value, i): Row => [from + i * 6 * HOUR, value])
    const [found] = (await (await draft('counter', { [uid()]: rows })).check()).Meters
    expect(found).toMatchObject({ kWh: 14, From: from, Through: from + 30 * HOUR, MaxKw: 1, Ratio: null })
    expect(found?.PerDay).toBeCloseTo((14 * 24) / 30, 9)
    expect(found?.MeanKw).toBeCloseTo(14 / 30, 9)
  })

  it('the increase of a counter since the stored reading if the file has one row', async () => {
    await store('counter', { [uid()]: [[from, 100]] })
    const [found] = (await (await draft('counter', { [uid()]: [[from + 2 * DAY, 148]] })).check()).Meters
    expect(found).toMatchObject({ kWh: 48, From: from, Through: from + 2 * DAY, PerDay: 24 })
    expect(found).toMatchObject({ MeanKw: 1, MaxKw: 1 })
  })

  it('no energy for the first value of a counter', async () => {
    const { Meters } = await (await draft('counter', { [uid()]: [[from, 100]] })).check()
    expect(Meters).toMatchObject([
      { kWh: 0, From: from, Through: from, PerDay: 0, MeanKw: null, MaxKw: null },
    ])
  })

  it('nothing if it has neither new nor conflicting rows', async () => {
    const rows = series(24, HOUR, () => 1)
    await store('interval', { [uid()]: rows })
    const found = await (await draft('interval', { [uid()]: rows })).check()
    expect(found).toMatchObject({ New: 0, Same: 24, Meters: [] })
  })

  it('the cost of a month at the present prices of its home, but not of a return register', async () => {
    const flat = {
      ValidFrom: '2020-01-01',
      ValidThrough: null,
      Kind: 'flat',
      Seasons: [
        {
          Season: 'allYear',
          From: '01-01',
          Through: '12-31',
          Windows: { weekday: [], saturday: [], offPeakDay: [] },
          Prices: { flat: 4 },
          Tiers: [],
          CapacityRates: {},
        },
      ],
      BasicCharge: { single: 100, three: 100 },
      Surcharge: null,
      MinimumBill: 0,
      PowerFactor: false,
    }
    const plan = await root.post('/CreateTariff', { TariffName: `flat ${count}`, Versions: [flat] })
    const ValidFrom = formatDay(dayOf(world.clock.now(), zone) - 5)
    const Tariffs = [homeTariff({ PlanID: plan.results.TariffID, ValidFrom, Capacities: {} })]
    expect((await root.post('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs })).status.code).toBe(0)
    const rows = series(24, HOUR, () => 0.5)
    const { Meters } = await (await draft('interval', { [uid()]: rows, [`${uid()}.return`]: rows })).check()
    expect(Meters.map(({ PeripheralUID, CostPerMonth }) => [PeripheralUID, CostPerMonth])).toEqual([
      [uid(), expect.closeTo(12 * 30 * 4, 6)],
      [`${uid()}.return`, null],
    ])
  })
})

describe('The ratio to stored energy', () => {
  /** Stored energy of an hour, kWh. */
  const load = (index: number) => 0.5 + (index % 24) / 10
  /** Counter that reads every quarter of an hour for three days. */
  const counter = (): Row[] => {
    let kwh = 100
    return series(3 * 96 + 1, QUARTER_MS, (i) => (i === 0 ? kwh : (kwh += load(Math.floor((i - 1) / 4)) / 4)))
  }

  it('is near 1 for the same energy in other rows', async () => {
    await store('counter', { [uid()]: counter() })
    const { check, commit } = await draft('interval', { [uid()]: series(5 * 24, HOUR, load) })
    const found = await check()
    expect(found).toMatchObject({ New: 48, Conflicting: 72 })
    expect(found.Meters).toMatchObject([{ Ratio: expect.closeTo(1, 9), Overlaps: 3 }])
    expect((await commit()).status).toEqual({ code: 0 })
  })

  it.each([
    ['1,000 for Wh taken for kWh', 1_000, HOUR],
    ['4 for kW of a quarter-hour taken for kWh', 4, QUARTER_MS],
    ['0.001 for MWh taken for kWh', 0.001, HOUR],
  ])('is near %s, and needs Sure', async (_name, factor, ms) => {
    await store('counter', { [uid()]: counter() })
    const valueOf = (index: number) => (load(Math.floor((index * ms) / HOUR)) * ms * factor) / HOUR
    const { check, commit } = await draft('interval', { [uid()]: series((4 * DAY) / ms, ms, valueOf) })
    const [found] = (await check()).Meters
    expect(found?.Ratio).toBeCloseTo(factor, 6)
    expect(found?.Overlaps).toBe(3)
    expect((await commit()).status).toMatchObject(NOT_SURE)
    expect((await commit({ Sure: true })).status).toEqual({ code: 0 })
  })

  it('is named for conflicting readings of a counter, at the times of the readings and between them', async () => {
    await store('counter', { [uid()]: counter() })
    const inWh = counter().map(([timestamp, kwh]): Row => [timestamp, kwh * 1000])
    const same = await (await draft('counter', { [uid()]: inWh })).check()
    expect(same).toMatchObject({ New: 0, Conflicting: inWh.length })
    expect(same.Meters).toMatchObject([{ kWh: 0, Ratio: expect.closeTo(1000, 6), Overlaps: 3 }])
    const shifted = counter().map(([timestamp, kwh]): Row => [timestamp + 7 * 60_000, kwh * 1000])
    const between = await (await draft('counter', { [uid()]: shifted })).check()
    expect(between).toMatchObject({ New: inWh.length, Conflicting: 0 })
    expect(between.Meters[0]?.Ratio).toBeGreaterThan(980)
    expect(between.Meters[0]?.Ratio).toBeLessThan(1020)
  })

  it('compares hours with a stored correction of several days as a whole', async () => {
    const rows = series(6 * 24, HOUR, (i) => (i < 72 ? 1 : 3))
    await store('interval', { [uid()]: [[from, sum(rows), 6 * 96]] })
    const { check, commit } = await draft('interval', { [uid()]: rows })
    const found = await check()
    expect(found).toMatchObject({ New: 0, Conflicting: 144 })
    expect(found.Meters).toMatchObject([{ Ratio: expect.closeTo(1, 9), Overlaps: 1 }])
    expect((await commit()).status).toEqual({ code: 0 })
  })

  it('compares a row of several days with the stored energy of all of them', async () => {
    await store('counter', { [uid()]: counter() })
    const total = sum(series(3 * 24, HOUR, load))
    const { Meters } = await (await draft('interval', { [uid()]: [[from, total / 2, 3 * 96]] })).check()
    expect(Meters).toMatchObject([{ Ratio: expect.closeTo(0.5, 9), Overlaps: 1 }])
  })

  it('ignores stored energy that was estimated over a silence', async () => {
    const gap = counter().filter((_, i) => i < 96 || i > 2 * 96)
    await store('counter', { [uid()]: gap })
    const { Meters } = await (
      await draft('interval', { [uid()]: series(24, HOUR, () => 99, from + DAY) })
    ).check()
    expect(Meters).toMatchObject([{ Ratio: null, Overlaps: 0 }])
  })

  it('of a return register does not refer to the energy that its device took', async () => {
    await store('counter', { [uid()]: counter() })
    const { Meters } = await (
      await draft('interval', { [`${uid()}.return`]: series(72, HOUR, (i) => load(i) * 1000) })
    ).check()
    expect(Meters).toMatchObject([{ PeripheralUID: `${uid()}.return`, Ratio: null, Overlaps: 0 }])
  })

  it('is computed by the local days of a home whose clocks change', async () => {
    site = await addSite(root, `London ${count}`, 'Europe/London')
    await addMeter(world, root, site, `london-${count}`)
    const begin = startOfDay(parseDay('2025-10-25'), 'Europe/London')
    let kwh = 0
    await store('counter', {
      [`london-${count}`]: series(73 * 4 + 1, QUARTER_MS, (i) => (i === 0 ? 0 : (kwh += 0.25)), begin),
    })
    const { Meters } = await (
      await draft('interval', { [`london-${count}`]: series(73, HOUR, () => 2, begin) })
    ).check()
    expect(Meters).toMatchObject([{ Ratio: expect.closeTo(2, 9), Overlaps: 3 }])
  })
})

describe('Rows above the limit of their meter', () => {
  const setLimit = async (Value: number, day: number) => {
    const { status } = await root.post('/SetMeterFact', {
      HomeID: site.HomeID,
      MeterID: uid(),
      Fact: 'limit',
      Value,
      From: formatDay(dayOf(from, zone) + day),
    })
    expect(status).toEqual({ code: 0 })
  }

  it('are listed by the limit of their day, and need Sure', async () => {
    await setLimit(30, 1)
    await setLimit(10, 3)
    const rows = series(5 * 24, HOUR, (i) => (i % 24 === 12 ? 20 : 1))
    const { check, commit } = await draft('interval', { [uid()]: rows })
    const found = await check()
    const row = (day: number) => ({
      Row: day * 24 + 12,
      PeripheralUID: uid(),
      Timestamp: from + day * DAY + 12 * HOUR,
      kW: 20,
      LimitKw: 10,
    })
    expect(found.OverLimit).toEqual([row(3), row(4)])
    expect(found.OverLimitCount).toBe(2)
    expect(found.Meters).toMatchObject([{ MaxKw: 20, LimitKw: 10 }])
    expect((await commit()).status).toMatchObject(NOT_SURE)
    expect((await commit({ Sure: true })).results).toMatchObject({ State: 'done', Added: 120 })
  })

  it('are those of a counter since its previous row, or since the stored reading if that is later', async () => {
    await setLimit(10, 0)
    await store('counter', {
      [uid()]: [
        [from, 100],
        [from + 3 * HOUR, 112],
      ],
    })
    const { check, commit } = await draft('counter', {
      [uid()]: [
        // 8 kW since the stored reading.
        [from + HOUR, 108],
        // 4 kW since the stored reading at 3 h, 3.5 kW since the previous row.
        [from + 5 * HOUR, 120],
        // 11 kW since the previous row.
        [from + 6 * HOUR, 131],
      ],
    })
    const found = await check()
    expect(found.OverLimit).toEqual([
      {
        Row: 2,
        PeripheralUID: uid(),
        Timestamp: from + 6 * HOUR,
        kW: expect.closeTo(11, 9),
        LimitKw: 10,
      },
    ])
    expect(found.Meters).toMatchObject([{ MaxKw: expect.closeTo(11, 9) }])
    expect((await commit()).status).toMatchObject(NOT_SURE)
  })

  it('are counted, and the first thousand listed', async () => {
    await setLimit(1, 0)
    const rows = series(700, QUARTER_MS, () => 1)
    const found = await (await draft('interval', { [uid()]: rows, [`${uid()}.return`]: rows })).check()
    expect(found).toMatchObject({ OverLimitCount: 700 })
    const two = await addMeter(world, root, site, `${uid()}-b`)
    expect(two).toBeGreaterThan(0)
    await root.post('/SetMeterFact', {
      HomeID: site.HomeID,
      MeterID: `${uid()}-b`,
      Fact: 'limit',
      Value: 1,
      From: formatDay(dayOf(from, zone)),
    })
    const both = await (await draft('interval', { [uid()]: rows, [`${uid()}-b`]: rows })).check()
    expect(both.OverLimitCount).toBe(1_400)
    expect(both.OverLimit).toHaveLength(MAX_NAMED_ROWS)
    expect(both.OverLimit.at(-1)).toMatchObject({ Row: 999, PeripheralUID: `${uid()}-b` })
  })

  it('follow the contract of a grid meter from the day on which it changes', async () => {
    const today = dayOf(world.clock.now(), zone)
    const change = today - 8
    const Tariffs = [
      homeTariff({ ValidThrough: formatDay(change - 1), Capacities: { regular: 10 } }),
      homeTariff({ ValidFrom: formatDay(change), Capacities: { regular: 5 } }),
    ]
    await root.post('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs })
    await root.post('/SetMeterFact', {
      HomeID: site.HomeID,
      MeterID: uid(),
      Fact: 'role',
      Value: 'gridImport',
      From: null,
    })
    const { OverLimit } = await (await draft('interval', { [uid()]: series(72, HOUR, () => 20) })).check()
    expect(new Set(OverLimit.map(({ LimitKw }) => LimitKw))).toEqual(new Set([15]))
    expect(OverLimit).toHaveLength(24)
    expect(OverLimit[0]?.Timestamp).toBe(startOfDay(change, zone))
  })
})

it('gives the limits of a range as limitOf does for each of its days', () => {
  const known = {
    limit: [
      { from: 0, value: null },
      { from: 14, value: 40 },
      { from: 16, value: null },
    ],
    rated: [{ from: 18, value: 7 }],
    learnt: [{ from: 12, value: 90 }],
    role: [{ from: 0, value: 'gridImport' as const }],
    contractOn: (day: number) => (day < 13 ? 20 : 50),
    contractDays: [13],
  }
  const changes = limitsBetween(known, 10, 20)
  expect(changes[0]?.from).toBe(10)
  for (let day = 10; day <= 20; day++)
    expect(changes.findLast((one) => one.from <= day)?.value, `day ${day}`).toBe(limitOf(known, day))
})
