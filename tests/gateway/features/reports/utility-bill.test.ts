import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import { holdClock } from '../../../support/clock.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { addMeter, addSite, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

const NOW = Date.parse('2026-06-11T02:07:00Z')
const zone = 'Asia/Taipei'
const at = (date: string) => startOfDay(parseDay(date), zone)

let world: World
let root: Caller
let HomeID: string
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
  const site = await addSite(root, 'plant')
  HomeID = site.HomeID
  const meter = await addMeter(world, root, site, 'main')
  // 10 kW all the time.
  await storeEnergy(world, site, meter, [at('2025-12-01'), at('2026-06-11')], () => 2.5)
  await ask('/UpdateHomeTariff', {
    HomeID,
    Tariffs: [homeTariff({ Capacities: { regular: 12 }, PowerFactor: 90 })],
  })
})
afterAll(() => world.close())

const ask = async (path: string, input: object) => {
  const { status, results } = await root.post(path, input)
  expect(status).toMatchObject({ code: 0 })
  return results
}
const bill = (From: string, Through: string, changes: object = {}) => ({
  HomeID,
  SupplyNo: '07-12-3456-78-9',
  From,
  Through,
  kWh: { peak: 100 },
  Total: 1_000,
  ...changes,
})
const refused = async (input: object) => (await root.post('/CreateUtilityBill', input)).status
const cents = (value: number) => Math.round(value * 100)

describe('a utility bill', () => {
  it('is stored with the digits of its supply number, changed and deleted', async () => {
    const made = await ask('/CreateUtilityBill', bill('2025-12-01', '2025-12-31'))
    expect(made).toMatchObject({
      SupplyNo: '07123456789',
      PeakKw: {},
      PowerFactor: null,
      Capacities: null,
      Version: 1,
    })
    const key = { HomeID, UtilityBillID: made.UtilityBillID }
    expect(await ask('/UpdateUtilityBill', { ...key, Total: 1_234.5, Version: 1 })).toMatchObject({
      Total: 1_234.5,
      Version: 2,
    })
    expect((await root.post('/UpdateUtilityBill', { ...key, Total: 1, Version: 1 })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
    })
    expect(await ask('/ListUtilityBill', { HomeID })).toMatchObject([{ Total: 1_234.5 }])
    await ask('/DeleteUtilityBill', key)
    expect(await ask('/ListUtilityBill', { HomeID })).toEqual([])
  })

  it('is rejected if it overlaps another bill of the same supply, and accepted for another one', async () => {
    const made = await ask('/CreateUtilityBill', bill('2026-01-01', '2026-01-31'))
    expect(await refused(bill('2026-01-31', '2026-02-28'))).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { From: 'overlap' },
    })
    expect(await refused(bill('2026-02-28', '2026-02-01'))).toMatchObject({
      fields: { Through: 'dateOrder' },
    })
    expect(await refused(bill('2026-02-01', '2026-02-28', { SupplyNo: '0712345678' }))).toMatchObject({
      fields: { SupplyNo: 'invalid' },
    })
    expect(await refused(bill('2026-02-01', '2026-02-28', { kWh: {} }))).toMatchObject({
      fields: { kWh: 'required' },
    })
    const other = await ask(
      '/CreateUtilityBill',
      bill('2026-01-10', '2026-01-20', { SupplyNo: '07123456780' }),
    )
    const compared = await ask('/CompareUtilityBill', { HomeID, UtilityBillID: made.UtilityBillID })
    expect(compared).toMatchObject({ Refused: 'severalSupplies', Steps: [], MeterFactor: null })
    for (const { UtilityBillID } of [made, other]) await ask('/DeleteUtilityBill', { HomeID, UtilityBillID })
  })

  it('is compared with the computed bill step by step, to the cent', async () => {
    const ours = await ask('/GetBill', { HomeID, Date: '2026-03-15' })
    const { UtilityBillID } = await ask(
      '/CreateUtilityBill',
      bill('2026-03-03', '2026-04-01', {
        kWh: { peak: 3_000, offPeak: 4_300 },
        PeakKw: { peak: 13 },
        PowerFactor: 95,
        Capacities: { regular: 11 },
        Total: 33_333.33,
      }),
    )
    const compared = await ask('/CompareUtilityBill', { HomeID, UtilityBillID })
    expect(compared).toMatchObject({
      Refused: null,
      Ours: { From: '2026-03-01', Through: '2026-03-31', Total: ours.Total, Known: 1 },
      Counted: { From: '2026-03-03', Through: '2026-04-01', kWh: 30 * 240, Known: 1 },
      PowerFactor: { Ours: 90, Bill: 95 },
    })
    const steps: { Step: string; Amount: number }[] = compared.Steps
    expect(steps.map(({ Step }) => Step)).toEqual([
      'days',
      'kWh',
      'peaks',
      'powerFactor',
      'agreement',
      'rest',
    ])
    expect(steps.reduce((sum, { Amount }) => sum + cents(Amount), cents(ours.Total))).toBe(cents(33_333.33))
    // Demand was 13 kW above a contract of 12.
    expect(steps[2]?.Amount).toBeGreaterThan(0)
    expect(steps[3]?.Amount).toBeLessThan(0)
    expect(compared.Bands.find(({ Band }: { Band: string }) => Band === 'peak')).toMatchObject({
      BillKwh: 3_000,
      OursKw: 10,
      BillKw: 13,
    })
    await ask('/DeleteUtilityBill', { HomeID, UtilityBillID })
  })

  it('of future days or days without a price is not compared', async () => {
    const running = await ask('/CreateUtilityBill', bill('2026-06-01', '2026-06-30'))
    const early = await ask('/CreateUtilityBill', bill('2024-06-01', '2024-06-30'))
    const refusalOf = async ({ UtilityBillID }: { UtilityBillID: string }) =>
      (await ask('/CompareUtilityBill', { HomeID, UtilityBillID })).Refused
    expect(await refusalOf(running)).toBe('notOver')
    expect(await refusalOf(early)).toBe('noTariff')
    for (const { UtilityBillID } of [running, early])
      await ask('/DeleteUtilityBill', { HomeID, UtilityBillID })
  })

  it('with kWh that are a steady multiple of the measured ones proposes a meter factor', async () => {
    const factors = []
    for (const [From, Through, days] of [
      ['2026-03-01', '2026-03-31', 31],
      ['2026-04-01', '2026-04-30', 30],
      ['2026-05-01', '2026-05-31', 31],
    ] as const) {
      const UtilityBillID = (
        await ask('/CreateUtilityBill', bill(From, Through, { kWh: { peak: days * 240 * 1.25 } }))
      ).UtilityBillID
      factors.push((await ask('/CompareUtilityBill', { HomeID, UtilityBillID })).MeterFactor)
    }
    expect(factors).toEqual([null, null, { Ratio: expect.closeTo(1.25, 6), Bills: 3 }])
  })
})
