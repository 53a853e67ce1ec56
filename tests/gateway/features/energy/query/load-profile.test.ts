import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDay, QUARTER_MS, startOfDay } from '../../../../../contract/time/periods.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../../support/clock.ts'
import { homeTariff } from '../../../../support/home-tariff.ts'
import { addMeter, addSite, type Site, storeEnergy } from '../../../../support/stored-energy.ts'
import { store } from '../rollup/meters.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(Date.parse('2026-07-15T02:07:00Z')) })
  root = await world.signUp()
})
afterAll(() => world.close())

const at = (date: string) => startOfDay(parseDay(date), 'Asia/Taipei')

/** Home with meters that counted 1 kWh in each interval of these days. */
async function home(name: string, meters: Record<string, [from: number, to: number]>): Promise<Site> {
  const site = await addSite(root, name)
  for (const [uid, range] of Object.entries(meters))
    await storeEnergy(world, site, await addMeter(world, root, site, `${name}-${uid}`), range, () => 1)
  await root.post('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs: [homeTariff()] })
  return site
}
async function remove({ HomeID }: Site, PeripheralUID: string, removedAt: number): Promise<void> {
  await root.post('/RemovePeripheral', { HomeID, PeripheralUID })
  await world.db.query(
    sql`update meters set removed_at = ${removedAt} where peripheral_uid = ${PeripheralUID}`,
  )
}
const bill = async ({ HomeID }: Site, Date: string) => {
  const { kWh, Known } = (await root.post('/GetBill', { HomeID, Date })).results
  return { kWh, Known }
}

describe('data completeness of a bill', () => {
  it('ignores a meter before its first reading and after its removal', async () => {
    const site = await home('Places', {
      stays: [at('2026-04-01'), at('2026-07-15')],
      goes: [at('2026-04-01'), at('2026-05-11')],
      comes: [at('2026-05-20'), at('2026-07-15')],
    })
    await remove(site, 'Places-goes', at('2026-05-11'))
    expect(await bill(site, '2026-04-15')).toEqual({ kWh: 60 * 96, Known: 1 })
    expect(await bill(site, '2026-05-15')).toEqual({ kWh: (31 + 10 + 12) * 96, Known: 1 })
    expect(await bill(site, '2026-06-15')).toEqual({ kWh: 60 * 96, Known: 1 })
    const { Periods } = (await root.post('/CompareTariff', { HomeID: site.HomeID, Months: 3 })).results
    expect(Periods.map(({ Known }: { Known: number }) => Known)).toEqual([1, 1, 1])
  })

  it('is empty for days without a meter in the home', async () => {
    const site = await home('Gap', {
      goes: [at('2026-05-01'), at('2026-05-11')],
      comes: [at('2026-05-20'), at('2026-07-15')],
    })
    await remove(site, 'Gap-goes', at('2026-05-11'))
    expect(await bill(site, '2026-05-15')).toEqual({ kWh: 22 * 96, Known: 22 / 31 })
    expect(await bill(site, '2026-04-15')).toEqual({ kWh: 0, Known: 0 })
  })

  it('excludes quarantined readings until a person decides', async () => {
    const site = await addSite(root, 'Quarantined')
    const meter = await addMeter(world, root, site, 'withheld')
    const glitch = at('2026-06-10') + 40 * QUARTER_MS
    await store(
      world.db,
      meter,
      Array.from({ length: 30 * 96 + 1 }, (_, i) => at('2026-06-01') + i * QUARTER_MS).map(
        (timestamp, i) => ({
          timestamp,
          kwh: timestamp === glitch ? 50 : 100 + i,
        }),
      ),
    )
    await root.post('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs: [homeTariff()] })
    expect(await bill(site, '2026-06-15')).toEqual({ kWh: 30 * 96, Known: (30 * 96 - 1) / (30 * 96) })
    await root.post('/DecideQuarantinedReading', {
      HomeID: site.HomeID,
      Decision: 'dropped',
      Readings: [{ PeripheralUID: 'withheld', Timestamp: glitch }],
    })
    expect(await bill(site, '2026-06-15')).toEqual({ kWh: 30 * 96, Known: 1 })
  })

  it('counts intervals on a day on which a meter moves up in the tree', async () => {
    const site = await home('Moves', {
      main: [at('2026-06-01'), at('2026-06-10') + 40 * QUARTER_MS],
      sub: [at('2026-06-01'), at('2026-07-01')],
    })
    await root.post('/SetMeterFact', {
      HomeID: site.HomeID,
      MeterID: 'Moves-sub',
      Fact: 'parent',
      Value: 'Moves-main',
      From: null,
    })
    await remove(site, 'Moves-main', at('2026-06-10') + 40 * QUARTER_MS)
    expect(await bill(site, '2026-06-15')).toEqual({ kWh: 30 * 96, Known: 1 })
  })
})
