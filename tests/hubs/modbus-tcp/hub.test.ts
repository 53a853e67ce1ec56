import { randomUUID } from 'node:crypto'
import { connect, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRequest, controlResponse } from '../../../contract/devices/channels/control.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { ModbusHubConfig, modbusUidOf } from '../../../hubs/modbus-tcp/config.ts'
import { type ModbusHub, startModbusHub } from '../../../hubs/modbus-tcp/hub.ts'
import type { AssignedTable, TableMemory } from '../../../hubs/modbus-tcp/table-memory.ts'
import { createLogBook } from '../../support/log-book.ts'
import { modbusRow } from '../../support/modbus-rows.ts'
import { float32, startModbusServer, type TestModbusServer } from '../../support/modbus-server.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'
import { PATIENT } from '../../support/patient.ts'

/** Real Modbus TCP on one side, a real gateway with broker and database on the other. */
let world: World
let owner: Caller
let meters: TestModbusServer
let hub: ModbusHub
let screen: MqttClient
let config: ModbusHubConfig
let secret: string
let HomeID: string
const memory = new Map<string, AssignedTable>()
const kept: TableMemory = {
  get: (uid) => memory.get(uid),
  set: (uid, assigned) => void (assigned ? memory.set(uid, assigned) : memory.delete(uid)),
  save: () => {},
}
const METER = 'meter-1'

beforeAll(async () => {
  world = await startWorld({ clock: systemClock, broker: 'embedded' })
  owner = await world.signUp()
  HomeID = (await owner.post('/CreateHome', { HomeName: '廠房', TimeZone: 'Asia/Taipei' })).results.HomeID
  const thing = (await owner.post('/AddThing', { HomeID, DeviceName: 'Modbus' })).results
  secret = thing.Secret
  meters = await startModbusServer()
  config = ModbusHubConfig.parse({
    gateway: {
      url: `mqtt://127.0.0.1:${world.hubPort}`,
      rootId: owner.tenant,
      homeId: HomeID,
      thingName: thing.ThingName,
    },
    pollSeconds: 0.1,
    servers: [
      {
        host: '127.0.0.1',
        port: meters.port,
        timeoutMs: 200,
        devices: [{ unit: 1, uid: METER, name: '總電表' }, { unit: 2 }],
      },
    ],
  })
  hub = start()
  const address = await world.gateway.listen(0, '127.0.0.1')
  const { results } = await owner.post('/ConnectRealtime')
  screen = connect(`${address.replace('http', 'ws')}/mqtt`, {
    clientId: results.ClientID,
    username: results.Username,
    password: results.Password,
    protocolVersion: 4,
  })
  await new Promise((resolve, reject) => screen.once('connect', resolve).once('error', reject))
  await screen.subscribeAsync(controlResponse.topic({ rootId: owner.tenant, homeId: HomeID }), { qos: 1 })
})
afterAll(async () => {
  await hub?.stop()
  await screen?.endAsync(true)
  await meters?.close()
  await world?.close()
})

const start = () => startModbusHub({ config, secret, memory: kept, log: createLogBook() })
const found = async () =>
  (await owner.post('/ListDiscoveredPeripheral', { HomeID })).results as { PeripheralUID: string }[]
const status = async () =>
  (await owner.post('/GetPeripheralById', { HomeID, PeripheralUID: METER })).results.Status
const assign = (changes: object) =>
  owner.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID: METER, ...changes })
const readings = () =>
  world.db.query<{ kwh: number; watts: number | null }>(
    sql`select accumulate_power as kwh, power as watts from readings order by timestamp`,
  )

/** Sends a command as a screen does and returns its final state. */
function command(
  ModbusValues: object,
): Promise<{ State: string; Reason: string | null; Values: unknown; Detail?: string }> {
  const RequestID = randomUUID()
  return new Promise((resolve) => {
    const hear = (_topic: string, payload: Buffer) => {
      const answer = JSON.parse(payload.toString())
      if (answer.RequestID !== RequestID || !['confirmed', 'failed', 'timedOut'].includes(answer.State))
        return
      screen.off('message', hear)
      resolve(answer)
    }
    screen.on('message', hear)
    const request = { RequestID, PeripheralUID: METER, Values: { ModbusValues } }
    screen.publish(controlRequest.topic({ rootId: owner.tenant, homeId: HomeID }), JSON.stringify(request), {
      qos: 1,
    })
  })
}

describe('the Modbus TCP hub', () => {
  it('announces every unit of every server, and reads none that nobody gave a table', async () => {
    await expect.poll(async () => (await found()).length, PATIENT).toBe(2)
    expect((await found()).map(({ PeripheralUID }) => PeripheralUID).toSorted()).toEqual(
      [METER, modbusUidOf({ host: '127.0.0.1', port: meters.port }, { unit: 2 })].toSorted(),
    )
    expect(meters.requests).toEqual([])
  })

  it('reads a device by the table a person gives it, and reports its values and its meter', async () => {
    meters.set(1, 'input', 0, float32(230.2))
    meters.set(1, 'input', 52, float32(1820.5))
    meters.set(1, 'input', 72, float32(1042.25))
    const Peripherals = [{ PeripheralUID: METER, PeripheralName: '總電表' }]
    await owner.post('/AddPeripherals', { HomeID, Peripherals })
    const made = await owner.post('/CreateModbusTable', {
      TableName: 'SDM',
      Manufacturer: 'Eastron',
      Model: 'SDM630',
      Note: '',
      Rows: [
        modbusRow({ Key: 'v1', Area: 'input', DataType: 'float32', Unit: 'V', Field: 'Voltage1' }),
        modbusRow({ Key: 'p', Area: 'input', Address: 52, DataType: 'float32', Unit: 'W', Field: 'Power' }),
        modbusRow({
          Key: 'e',
          Area: 'input',
          Address: 72,
          DataType: 'float32',
          Unit: 'kWh',
          Field: 'AccumulatePower',
        }),
        modbusRow({ Key: 'limit', Address: 0, DataType: 'int16', Scale: 0.1, Access: 'rw', Min: 0, Max: 50 }),
        modbusRow({ Key: 'broken', Address: 900 }),
      ],
    })
    meters.illegalAddresses.add(900)
    await assign({ ModbusTableID: made.results.ModbusTableID })
    await expect.poll(status, PATIENT).toMatchObject({
      ModbusValues: { v1: 230.2, p: 1820.5, e: 1042.25, limit: 0, broken: null },
      AccumulatePower: 1042.25,
      Power: 1820.5,
      Voltage1: 230.2,
    })
    await expect.poll(readings, PATIENT).toEqual([{ kwh: 1042.25, watts: 1820.5 }])
  })

  it('shows a change at the next reading', async () => {
    meters.set(1, 'input', 0, float32(231.4))
    await expect.poll(status, PATIENT).toMatchObject({ ModbusValues: { v1: 231.4 }, Voltage1: 231.4 })
  })

  it('writes a value, settled to what the register holds, and its report confirms it', async () => {
    expect(await command({ limit: 21.57 })).toMatchObject({
      State: 'confirmed',
      Values: { ModbusValues: { limit: 21.6 } },
    })
    expect(meters.get(1, 'holding', 0)).toBe(216)
  })

  it('never sends what the table does not let be written, and says why the device refused the rest', async () => {
    for (const values of [{ v1: 1 }, { limit: 51 }, { nobody: 1 }])
      expect(await command(values)).toMatchObject({ State: 'failed', Reason: 'invalidValues' })
    meters.illegalAddresses.add(0)
    expect(await command({ limit: 20 })).toMatchObject({ State: 'failed', Reason: 'hubRefused' })
    meters.illegalAddresses.delete(0)
    expect(meters.get(1, 'holding', 0)).toBe(216)
  })

  it('reports the values of a device after a failed write, and the one that was read back', async () => {
    meters.writeFault = { isExecuted: false, answer: 'none' }
    const answer = command({ limit: 20 })
    await expect.poll(() => meters.requests.at(-1)?.what, PATIENT).toBe('write')
    meters.set(1, 'holding', 0, [150])
    expect(await answer).toMatchObject({
      State: 'failed',
      Reason: 'hubRefused',
      Detail: expect.stringMatching(/^limit: no answer .*, and 15 was read back$/),
    })
    meters.writeFault = undefined
    await expect.poll(status, PATIENT).toMatchObject({ ModbusValues: { limit: 15 } })
  })

  it('confirms a write without an answer by the value that is read back', async () => {
    meters.writeFault = { isExecuted: true, answer: 'close' }
    expect(await command({ limit: 21.6 })).toMatchObject({ State: 'confirmed' })
    meters.writeFault = undefined
  })

  it('shows that nothing can be read while the server is gone', async () => {
    const { port } = meters
    await meters.close()
    await expect.poll(status, PATIENT).toMatchObject({ ModbusValues: { v1: null, p: null, e: null } })
    meters = await startModbusServer(port)
    meters.set(1, 'input', 72, float32(1043))
    await expect.poll(status, PATIENT).toMatchObject({ ModbusValues: { e: 1043 } })
  })

  it('keeps its readings while the gateway is away, and goes on reading after a start without it', async () => {
    await assign({ PowerMeterUpdateFrequency: 1 })
    const before = (await readings()).length
    await expect.poll(async () => (await readings()).length, PATIENT).toBeGreaterThan(before)
    await hub.stop()
    // Restarted without a reachable gateway: only the stored configuration defines how to read.
    const away = { ...config, gateway: { ...config.gateway, url: 'mqtt://127.0.0.1:1' } }
    meters.requests.length = 0
    hub = startModbusHub({ config: away, secret, memory: kept, log: createLogBook() })
    await expect.poll(async () => hub.link.stats().waiting, PATIENT).toBeGreaterThan(1)
    expect(meters.requests.length).toBeGreaterThan(1)
    await hub.stop()
    hub = start()
  })

  it('stops reading a device that a person removed', async () => {
    await expect.poll(async () => hub.link.online, PATIENT).toBe(true)
    await owner.post('/RemovePeripheral', { HomeID, PeripheralUID: METER })
    await expect.poll(async () => memory.has(METER), PATIENT).toBe(false)
    meters.requests.length = 0
    const { cycles } = hub.stats()
    await expect.poll(async () => hub.stats().cycles, PATIENT).toBeGreaterThan(cycles + 2)
    expect(meters.requests.length).toBeLessThanOrEqual(2)
  })
})

describe('its configuration', () => {
  it('names what is wrong, and no device twice', () => {
    const refused = (changes: object) =>
      ModbusHubConfig.safeParse({ ...config, ...changes }).error?.issues.map(({ path }) => path.join('.'))
    const [server] = config.servers
    expect(refused({ gateway: { ...config.gateway, url: 'http://x' } })).toEqual(['gateway.url'])
    expect(refused({ servers: [{ ...server, devices: [{ unit: 300 }] }] })).toEqual([
      'servers.0.devices.0.unit',
    ])
    expect(refused({ servers: [{ ...server, devices: [{ unit: 3 }, { unit: 3 }] }] })).toEqual([
      'servers.0.devices.1',
    ])
    expect(refused({ polSeconds: 1 })).toEqual([''])
  })
})
