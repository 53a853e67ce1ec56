import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BalancePoint, EnergySeries } from '../../../../../contract/energy/meter-data-calls.ts'
import { dayOf, QUARTER_MS, startOfDay } from '../../../../../contract/time/periods.ts'
import { encode } from '../../../../support/building.ts'
import type { PlanBills } from '../../../../../contract/tariffs/bill-calls.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { homeTariff } from '../../../../support/home-tariff.ts'
import type { QuietBroker } from '../../../../support/quiet-broker.ts'
import { addSite, seeded, type Site } from '../../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'

/** Days that the script reports, and the part of them that it queries. */
const DAYS = 3
const REGISTERS = ['grid', 'grid.return', 'sun', 'chiller'] as const
type Register = (typeof REGISTERS)[number]

let world: World
let root: Caller
let site: Site
let begin: number
/** Energy of each quarter by the script's own arithmetic; undefined if it cannot be known. */
const fed = new Map<Register, (number | undefined)[]>()

/** Counter at the end of each quarter, with resets and gaps, and the energy of each quarter. */
function counterOf(
  seed: number,
  powerAt: (quarter: number) => number,
  mayHear: (quarter: number) => boolean = () => true,
) {
  const random = seeded(seed)
  const readings: { quarter: number; counter: number }[] = [{ quarter: 0, counter: 100 }]
  const energy: (number | undefined)[] = []
  let [counter, silent, since, fell] = [100, 0, 0, false]
  for (let quarter = 1; quarter <= DAYS * 96; quarter++) {
    counter += Math.round(powerAt(quarter) * random() * 1e4) / 1e4
    if (silent === 0 && random() < 0.02) silent = 1 + Math.floor(random() * 6)
    else if (silent > 0) silent -= 1
    // A reset of a counter that has just been reset would be taken for a slip.
    if (random() < 0.01 && counter > 60) [counter, fell] = [Math.round(random() * 1e3) / 1e4, true]
    if ((silent > 0 && quarter < DAYS * 96) || !mayHear(quarter)) continue
    const last = readings.at(-1) as { quarter: number; counter: number }
    // Distributed evenly; time in which a counter fell is unknown.
    const moved = counter - last.counter
    const isFall = fell && moved < 0
    for (let one = since; one < quarter; one++) energy[one] = isFall ? undefined : moved / (quarter - since)
    readings.push({ quarter, counter })
    ;[since, fell] = [quarter, false]
  }
  return { readings, energy }
}

const sumOf = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((sum, one) => sum + (one ?? 0), 0)

/** Consumption of each quarter by the script's arithmetic: unknown if import, export or generation is. */
const usedIn = (): (number | undefined)[] =>
  Array.from({ length: DAYS * 96 }, (_, i) => {
    const [bought, sold, made] = (['grid', 'grid.return', 'sun'] as const).map((one) => fed.get(one)?.[i])
    return bought === undefined || sold === undefined || made === undefined ? undefined : bought + made - sold
  })

const ask = async (path: string, body: object = {}) => {
  const { status, results } = await root.post(path, { HomeID: site.HomeID, ...body })
  if (status.code !== 0) throw new Error(`${path}: ${JSON.stringify(status)}`)
  return results
}
const range = (Resolution: string) => ({ From: begin, To: begin + DAYS * 96 * QUARTER_MS, Resolution })
const balance = (Resolution: string) => ask('/GetEnergyBalance', range(Resolution))
const role = (MeterID: string, Value: string, From: string | null = null) =>
  root.post('/SetMeterFact', { HomeID: site.HomeID, MeterID, Fact: 'role', Value, From })

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  site = await addSite(root, 'Home')
  const { HomeID, ThingName, zone } = site
  begin = startOfDay(dayOf(world.clock.now(), zone) - DAYS, zone)
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['grid', 'sun', 'chiller'] })
  const noon = (quarter: number) => Math.max(0, Math.sin(((quarter % 96) / 96) * 2 * Math.PI - Math.PI / 2))
  const grid = counterOf(1, () => 4)
  const heard = new Set(grid.readings.map(({ quarter }) => quarter))
  const counters = {
    grid,
    // A reading always has the first register, and the second one if it is known.
    'grid.return': counterOf(
      2,
      (quarter) => 3 * noon(quarter),
      (quarter) => heard.has(quarter),
    ),
    sun: counterOf(3, (quarter) => 6 * noon(quarter)),
    chiller: counterOf(4, () => 2),
  }
  for (const name of REGISTERS) fed.set(name, counters[name].energy)
  const random = seeded(9)
  const returned = new Map(counters['grid.return'].readings.map((one) => [one.quarter, one.counter]))
  const readings = (['grid', 'sun', 'chiller'] as const).flatMap((uid) =>
    counters[uid].readings.map(({ quarter, counter }) => ({
      PeripheralUID: uid,
      Timestamp: begin + quarter * QUARTER_MS,
      AccumulatePower: counter,
      ...(uid === 'grid' && returned.has(quarter) && { AccumulateReturn: returned.get(quarter) }),
    })),
  )
  const shuffled = readings
    .map((reading) => ({ reading, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ reading }) => reading)
  const client = { party: 'hub' as const, tenant: root.tenant, homeId: HomeID, thingName: ThingName }
  for (let from = 0; from < shuffled.length; from += 100)
    await (world.broker as QuietBroker).hooks?.receive({
      topic: '',
      match: { name: 'meterReport', values: { rootId: root.tenant, homeId: HomeID } },
      payload: encode({ ThingName, Readings: shuffled.slice(from, from + 100) }),
      client,
      retain: false,
    })
})
afterAll(() => world.close())

describe('a site without roles', () => {
  it('has no balance, and uses what its loads counted', async () => {
    const { HasBalance, Points, SelfConsumption, SelfSufficiency } = await balance('day')
    expect([HasBalance, SelfConsumption, SelfSufficiency]).toEqual([false, null, null])
    const [home] = (await ask('/GetEnergySeries', range('day'))).Series as EnergySeries[]
    expect(Points.map((one: BalancePoint) => one.Consumption)).toEqual(home?.Points.map(({ kWh }) => kWh))
    expect(Points.map((one: BalancePoint) => one.Import)).toEqual(home?.Points.map(({ kWh }) => kWh))
    expect(Points.every((one: BalancePoint) => one.Export === null && one.Generation === null)).toBe(true)
  })

  it('ignores a second register without a role', async () => {
    const lines = (await ask('/GetEnergySeries', { ...range('day'), By: 'meter' })).Series as EnergySeries[]
    expect(lines.map(({ Key }) => Key)).toEqual(['chiller', 'grid', 'sun'])
    const own = (await ask('/GetEnergySeries', { ...range('month'), PeripheralUIDs: ['grid.return'] }))
      .Series as EnergySeries[]
    expect(own[0]?.Points[0]?.kWh ?? 0).toBeGreaterThan(0)
  })

  it('shows a second register by its id in load profiles, histories and peaks', async () => {
    const { From, To } = range('day')
    const profile = await ask('/GetLoadProfile', { From, To, Shape: 'week', PeripheralUIDs: ['grid.return'] })
    expect(profile.Summary.PeakKw).toBeGreaterThan(1)
    const Quantities = [
      { PeripheralUID: 'grid.return', Field: 'AccumulatePower' },
      { PeripheralUID: 'grid', Field: 'AccumulateReturn' },
    ]
    const [byRegister, byDevice] = await ask('/GetHistorySeries', { Quantities, From, To })
    expect(byRegister.Values.length).toBeGreaterThan(0)
    expect(byRegister).toEqual({ ...byDevice, ...Quantities[0] })
    await role('grid.return', 'load')
    const { Peaks } = await ask('/GetDemand')
    const names = Peaks.flatMap(({ Meters }: { Meters: { PeripheralUID: string }[] }) =>
      Meters.map(({ PeripheralUID }) => PeripheralUID),
    )
    expect(names).toContain('grid.return')
    await ask('/DeleteMeterFact', { MeterID: 'grid.return', Fact: 'role', From: null })
  })
})

describe('a site with import, export and generation', () => {
  let before: unknown
  beforeAll(async () => {
    await ask('/UpdateHomeTariff', { Tariffs: [homeTariff({ FeedIn: 2 })] })
    before = await ask('/GetEnergySeries', { ...range('hour'), By: 'meter' })
    for (const [MeterID, value] of [
      ['grid', 'gridImport'],
      ['grid.return', 'gridExport'],
      ['sun', 'generation'],
    ] as const)
      if ((await role(MeterID, value)).status.code !== 0) throw new Error(`No role ${value}`)
  })

  it.each(['quarter', 'hour', 'day', 'month'])(
    'matches the sums of its counters by the %s',
    async (Resolution) => {
      const { Points, HasBalance } = (await balance(Resolution)) as {
        Points: BalancePoint[]
        HasBalance: boolean
      }
      expect(HasBalance).toBe(true)
      const total = (of: (point: BalancePoint) => number | null) => sumOf(Points.map((one) => of(one) ?? 0))
      expect(Math.abs(total((one) => one.Import) - sumOf(fed.get('grid') ?? []))).toBeLessThan(1e-6)
      expect(Math.abs(total((one) => one.Export) - sumOf(fed.get('grid.return') ?? []))).toBeLessThan(1e-6)
      expect(Math.abs(total((one) => one.Generation) - sumOf(fed.get('sun') ?? []))).toBeLessThan(1e-6)
      expect(Math.abs(total((one) => one.Consumption) - sumOf(usedIn()))).toBeLessThan(1e-6)
      const sold = usedIn().map((kWh) => Math.max(0, -(kWh ?? 0)))
      expect(total((one) => one.Unexplained)).toBeCloseTo(sumOf(sold), 6)
    },
  )

  it('is unknown for a quarter with an unknown term', async () => {
    const { Points } = (await balance('quarter')) as { Points: BalancePoint[] }
    const used = usedIn()
    expect(used.filter((kWh) => kWh === undefined).length).toBeGreaterThan(0)
    const wrong = used.filter((kWh, i) => {
      const told = Points[i]?.Consumption ?? null
      return kWh === undefined || told === null
        ? (kWh === undefined) !== (told === null)
        : Math.abs(told - kWh) >= 1e-6
    })
    expect(wrong).toEqual([])
  })

  it('shows where the energy of each source went', async () => {
    const { Flows, Points, SelfConsumption, SelfSufficiency, PassThrough } = await balance('day')
    const cells = new Map(
      (Flows as { From: string; To: string; kWh: number }[]).map(({ From, To, kWh }) => [
        `${From} ${To}`,
        kWh,
      ]),
    )
    const known = usedIn()
    const ofKnown = (name: Register) =>
      sumOf((fed.get(name) ?? []).map((kWh, i) => (known[i] === undefined ? 0 : kWh)))
    const row = (From: string) =>
      sumOf([...cells].map(([key, kWh]) => (key.startsWith(`${From} `) ? kWh : 0)))
    expect(row('generation')).toBeCloseTo(ofKnown('sun'), 6)
    expect(row('import')).toBeCloseTo(ofKnown('grid'), 6)
    const unexplained = sumOf((Points as BalancePoint[]).map((one) => one.Unexplained ?? 0))
    const sold = sumOf([...cells].map(([key, kWh]) => (key.endsWith(' export') ? kWh : 0)))
    expect(sold).toBeCloseTo(ofKnown('grid.return') - unexplained, 6)
    expect(PassThrough).toBeCloseTo(cells.get('import export') ?? NaN, 6)
    expect(SelfConsumption).toBeGreaterThan(0)
    expect(SelfConsumption).toBeLessThan(1)
    const used = sumOf((Points as BalancePoint[]).map((one) => one.Consumption ?? 0))
    expect(unexplained).toBeGreaterThan(0)
    expect(SelfSufficiency).toBeCloseTo((used - (cells.get('import consumption') ?? NaN)) / used, 9)
    expect(SelfSufficiency).toBeGreaterThan(0)
    expect(SelfSufficiency).toBeLessThan(1)
  })

  it('returns each flow as a series, and divides only what it used', async () => {
    const flow = async (Flow: string) =>
      ((await ask('/GetEnergySeries', { ...range('day'), Flow })).Series as EnergySeries[])[0]
    expect(sumOf((await flow('generation'))?.Points.map(({ kWh }) => kWh ?? 0) ?? [])).toBeCloseTo(
      sumOf(fed.get('sun') ?? []),
      6,
    )
    expect((await flow('export'))?.Points[0]).toMatchObject({ Cost: null, CarbonKg: null })
    const { status } = await root.post('/GetEnergySeries', {
      HomeID: site.HomeID,
      ...range('day'),
      By: 'meter',
      Flow: 'export',
    })
    expect(status.fields).toEqual({ Flow: 'invalid' })
  })

  it.each(['quarter', 'day', 'month'])(
    'has sources by the %s that add up to what it used',
    async (Resolution) => {
      const [home] = (await ask('/GetEnergySeries', range(Resolution))).Series as EnergySeries[]
      const by = (await ask('/GetEnergySeries', { ...range(Resolution), By: 'source' }))
        .Series as EnergySeries[]
      const { Points } = (await balance(Resolution)) as { Points: BalancePoint[] }
      expect(by.map(({ Key }) => Key)).toEqual(['generation', 'import'])
      const total = (field: 'kWh' | 'Cost' | 'CarbonKg', i: number) =>
        sumOf(by.map((line) => line.Points[i]?.[field] ?? 0))
      const wrong = (home as EnergySeries).Points.filter(({ kWh, Cost, CarbonKg, Coverage }, i) => {
        if (kWh === null) return by.some((line) => line.Points[i]?.kWh !== null)
        const used = kWh + (Points[i]?.Unexplained ?? 0)
        return (
          Math.abs(total('kWh', i) - used) > 1e-6 ||
          Math.abs(total('Cost', i) - (Cost ?? 0)) > 1e-6 ||
          Math.abs(total('CarbonKg', i) - (CarbonKg ?? 0)) > 1e-6 ||
          by[0]?.Points[i]?.Coverage.Missing !== Coverage.Missing
        )
      })
      expect(wrong).toEqual([])
    },
  )

  it('has no sources for a subset of its meters', async () => {
    const { status } = await root.post('/GetEnergySeries', {
      HomeID: site.HomeID,
      ...range('day'),
      By: 'source',
      PeripheralUIDs: ['chiller'],
    })
    expect(status.fields).toEqual({ PeripheralUIDs: 'invalid' })
  })

  it('is compared with the days before, whole or divided, and with last year if no week before is known', async () => {
    const [first, second] = [begin, begin + 96 * QUARTER_MS]
    const day = (From: number, more: object = {}) =>
      ask('/GetEnergySeries', { From, To: From + 96 * QUARTER_MS, Resolution: 'hour', ...more })
    for (const By of ['home', 'meter', 'source']) {
      const { Series, Compared } = await day(second, { By, Compare: true })
      expect(Series).toEqual((await day(second, { By })).Series)
      const before = (await day(first, { By })).Series
      expect(Compared).toEqual({ With: 'previous', From: first, To: second, Series: before })
      for (const Compare of ['lastYear', 'lastYearWeekday'])
        expect((await day(second, { By, Compare })).Compared.With).toBe(Compare)
    }
    expect((await day(second)).Compared).toBeUndefined()
    const { From, To } = (await day(first, { Compare: 'lastYear' })).Compared
    expect([dateOf(From), To - From]).toEqual([
      `${Number(dateOf(first).slice(0, 4)) - 1}${dateOf(first).slice(4)}`,
      96 * QUARTER_MS,
    ])
  })

  it.each(['meter', 'room', 'use', 'category'])('adds up by %s to what it used and paid', async (By) => {
    for (const Resolution of ['quarter', 'day', 'month']) {
      const [home] = (await ask('/GetEnergySeries', range(Resolution))).Series as EnergySeries[]
      const lines = (await ask('/GetEnergySeries', { ...range(Resolution), By })).Series as EnergySeries[]
      expect(lines.map(({ Key }) => Key)).toContain('untracked')
      for (const [i, point] of (home as EnergySeries).Points.entries())
        for (const field of ['kWh', 'Cost', 'CarbonKg'] as const) {
          if (point[field] === null) continue
          const sum = sumOf(lines.map(({ Points }) => Points[i]?.[field] ?? 0))
          expect(Math.abs(sum - (point[field] ?? NaN)), `${By} ${Resolution} ${i} ${field}`).toBeLessThan(
            1e-5,
          )
        }
    }
  })

  it('excludes meters of the balance from rankings', async () => {
    const lines = (await ask('/GetEnergySeries', { ...range('day'), By: 'meter' })).Series as EnergySeries[]
    expect(lines.map(({ Key }) => Key)).toEqual(['chiller', 'untracked'])
  })

  it('is billed for what it bought, and credited for what it sold', async () => {
    const Date = new globalThis.Date(begin + 12 * 3_600_000).toISOString().slice(0, 10)
    const bill = await ask('/GetBill', { Date })
    const ofMonth = (name: Register) =>
      sumOf(
        (fed.get(name) ?? []).map((kWh, i) =>
          bill.From <= dateOf(begin + i * QUARTER_MS) && dateOf(begin + i * QUARTER_MS) <= bill.Through
            ? kWh
            : 0,
        ),
      )
    expect(bill.kWh).toBeCloseTo(ofMonth('grid'), 6)
    const credit = bill.Lines.find(({ Item }: { Item: string }) => Item === 'feedIn')
    expect(credit.Quantity).toBeCloseTo(ofMonth('grid.return'), 1)
    expect(credit.Amount).toBeCloseTo(-credit.Quantity * 2, 2)
    const sum = bill.Lines.reduce((all: number, { Amount }: { Amount: number }) => all + Amount, 0)
    expect(bill.Total).toBeCloseTo(sum, 2)
    expect(bill.Sold).toBeNull()
  })

  it('shows the load profile of what it used', async () => {
    const { Summary } = await ask('/GetLoadProfile', {
      From: begin,
      To: begin + DAYS * 96 * QUARTER_MS,
      Shape: 'week',
    })
    expect(Summary.MeanKw * Summary.KnownHours).toBeCloseTo(sumOf(usedIn()), 4)
  })

  it('rejects a meter below another with an incompatible role', async () => {
    const place = (PeripheralUID: string, ParentMeter: string | null) =>
      root.post('/UpdatePeripheralAdvanceInfo', { HomeID: site.HomeID, PeripheralUID, ParentMeter })
    expect((await place('chiller', 'sun')).status.fields).toEqual({ ParentMeter: 'role' })
    expect((await place('chiller', 'grid')).status.code).toBe(0)
    expect((await role('chiller', 'storageCharge')).status.fields).toEqual({ ParentMeter: 'role' })
    expect((await place('chiller', null)).status.code).toBe(0)
  })

  it('sells all energy of a plant outside its bill', async () => {
    expect((await role('sun', 'soldGeneration')).status.code).toBe(0)
    const { Points } = (await balance('day')) as { Points: BalancePoint[] }
    expect(sumOf(Points.map((one) => one.Sold ?? 0))).toBeCloseTo(sumOf(fed.get('sun') ?? []), 6)
    expect(Points.every((one) => one.Generation === null)).toBe(true)
    const bill = await ask('/GetBill', { Date: dateOf(begin) })
    expect(bill.Sold.Income).toBeCloseTo(Math.round(bill.Sold.kWh * 100) / 50, 2)
    expect((await role('sun', 'generation')).status.code).toBe(0)
  })

  it('estimates what it bought if no meter measures it', async () => {
    expect((await role('grid', 'check')).status.code).toBe(0)
    expect((await role('grid.return', 'check')).status.code).toBe(0)
    const { Points, IsImportMeasured } = (await balance('quarter')) as {
      Points: BalancePoint[]
      IsImportMeasured: boolean
    }
    expect(IsImportMeasured).toBe(false)
    const [used, made] = [fed.get('chiller') ?? [], fed.get('sun') ?? []]
    const wrong = Points.filter(({ Import }, i) => {
      const [load, plant] = [used[i], made[i]]
      const isKnown = load !== undefined && plant !== undefined
      return isKnown && !(Math.abs((Import ?? NaN) - Math.max(0, load - plant)) < 1e-6)
    })
    expect(wrong).toEqual([])
    const { Plans, Current } = await ask('/CompareTariff', { Months: 12 })
    const reasons = new Set([Current, ...Plans].map(({ Refused }: PlanBills) => Refused?.Reason))
    // Plans with variable peak hours also lack the announced days.
    expect([...reasons]).toEqual(['importMeter', 'peakDays'])
    expect((await role('grid', 'gridImport')).status.code).toBe(0)
    expect((await role('grid.return', 'gridExport')).status.code).toBe(0)
  })

  it('returns the former answers exactly after its roles are removed', async () => {
    for (const MeterID of ['grid', 'grid.return', 'sun', 'chiller'])
      await root.post('/DeleteMeterFact', { HomeID: site.HomeID, MeterID, Fact: 'role', From: null })
    expect(await ask('/GetEnergySeries', { ...range('hour'), By: 'meter' })).toEqual(before)
    expect((await balance('day')).HasBalance).toBe(false)
  })

  it('has a role from a day on, and another before', async () => {
    const day = dateOf(begin + 96 * QUARTER_MS)
    const [whole] = (await ask('/GetEnergySeries', range('day'))).Series as EnergySeries[]
    expect((await role('sun', 'generation', day)).status.code).toBe(0)
    expect((await role('grid', 'gridImport', day)).status.code).toBe(0)
    const [since] = (await ask('/GetEnergySeries', range('day'))).Series as EnergySeries[]
    expect(since?.Points[0]?.kWh).toBe(whole?.Points[0]?.kWh)
    const { Points } = (await balance('day')) as { Points: BalancePoint[] }
    expect(Points[0]?.Generation).toBeNull()
    expect(Points[1]?.Generation).toBeCloseTo(sumOf((fed.get('sun') ?? []).slice(96, 192)), 6)
  })
})

const dateOf = (at: number): string => new globalThis.Date(at + 8 * 3_600_000).toISOString().slice(0, 10)
