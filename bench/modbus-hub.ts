import { setTimeout as sleep } from 'node:timers/promises'
import { modbusTable } from '../contract/devices/modbus/modbus-table.ts'
import { home } from '../contract/homes/home.ts'
import { MAX_ADDED_AT_ONCE, peripheral, peripheralCalls } from '../contract/devices/peripheral.ts'
import { thing } from '../contract/devices/thing.ts'
import { ModbusHubConfig } from '../hubs/modbus-tcp/config.ts'
import { startModbusHub } from '../hubs/modbus-tcp/hub.ts'
import { modbusRow } from '../tests/support/modbus-rows.ts'
import { startChild } from './support/child.ts'
import { atEnd } from './support/clean-up.ts'
import { signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'

export const name = 'modbus-hub'
export const bar =
  '50 meters x 20 registers every 5 s over TCP: no missed round, requests at most 1/10 of registers'

const METERS = 50
const SECONDS = 5
/** Two ranges of ten registers with a gap that is typical of real meters. */
const ROWS = [0, 100].flatMap((start) =>
  Array.from({ length: 10 }, (_, at) => modbusRow({ Key: `r${start + at}`, Address: start + at })),
)

/**
 * The hub reads 50 Modbus TCP servers of an independent library, each a meter, and reports changes to a real gateway.
 * The servers count the requests; the reference is one request per register.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const gateway = await startGateway(await temporaryDirectory())
  const { call, rootId } = await signUpOwner(gateway.url)
  const { HomeID } = await call(home.operations.create, { HomeName: 'home', TimeZone: 'Asia/Taipei' })
  const { ThingName, Secret } = await call(thing.operations.create, { HomeID, DeviceName: 'hub', RoomID: 0 })
  const meters = await startChild<{ ports: number[] }>('modbus-meters.ts', String(METERS))

  const silent = { info() {}, warn() {}, error() {} }
  const hub = startModbusHub({
    config: ModbusHubConfig.parse({
      gateway: { url: gateway.mqttUrl, rootId, homeId: HomeID, thingName: ThingName },
      pollSeconds: SECONDS,
      servers: meters.ready.ports.map((port) => ({ host: '127.0.0.1', port, devices: [{ unit: 1 }] })),
    }),
    secret: Secret,
    memory: { get: () => undefined, set() {}, save() {} },
    log: silent,
  })
  atEnd(() => hub.stop())

  let found = await call(peripheralCalls.listDiscovered, { HomeID })
  for (; found.length < METERS; found = await call(peripheralCalls.listDiscovered, { HomeID }))
    await sleep(100)
  for (let from = 0; from < METERS; from += MAX_ADDED_AT_ONCE)
    await call(peripheral.operations.create, {
      HomeID,
      RoomID: 0,
      Peripherals: found
        .slice(from, from + MAX_ADDED_AT_ONCE)
        .map(({ PeripheralUID }) => ({ PeripheralUID, PeripheralName: PeripheralUID })),
    })
  const about = { TableName: 'meter', Manufacturer: '', Model: '', Note: '' }
  const { ModbusTableID } = await call(modbusTable.operations.create, { ...about, Rows: ROWS })
  for (const { PeripheralUID } of found)
    await call(peripheralCalls.updateAdvance, { HomeID, PeripheralUID, ModbusTableID })

  // Every meter has been read before the measurement.
  await sleep(2 * SECONDS * 1000)
  await meters.request({})
  const before = hub.stats()
  const rounds = quick ? 4 : 24
  const cpu = process.cpuUsage()
  await sleep(rounds * SECONDS * 1000)
  const used = process.cpuUsage(cpu)
  const { asked } = await meters.request<{ asked: number }>({})
  const after = hub.stats()
  const { Statuses } = await call(peripheral.operations.list, { HomeID })
  const oldest = Math.max(...Statuses.map(({ Timestamp }) => Date.now() - Timestamp))
  await hub.stop()

  // A round of the hub is one of each server.
  const read = (after.cycles - before.cycles) / METERS
  const registers = METERS * ROWS.length
  return [
    {
      what: `requests per round, ${METERS} meters x ${ROWS.length} registers`,
      // Rounds in progress at either end of the period count in part.
      value: Math.round(asked / read),
      unit: '',
      reference: { what: 'one request per register', value: registers },
      bar: { of: 'ratio', max: 0.1 },
      note: `${Math.round(read)} rounds of ${SECONDS} s, ${Statuses.length} devices reported, oldest ${Math.round(oldest / 100) / 10} s`,
    },
    {
      what: 'missed rounds of all servers',
      value: after.missedCycles - before.missedCycles,
      unit: '',
      bar: { of: 'value', max: 0 },
    },
    {
      what: 'CPU of the hub, of one core',
      value: ((used.user + used.system) / (rounds * SECONDS * 1e6)) * 100,
      unit: '%',
    },
  ]
}
