import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { ModbusTable } from '../../../../contract/devices/modbus/modbus-table.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { modbusRow } from '../../../support/modbus-rows.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let ThingName: string
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  ThingName = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results.ThingName
  await addDiscovered(world, root, { HomeID, ThingName, type: '758', uids: ['pump', 'meter'] })
})
afterAll(() => world.close())

const table = (TableName: string, changes: object = {}) => ({
  TableName,
  Manufacturer: 'Eastron',
  Model: 'SDM120',
  Note: '',
  Rows: [modbusRow()],
  ...changes,
})
const make = async (TableName: string): Promise<ModbusTable> =>
  (await root.post('/CreateModbusTable', table(TableName))).results
const assign = (ModbusTableID: string | null) =>
  root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID: 'pump', ModbusTableID })

describe('Modbus tables', () => {
  it('are a library of the company, published to its screens', async () => {
    const made = await make('Boiler')
    const { results } = await root.post('/UpdateModbusTable', {
      ModbusTableID: made.ModbusTableID,
      Rows: [modbusRow({ Key: 'a' }), modbusRow({ Key: 'b', Address: 1 })],
    })
    expect(results).toMatchObject({ TableName: 'Boiler', Rows: [{ Key: 'a' }, { Key: 'b' }] })
    expect((await root.post('/ListModbusTable')).results).toEqual([results])
    const names = world.events.map(({ event }) => 'name' in event && event.name)
    expect(names).toEqual(expect.arrayContaining(['modbusTable.add', 'modbusTable.update']))
    expect((await root.post('/DeleteModbusTable', { ModbusTableID: made.ModbusTableID })).status.code).toBe(0)
  })

  it('reject an update with an outdated version', async () => {
    const { ModbusTableID, Version } = (await root.post('/CreateModbusTable', table('Versions'))).results
    const save = (Note: string) => root.post('/UpdateModbusTable', { ModbusTableID, Note, Version })
    expect((await save('one')).results).toMatchObject({ Note: 'one', Version: Version + 1 })
    expect((await save('two')).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
    await root.post('/DeleteModbusTable', { ModbusTableID })
  })

  it('have unique names, regardless of case', async () => {
    const made = await make('Chiller')
    expect((await root.post('/CreateModbusTable', table('chiller'))).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { TableName: 'taken' },
    })
    await root.post('/DeleteModbusTable', { ModbusTableID: made.ModbusTableID })
  })

  it('report the row and field of an error', async () => {
    const Rows = [modbusRow(), modbusRow({ Key: 'b', Address: 1, Area: 'coil' })]
    expect((await root.post('/CreateModbusTable', table('X', { Rows }))).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'Rows.1.DataType': 'bitArea' },
    })
    const many = Array.from({ length: 126 }, (_, i) => modbusRow({ Key: `k${i}`, Address: i }))
    for (const bad of [[], many])
      expect((await root.post('/CreateModbusTable', table('X', { Rows: bad }))).status.code).toBe(
        ERRORS.INVALID.code,
      )
  })

  it('cannot be deleted while a device uses them', async () => {
    const { ModbusTableID } = await make('Pump')
    expect((await assign(ModbusTableID)).results).toMatchObject({ ModbusTableID })
    expect((await root.post('/DeleteModbusTable', { ModbusTableID })).status.code).toBe(ERRORS.CONFLICT.code)
    expect((await assign(null)).results.ModbusTableID).toBeNull()
    expect((await root.post('/DeleteModbusTable', { ModbusTableID })).status.code).toBe(0)
  })

  it('are listed with the one device that uses them', async () => {
    const { ModbusTableID } = await make('Compressor')
    await assign(ModbusTableID)
    const one = { HomeID, PeripheralUID: 'pump' }
    const tableOf = async () =>
      (await root.post('/GetPeripheralById', one)).results.Peripheral as { ModbusTable: ModbusTable | null }
    expect(await tableOf()).toMatchObject({
      Category: 'ModBus',
      ModbusTableID,
      ModbusTable: { ModbusTableID, TableName: 'Compressor', Rows: [modbusRow()] },
    })
    await assign(null)
    expect(await tableOf()).toMatchObject({ ModbusTableID: null, ModbusTable: null })
    await root.post('/DeleteModbusTable', { ModbusTableID })
  })

  it('of another company cannot be seen, changed or assigned', async () => {
    const stranger = await world.signUp()
    const theirs = (await stranger.post('/CreateModbusTable', table('Theirs'))).results as ModbusTable
    expect((await root.post('/ListModbusTable')).results).toEqual([])
    expect((await assign(theirs.ModbusTableID)).status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { ModbusTableID: 'notFound' },
    })
    for (const path of ['/UpdateModbusTable', '/DeleteModbusTable'])
      expect((await root.post(path, { ModbusTableID: theirs.ModbusTableID })).status.code).toBe(
        ERRORS.NOT_FOUND.code,
      )
  })

  it('are limited to two hundred', async () => {
    const stranger = await world.signUp()
    for (let i = 0; i < 200; i++) await stranger.post('/CreateModbusTable', table(`T${i}`))
    expect((await stranger.post('/CreateModbusTable', table('one more'))).status.code).toBe(
      ERRORS.LIMIT_EXCEEDED.code,
    )
  })
})
