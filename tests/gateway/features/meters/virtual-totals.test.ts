import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'
import { parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import { rollUpHomes } from '../../../../gateway/features/energy/rollup/roll-up-home.ts'
import { silentLog } from '../../../support/postgres.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { addMeter, addSite, type Site, storeEnergy, storeReadings } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let site: Site
let office: number
let count = 0
const ids = new Map<string, number>()
/** Virtual meter of the common areas: the main meter minus the tenant's below it. */
let common: string
const at = (date: string) => startOfDay(parseDay(date), 'Asia/Taipei')
const KWH = { main: 5, tenant: 2, sun: 1 }

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())
beforeEach(async () => {
  site = await addSite(root, `Totals ${(count += 1)}`)
  office = (await root.post('/CreateRoom', { HomeID: site.HomeID, RoomName: 'Office' })).results.RoomID
  for (const [name, kwh] of Object.entries(KWH)) {
    const meter = await addMeter(
      world,
      root,
      site,
      uid(name),
      name === 'tenant' ? { parent: uid('main') } : {},
    )
    ids.set(name, meter)
    await storeEnergy(world, site, meter, [at('2025-12-01'), at('2026-01-05')], () => kwh)
  }
  await set(uid('sun'), 'role', 'check')
  common = await sum('Common', [uid('main'), 1], [uid('tenant'), -1])
})

const uid = (name: string) => `${name}-${count}`
async function sum(VirtualMeterName: string, ...terms: [string, number][]): Promise<string> {
  const Terms = terms.map(([PeripheralUID, Factor]) => ({ PeripheralUID, Factor }))
  return (await root.post('/CreateVirtualMeter', { HomeID: site.HomeID, VirtualMeterName, Terms })).results
    .VirtualMeterID
}
const set = (MeterID: string, Fact: string, Value: unknown, From: string | null = null) =>
  root.post('/SetMeterFact', { HomeID: site.HomeID, MeterID, Fact, Value, From })
async function series(By: string, from: string, to: string, Resolution = 'day'): Promise<EnergySeries[]> {
  const range = { HomeID: site.HomeID, From: at(from), To: at(to), Resolution }
  const { status, results } = await root.post('/GetEnergySeries', { ...range, By })
  if (status.code !== 0) throw new Error(JSON.stringify(status))
  return results.Series
}
/** kWh of each line in a quarter of an hour, as a mean of some days. */
async function lines(By: string, from: string, to: string, Resolution?: string) {
  const quarters = (parseDay(to) - parseDay(from)) * 96
  return Object.fromEntries(
    (await series(By, from, to, Resolution)).map(({ Key, Points }) => [
      Key ?? '',
      Math.round((Points.reduce((all, { kWh }) => all + (kWh ?? 0), 0) / quarters) * 1e6) / 1e6,
    ]),
  )
}

describe('a virtual meter with a role', () => {
  it('divides the total that it is part of, in its room, without changing the total', async () => {
    const before = await series('home', '2025-12-01', '2026-01-01', 'month')
    expect(await lines('meter', '2025-12-10', '2025-12-12')).toEqual({ [uid('tenant')]: 2, untracked: 3 })
    await set(common, 'parent', uid('main'))
    await set(common, 'room', office)
    expect((await set(common, 'role', 'load')).status).toEqual({ code: 0 })
    expect(await lines('meter', '2025-12-10', '2025-12-12')).toMatchObject({
      [uid('tenant')]: 2,
      [common]: 3,
    })
    expect(await lines('room', '2025-12-10', '2025-12-12')).toMatchObject({ 0: 2, [office]: 3 })
    expect(await series('home', '2025-12-01', '2026-01-01', 'month')).toEqual(before)
  })

  it('applies from its day on: earlier answers stay the same, by hour and by month', async () => {
    const before = await series('meter', '2025-12-01', '2025-12-20', 'hour')
    await set(common, 'parent', uid('main'))
    await set(common, 'role', 'load', '2025-12-20')
    expect(await series('meter', '2025-12-01', '2025-12-20', 'hour')).toEqual(before)
    const [hours, days, months] = await Promise.all(
      ['hour', 'day', 'month'].map((of) => lines('meter', '2025-12-01', '2026-01-01', of)),
    )
    expect(days).toEqual(hours)
    expect(months).toEqual(hours)
    expect(days?.[common]).toBeCloseTo((3 * 12) / 31, 5)
  })

  it('is what a home buys if its meters have no import role; bills and balance agree', async () => {
    await set(uid('tenant'), 'parent', null)
    expect((await set(uid('main'), 'role', 'check')).status).toEqual({ code: 0 })
    const supply = await sum('Supply', [uid('main'), 1], [uid('sun'), 1])
    expect((await set(supply, 'role', 'gridImport')).status).toEqual({ code: 0 })
    expect((await set(uid('tenant'), 'parent', supply)).status).toEqual({ code: 0 })
    await rollUpHomes(world.db, silentLog, () => false)
    const { results } = await root.post('/GetEnergyBalance', {
      HomeID: site.HomeID,
      From: at('2025-12-01'),
      To: at('2026-01-01'),
      Resolution: 'month',
    })
    const bought = 6 * 96 * 31
    expect(results).toMatchObject({
      HasBalance: true,
      IsImportMeasured: true,
      Points: [{ Import: bought, Consumption: bought }],
    })
    expect(await lines('meter', '2025-12-10', '2025-12-12')).toEqual({ [uid('tenant')]: 2, untracked: 4 })
    expect(await lines('home', '2025-12-10', '2025-12-12')).toEqual({ '': 6 })
  })

  it('for import is used by bill, demand and the comparison with the utility bill', async () => {
    const ask = async (path: string, input: object = {}) => {
      const { status, results } = await root.post(path, { HomeID: site.HomeID, ...input })
      expect(status).toEqual({ code: 0 })
      return results
    }
    // The tenant has a supply of its own: two virtual meters measure the imports, and no energy is counted twice.
    await set(uid('tenant'), 'parent', null)
    await set(uid('main'), 'role', 'check')
    const own = await sum('Own', [uid('main'), 1], [uid('tenant'), -1])
    const both = await sum('Both', [uid('tenant'), 1], [uid('sun'), 1])
    await set(uid('tenant'), 'role', 'check')
    for (const supply of [both, own])
      expect((await set(supply, 'role', 'gridImport')).status).toEqual({ code: 0 })
    await ask('/UpdateHomeTariff', { Tariffs: [homeTariff()] })
    await rollUpHomes(world.db, silentLog, () => false)
    // The main meter and the plant, 6 kWh a quarter; the tenant is added in one and subtracted in the other.
    const bought = 6 * 96 * 31
    expect((await ask('/GetBill', { Date: '2025-12-15' })).kWh).toBeCloseTo(bought, 6)
    const [first, later] = [world.clock.now() - 15 * 60_000, world.clock.now()]
    for (const [name, moved] of [
      ['main', 1.5],
      ['sun', 0.5],
      ['tenant', 1],
    ] as const)
      await storeReadings(world, ids.get(name) as number, [
        [first, 100],
        [later, 100 + moved],
      ])
    const demand = await ask('/GetDemand', { Month: '2025-12' })
    expect(demand.Rolling).toBeCloseTo(8, 6)
    expect(demand.Peaks[0]).toMatchObject({ kW: expect.closeTo(24, 6) })
    const { UtilityBillID } = await ask('/CreateUtilityBill', {
      SupplyNo: '07123456789',
      From: '2025-12-01',
      Through: '2025-12-31',
      kWh: { peak: bought / 2, offPeak: bought / 2 },
      PeakKw: { peak: 24 },
      Total: 80_000,
    })
    const compared = await ask('/CompareUtilityBill', { UtilityBillID })
    expect(compared).toMatchObject({ Refused: null, Counted: { Known: 1 } })
    expect(compared.Counted.kWh).toBeCloseTo(bought, 6)
    expect(compared.Bands.map(({ OursKw }: { OursKw: number }) => Math.round(OursKw * 1e6) / 1e6)).toContain(
      24,
    )
  })

  it('is rejected on days on which a meter would count twice, or be subtracted from an unrelated total', async () => {
    expect((await set(common, 'role', 'load', '2025-12-20')).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: {
        [`Terms.${uid('main')}.2025-12-20/`]: 'countedTwice',
        [`Terms.${uid('tenant')}.2025-12-20/`]: 'takenAway',
      },
    })
    await set(common, 'parent', uid('main'))
    await set(common, 'role', 'load', '2025-12-20')
    const twice = { [`Terms.${uid('sun')}.2025-12-24/`]: 'countedTwice' }
    await set(uid('sun'), 'role', 'load', '2025-12-24')
    const terms = [uid('main'), uid('sun')].map((PeripheralUID) => ({ PeripheralUID, Factor: 1 }))
    expect((await set(common, 'terms', terms, '2025-12-24')).status.fields).toMatchObject(twice)
  })

  it('can be above its own meters, and prevents moving a device to where it would count twice', async () => {
    const both = await sum('Both', [uid('tenant'), 1], [uid('sun'), 1])
    const say = (...Facts: [string, string, unknown][]) =>
      root.post('/SetMeterFacts', {
        HomeID: site.HomeID,
        Facts: Facts.map(([MeterID, Fact, Value]) => ({ MeterID, Fact, Value, From: null })),
      })
    const alone = await say([both, 'role', 'load'])
    expect(alone.status.fields).toEqual({ [`Terms.${uid('tenant')}./`]: 'countedTwice' })
    expect((await set(uid('tenant'), 'parent', both)).status.fields).toEqual({ ParentMeter: 'role' })
    const said = await say(
      [both, 'role', 'load'],
      [both, 'parent', uid('main')],
      [uid('tenant'), 'parent', both],
    )
    expect(said.status).toEqual({ code: 0 })
    expect(said.results).toHaveLength(3)
    expect(await lines('meter', '2025-12-10', '2025-12-12')).toEqual({ [uid('tenant')]: 2, untracked: 3 })
    const moved = await root.post('/UpdatePeripheralAdvanceInfo', {
      HomeID: site.HomeID,
      PeripheralUID: uid('tenant'),
      ParentMeter: uid('main'),
    })
    expect(moved.status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { [`Terms.${uid('tenant')}.2026-01-05/`]: 'countedTwice' },
    })
    // A call that is rejected in part stores nothing.
    const half = await say([uid('sun'), 'room', office], ['nobody', 'room', office])
    expect(half.status.fields).toEqual({ 'Facts.1.MeterID': 'notFound' })
    const facts = await root.post('/ListMeterFact', { HomeID: site.HomeID, MeterID: uid('sun') })
    expect(facts.results.map(({ Fact }: { Fact: string }) => Fact)).toEqual(['role'])
  })

  it('has no limit of its own, and no second register', async () => {
    expect((await set(common, 'limit', 50)).status.fields).toEqual({ Fact: 'invalid' })
    expect((await set(uid('main'), 'counts', 'net')).status).toMatchObject({ code: ERRORS.INVALID.code })
    expect(
      (await set(uid('main'), 'terms', [{ PeripheralUID: uid('sun'), Factor: 1 }])).status.fields,
    ).toEqual({
      Fact: 'invalid',
    })
  })

  it('cannot be deleted while it counts, but can when its role is removed', async () => {
    const key = { HomeID: site.HomeID, VirtualMeterID: common }
    await set(common, 'parent', uid('main'))
    await set(common, 'role', 'load')
    expect((await root.post('/DeleteVirtualMeter', key)).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { VirtualMeterID: 'counted' },
    })
    await root.post('/DeleteMeterFact', { HomeID: site.HomeID, MeterID: common, Fact: 'role', From: null })
    expect((await root.post('/DeleteVirtualMeter', key)).status).toEqual({ code: 0 })
  })
})

describe('the terms of a virtual meter', () => {
  const change = (Factor: number, more: object) =>
    root.post('/UpdateVirtualMeter', {
      HomeID: site.HomeID,
      VirtualMeterID: common,
      Terms: [
        { PeripheralUID: uid('main'), Factor: 1 },
        { PeripheralUID: uid('sun'), Factor },
      ],
      ...more,
    })
  const history = async () =>
    (await root.post('/ListMeterFact', { HomeID: site.HomeID, MeterID: common })).results
      .filter(({ Fact }: { Fact: string }) => Fact === 'terms')
      .map(({ From, Value }: { From: string | null; Value: { PeripheralUID: string; Factor: number }[] }) => [
        From,
        Value.map(
          ({ PeripheralUID, Factor }) => `${Factor > 0 ? '+' : '-'}${PeripheralUID.split('-')[0]}`,
        ).join(' '),
      ])

  it('change from a day on, and apply as before until then', async () => {
    expect((await change(1, { From: '2025-12-20' })).status).toEqual({ code: 0 })
    expect(await history()).toEqual([
      [null, '+main -tenant'],
      ['2025-12-20', '+main +sun'],
    ])
    // Without a day the call changes the present values.
    await change(-1, {})
    expect(await history()).toEqual([
      [null, '+main -tenant'],
      ['2025-12-20', '+main -sun'],
    ])
    await change(1, { From: null })
    expect(await history()).toEqual([[null, '+main +sun']])
  })

  it('are set together with its place, and then shown on its record', async () => {
    const [was] = (await root.post('/ListVirtualMeter', { HomeID: site.HomeID })).results
    const Terms = [
      { PeripheralUID: uid('main'), Factor: 1 },
      { PeripheralUID: uid('sun'), Factor: 1 },
    ]
    const { status } = await root.post('/SetMeterFacts', {
      HomeID: site.HomeID,
      Facts: [
        { MeterID: common, Fact: 'terms', Value: Terms, From: null },
        { MeterID: common, Fact: 'room', Value: office, From: null },
      ],
    })
    expect(status).toEqual({ code: 0 })
    expect(await history()).toEqual([[null, '+main +sun']])
    expect((await root.post('/ListVirtualMeter', { HomeID: site.HomeID })).results).toEqual([
      { ...was, Terms, Version: was.Version + 1 },
    ])
  })

  it('are those of today on the record, whichever day is changed', async () => {
    await change(1, { From: '2025-12-20' })
    const { results } = await change(-1, { From: '2025-12-10' })
    expect(results.Terms).toEqual([
      { PeripheralUID: uid('main'), Factor: 1 },
      { PeripheralUID: uid('sun'), Factor: 1 },
    ])
    expect((await change(1, { From: '2027-01-01' })).status.fields).toEqual({ From: 'future' })
  })
})
