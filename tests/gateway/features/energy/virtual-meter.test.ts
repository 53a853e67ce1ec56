import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'
import type { VirtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import { addMeter, addSite, type Site, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

const DAY = 86_400_000
const FROM = Date.UTC(2025, 11, 31, 16)

let world: World
let root: Caller
let site: Site
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  site = await addSite(root, 'A')
  for (const [uid, kwh] of [
    ['main', 5],
    ['tenant', 2],
    ['solar', 1],
  ] as const)
    await storeEnergy(world, site, await addMeter(world, root, site, uid), [FROM, FROM + DAY], () => kwh)
})
afterAll(() => world.close())

const term = (PeripheralUID: string, Factor = 1) => ({ PeripheralUID, Factor })
const create = (VirtualMeterName: string, Terms: object[], HomeID = site.HomeID) =>
  root.post('/CreateVirtualMeter', { HomeID, VirtualMeterName, Terms })
const make = async (name: string, terms: object[]): Promise<VirtualMeter> =>
  (await create(name, terms)).results
const energy = async (more: object): Promise<EnergySeries[]> =>
  (
    await root.post('/GetEnergySeries', {
      HomeID: site.HomeID,
      From: FROM,
      To: FROM + DAY,
      Resolution: 'day',
      ...more,
    })
  ).results.Series

describe('virtual meters', () => {
  it('reject an update with an outdated version', async () => {
    const { VirtualMeterID, Version } = (await create('Versions', [term('main')])).results
    const key = { HomeID: site.HomeID, VirtualMeterID }
    const save = (VirtualMeterName: string) =>
      root.post('/UpdateVirtualMeter', { ...key, VirtualMeterName, Version })
    expect((await save('First')).results).toMatchObject({ VirtualMeterName: 'First', Version: Version + 1 })
    expect((await save('Second')).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
    await root.post('/DeleteVirtualMeter', key)
  })

  it('are stored by home and published to its screens', async () => {
    const { results } = await create('Own use', [term('main'), term('tenant', -1)])
    expect(results).toMatchObject({ VirtualMeterName: 'Own use', Terms: [{ Factor: 1 }, { Factor: -1 }] })
    const { VirtualMeterID } = results
    const key = { HomeID: site.HomeID, VirtualMeterID }
    const renamed = (await root.post('/UpdateVirtualMeter', { ...key, VirtualMeterName: 'Ours' })).results
    expect((await root.post('/ListVirtualMeter', { HomeID: site.HomeID })).results).toEqual([renamed])
    expect((await root.post('/DeleteVirtualMeter', key)).results).toEqual(key)
    expect((await root.post('/DeleteVirtualMeter', key)).status.code).toBe(ERRORS.NOT_FOUND.code)
    const names = world.events.map(({ event }) => 'name' in event && event.name)
    for (const event of ['add', 'update', 'remove']) expect(names).toContain(`virtualMeter.${event}`)
  })

  it('add and subtract what their meters count, next to the home total and never in it', async () => {
    const { VirtualMeterID } = await make('Net', [term('main'), term('tenant', -1), term('solar', -1)])
    const PeripheralUIDs = [VirtualMeterID, 'solar']
    const series = await energy({ By: 'meter', PeripheralUIDs })
    expect(series.map(({ Key, Points }) => [Key, Points[0]?.kWh])).toEqual([
      [VirtualMeterID, 192],
      ['solar', 96],
    ])
    expect(series[0]?.Points[0]?.Coverage).toMatchObject({ Measured: 288, Missing: 0 })
    expect((await energy({}))[0]?.Points[0]?.kWh).toBe(768)
    expect((await energy({ By: 'meter' })).map(({ Key }) => Key)).not.toContain(VirtualMeterID)
    const body = { HomeID: site.HomeID, PeriodType: 2, Timestamp: FROM, PeripheralUIDs: [VirtualMeterID] }
    const [list] = (await root.post('/GetAggregationSummationData', body)).results.AggregationDataList
    expect(list).toMatchObject({ PeripheralUID: VirtualMeterID, AggregationData: { 0: { kWh: 192 } } })
  })

  it('keep the past of a removed meter', async () => {
    const { VirtualMeterID } = await make('Past', [term('main'), term('solar')])
    await root.post('/RemovePeripheral', { HomeID: site.HomeID, PeripheralUID: 'solar' })
    const [series] = await energy({ By: 'meter', PeripheralUIDs: [VirtualMeterID] })
    expect(series?.Points[0]?.kWh).toBe(576)
    expect((await create('Past too', [term('solar')])).status.code).toBe(0)
  })

  it('name each term that is not a meter of the home', async () => {
    const other = await addSite(root, 'B')
    expect((await create('X', [term('main'), term('nobody')])).status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { 'Terms.1.PeripheralUID': 'notFound' },
    })
    expect((await create('X', [term('main')], other.HomeID)).status.code).toBe(ERRORS.NOT_FOUND.code)
    const { VirtualMeterID } = await make('Y', [term('main')])
    const nested = await create('X', [term(VirtualMeterID)])
    expect(nested.status.code).toBe(ERRORS.NOT_FOUND.code)
    const foreign = { HomeID: other.HomeID, From: FROM, To: FROM + DAY, Resolution: 'day' }
    expect(
      (await root.post('/GetEnergySeries', { ...foreign, PeripheralUIDs: [VirtualMeterID] })).status.code,
    ).toBe(ERRORS.NOT_FOUND.code)
  })

  it('have one to fifty terms, each meter once, and a unique name', async () => {
    const invalid = ERRORS.INVALID.code
    expect((await create('X', [])).status).toMatchObject({ code: invalid, fields: { Terms: 'required' } })
    expect((await create('X', [term('main'), term('main', -1)])).status).toMatchObject({
      code: invalid,
      fields: { 'Terms.1.PeripheralUID': 'taken' },
    })
    const many = Array.from({ length: 51 }, (_, i) => term(`m${i}`))
    expect((await create('X', many)).status.code).toBe(invalid)
    expect((await create('X', [term('main', 2)])).status.code).toBe(invalid)
    await make('Twice', [term('main')])
    expect((await create('twice', [term('main')])).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { VirtualMeterName: 'taken' },
    })
  })

  it('of another company are not found', async () => {
    const { VirtualMeterID, HomeID } = await make('Theirs', [term('main')])
    const stranger = await world.signUp()
    for (const [path, more] of [
      ['/ListVirtualMeter', {}],
      ['/UpdateVirtualMeter', { VirtualMeterID }],
      ['/DeleteVirtualMeter', { VirtualMeterID }],
    ] as const)
      expect((await stranger.post(path, { HomeID, ...more })).status.code, path).toBe(ERRORS.NOT_FOUND.code)
  })

  it('are limited to two hundred per home', async () => {
    const full = await addSite(root, 'Full')
    await storeEnergy(world, full, await addMeter(world, root, full, 'one'), [FROM, FROM + DAY], () => 1)
    await world.db.pool.query(
      `insert into virtual_meters (tenant, virtual_meter_id, home_id, virtual_meter_name, terms)
       select $1, 'virtual-full-' || i, $2, 'V' || i, '[]' from generate_series(1, 200) i`,
      [root.tenant, full.HomeID],
    )
    expect((await create('one more', [term('one')], full.HomeID)).status.code).toBe(
      ERRORS.LIMIT_EXCEEDED.code,
    )
  })
})
