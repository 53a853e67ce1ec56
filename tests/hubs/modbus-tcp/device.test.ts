import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { createDevice, type ModbusDevice } from '../../../hubs/modbus-tcp/device.ts'
import { type ModbusServer, openServer } from '../../../hubs/modbus-tcp/server.ts'
import { systemClock } from '../../../device-link/clock.ts'
import { createLogBook } from '../../support/log-book.ts'
import { modbusRow } from '../../support/modbus-rows.ts'
import { float32, startModbusServer, type TestModbusServer } from '../../support/modbus-server.ts'
import { PATIENT } from '../../support/patient.ts'

let there: TestModbusServer
let server: ModbusServer
/** Milliseconds added to the clock. */
let ahead: number

beforeEach(async () => {
  ahead = 0
  there = await startModbusServer()
  server = openServer({
    host: '127.0.0.1',
    port: there.port,
    timeoutMs: 150,
    clock: { ...systemClock, now: () => Date.now() + ahead },
    log: createLogBook(),
    random: () => 0.5,
  })
  return async () => {
    await server.close()
    await there.close()
  }
})
afterEach(() => void (there.isSilent = false))

function device(rows: ModbusRow[], unit = 1): ModbusDevice {
  const made = createDevice({
    unit,
    server,
    limits: { maxRegisters: 120, maxGap: 16 },
    clock: { ...systemClock, now: () => Date.now() + ahead },
  })
  made.setRows(rows)
  return made
}
const values = async (one: ModbusDevice) => {
  await one.poll()
  return one.last?.ModbusValues
}

describe('a device on a Modbus TCP server', () => {
  it('is read by its table: areas, types, scales and swapped words', async () => {
    there.set(1, 'input', 0, float32(230.2))
    there.set(1, 'input', 10, [...float32(1.5)].reverse())
    there.set(1, 'holding', 3, [0xffce])
    there.coils[0] = 0b100
    there.discrete[1] = 0b1
    expect(
      await values(
        device([
          modbusRow({ Key: 'voltage', Area: 'input', DataType: 'float32' }),
          modbusRow({ Key: 'swapped', Area: 'input', Address: 10, DataType: 'float32', WordOrder: 'little' }),
          modbusRow({ Key: 'temperature', Address: 3, DataType: 'int16', Scale: 0.1 }),
          modbusRow({ Key: 'pump', Area: 'coil', Address: 2, DataType: 'bool' }),
          modbusRow({ Key: 'fan', Area: 'coil', Address: 1, DataType: 'bool' }),
          modbusRow({ Key: 'alarm', Area: 'discrete', Address: 8, DataType: 'bool' }),
        ]),
      ),
    ).toEqual({ voltage: 230.2, swapped: 1.5, temperature: -5, pump: 1, fan: 0, alarm: 1 })
    expect(there.requests.map(({ what, address, count }) => [what, address, count])).toEqual([
      ['coil', 1, 2],
      ['holding', 3, 1],
      ['input', 0, 12],
    ])
  })

  it('is one of several units on one server', async () => {
    there.set(1, 'holding', 0, [11])
    there.set(2, 'holding', 0, [22])
    const both = [device([modbusRow()], 1), device([modbusRow()], 2)]
    expect(await Promise.all(both.map(values))).toEqual([{ value: 11 }, { value: 22 }])
  })

  it('says nothing of a register that holds NaN', async () => {
    there.set(1, 'holding', 0, [0x7fc0, 0])
    expect(await values(device([modbusRow({ DataType: 'float32' })]))).toEqual({ value: null })
  })

  it('shows the rows that it has when it refuses the address of another, and asks for that one alone and seldom', async () => {
    const rows = [0, 1, 2, 3].map((Address) => modbusRow({ Key: `k${Address}`, Address }))
    there.set(1, 'holding', 0, [10, 11, 12, 13])
    there.illegalAddresses.add(2)
    const one = device(rows)
    expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: null, k3: 13 })
    there.requests.length = 0
    expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: null, k3: 13 })
    expect(there.requests.map(({ address }) => address)).toEqual([0, 1, 3])
    there.illegalAddresses.clear()
    ahead = 5 * 60_000 + 1
    expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: 12, k3: 13 })
  })

  it('is asked around a gap between two rows that it refuses', async () => {
    there.set(1, 'holding', 0, [1, 0, 0, 4])
    there.illegalAddresses.add(1)
    const one = device([modbusRow({ Key: 'a' }), modbusRow({ Key: 'b', Address: 3 })])
    expect(await values(one)).toEqual({ a: 1, b: 4 })
    there.requests.length = 0
    await one.poll()
    expect(there.requests).toHaveLength(2)
  })

  it('shows that nothing could be read while it does not answer, and everything when it does again', async () => {
    there.set(1, 'holding', 0, [7])
    const one = device([modbusRow()])
    expect(await values(one)).toEqual({ value: 7 })
    there.isSilent = true
    expect(await values(one)).toEqual({ value: null })
    there.isSilent = false
    expect(await values(one)).toEqual({ value: 7 })
  })

  it.each(['unanswered', 'shortened'] as const)(
    'shows the other rows when the answer for one is %s, and asks for that one seldom',
    async (fault) => {
      const rows = [0, 1, 2, 3].map((Address) => modbusRow({ Key: `k${Address}`, Address }))
      there.set(1, 'holding', 0, [10, 11, 12, 13])
      there[fault].add(2)
      const one = device(rows)
      expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: null, k3: 13 })
      expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: null, k3: 13 })
      there.requests.length = 0
      expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: null, k3: 13 })
      expect(there.requests.map(({ address }) => address)).toEqual([0, 1, 3])
      there[fault].clear()
      ahead = 5 * 60_000 + 1
      expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: 12, k3: 13 })
      there.requests.length = 0
      await one.poll()
      expect(there.requests.map(({ address, count }) => [address, count])).toEqual([[0, 4]])
    },
  )

  it.each([4, 8, 11])('shows the other rows when one is answered with exception %i', async (code) => {
    const rows = [0, 1, 2, 3].map((Address) => modbusRow({ Key: `k${Address}`, Address }))
    there.set(1, 'holding', 0, [10, 11, 12, 13])
    there.exceptions.set(2, code)
    const one = device(rows)
    expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: null, k3: 13 })
    expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: null, k3: 13 })
    there.requests.length = 0
    expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: null, k3: 13 })
    expect(there.requests.map(({ address }) => address)).toEqual([0, 1, 3])
    there.exceptions.clear()
    ahead = 5 * 60_000 + 1
    expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: 12, k3: 13 })
  })

  it('shows the other rows when it closes the connection on a request for one', async () => {
    const rows = [0, 1, 2].map((Address) => modbusRow({ Key: `k${Address}`, Address }))
    there.set(1, 'holding', 0, [10, 11, 12])
    there.closing.add(1)
    const one = device(rows)
    expect(await values(one)).toEqual({ k0: 10, k1: null, k2: 12 })
    there.closing.clear()
    expect(await values(one)).toEqual({ k0: 10, k1: 11, k2: 12 })
  })

  it('is read over a new connection after it closed an idle one', async () => {
    there.set(1, 'holding', 0, [7])
    const one = device([modbusRow()])
    expect(await values(one)).toEqual({ value: 7 })
    there.disconnectAll()
    await expect.poll(() => values(one)).toEqual({ value: 7 })
  })

  it('is read around a gap between two rows for which it does not answer', async () => {
    there.set(1, 'holding', 0, [1, 0, 0, 4])
    there.unanswered.add(1)
    const one = device([modbusRow({ Key: 'a' }), modbusRow({ Key: 'b', Address: 3 })])
    for (let i = 0; i < 3; i++) {
      there.requests.length = 0
      expect(await values(one)).toEqual({ a: 1, b: 4 })
    }
    expect(there.requests).toHaveLength(2)
  })

  it('is asked twice and no more when nothing of it answers', async () => {
    there.isSilent = true
    const one = device([0, 1, 2, 3].map((Address) => modbusRow({ Key: `k${Address}`, Address })))
    expect(await values(one)).toEqual({ k0: null, k1: null, k2: null, k3: null })
    expect(there.requests).toHaveLength(2)
  })

  it('costs a few timeouts and not one for each of its rows when it falls silent between two of them', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => modbusRow({ Key: `k${i}`, Address: i * 100 }))
    const one = device(rows)
    for (let i = 1; i < 20; i++) there.unanswered.add(i * 100)
    const polled = one.poll()
    await vi.waitFor(() => expect(there.requests.length).toBe(2), PATIENT)
    there.isSilent = true
    await polled
    expect(Object.values(one.last?.ModbusValues ?? {})).toEqual(Array(20).fill(null))
    expect(there.requests.length).toBeLessThan(8)
  })

  it('shows the only row that it answers for', async () => {
    const rows = Array.from({ length: 8 }, (_, i) => modbusRow({ Key: `k${i}`, Address: i * 100 }))
    for (let i = 1; i < 8; i++) there.unanswered.add(i * 100)
    there.set(1, 'holding', 0, [7])
    const nothing = Object.fromEntries(rows.map(({ Key }) => [Key, null]))
    expect(await values(device(rows))).toEqual({ ...nothing, k0: 7 })
  })

  it('is found again after its server was gone, without asking in vain meanwhile', async () => {
    const one = device([modbusRow()])
    expect(await values(one)).toEqual({ value: 0 })
    const { port } = there
    await there.close()
    expect(await values(one)).toEqual({ value: null })
    expect(await values(one)).toEqual({ value: null })
    there = await startModbusServer(port)
    there.set(1, 'holding', 0, [9])
    // The back-off after a failure has not ended: no attempt is made.
    expect(await values(one)).toEqual({ value: null })
    expect(there.requests).toEqual([])
    ahead = 60_000
    expect(await values(one)).toEqual({ value: 9 })
  })

  it('says whether anything changed', async () => {
    const one = device([modbusRow()])
    expect(await one.poll()).toBe(true)
    expect(await one.poll()).toBe(false)
    there.set(1, 'holding', 0, [1])
    expect(await one.poll()).toBe(true)
  })

  it('is read by a new table from the next reading on, and by none when it has lost it', async () => {
    there.set(1, 'holding', 0, [1, 2])
    const one = device([modbusRow()])
    await one.poll()
    one.setRows([modbusRow({ Key: 'other', Address: 1 })])
    expect(one.last).toBeUndefined()
    expect(await values(one)).toEqual({ other: 2 })
    one.setRows([])
    expect(one.hasTable).toBe(false)
  })

  it('has the fields of a meter that its rows stand for', async () => {
    there.set(1, 'holding', 0, [0, 1234, 5])
    const one = device([
      modbusRow({ Key: 'energy', DataType: 'uint32', Unit: 'Wh', Field: 'AccumulatePower' }),
      modbusRow({ Key: 'power', Address: 2, Unit: 'kW', Field: 'Power' }),
    ])
    await one.poll()
    expect(one.last?.meter).toEqual({ AccumulatePower: 1.234, Power: 5000 })
  })
})

describe('writing to a device', () => {
  const rows = [
    modbusRow({ Key: 'setpoint', DataType: 'int16', Scale: 0.1, Access: 'rw', Min: 10, Max: 30 }),
    modbusRow({ Key: 'limit', Address: 1, DataType: 'float32', WordOrder: 'little', Access: 'rw' }),
    modbusRow({ Key: 'pump', Area: 'coil', Address: 9, DataType: 'bool', Access: 'rw' }),
    modbusRow({ Key: 'fixed', Address: 5 }),
  ]

  it('writes what the table says and reads it back', async () => {
    const one = device(rows)
    await one.write({ setpoint: 21.5, limit: 99.5, pump: 1 })
    expect(there.get(1, 'holding', 0)).toBe(215)
    expect([there.get(1, 'holding', 1), there.get(1, 'holding', 2)]).toEqual([...float32(99.5)].reverse())
    expect((there.coils[1] as number) >> 1).toBe(1)
    expect(one.last?.ModbusValues).toEqual({ setpoint: 21.5, limit: 99.5, pump: 1, fixed: 0 })
  })

  it('writes nothing at all when one of the values may not be written', async () => {
    const one = device(rows)
    const wrong: Record<string, number>[] = [
      { pump: 1, fixed: 1 },
      { pump: 1, setpoint: 31 },
      { pump: 1, nobody: 1 },
    ]
    for (const values of wrong) await expect(one.write(values)).rejects.toThrow('the table does not let')
    expect(there.coils.every((byte) => byte === 0)).toBe(true)
  })

  it('says why when the device refuses', async () => {
    there.illegalAddresses.add(0)
    await expect(device(rows).write({ setpoint: 20 })).rejects.toThrow(
      'setpoint: Modbus exception 2 (illegal data address)',
    )
  })

  it.each(['none', 'close', 'garbled', 4, 5, 8, 11] as const)(
    'succeeds if the answer is %s and the value is read back',
    async (answer) => {
      there.writeFault = { isExecuted: true, answer }
      const one = device(rows)
      await one.write({ setpoint: 21.5 })
      expect(there.get(1, 'holding', 0)).toBe(215)
      expect(one.last?.ModbusValues).toMatchObject({ setpoint: 21.5 })
    },
  )

  it.each([
    ['none', /^setpoint: no answer \(.*\), and 18 was read back$/],
    ['close', /^setpoint: no answer \(.*\), and 18 was read back$/],
    ['garbled', /^setpoint: no answer \(.*\), and 18 was read back$/],
    [11, /^setpoint: Modbus exception 11 \(.*\), and 18 was read back$/],
  ] as const)('fails with the value that was read back if the answer is %s', async (answer, reason) => {
    there.set(1, 'holding', 0, [180])
    there.writeFault = { isExecuted: false, answer }
    await expect(device(rows).write({ setpoint: 21.5 })).rejects.toThrow(reason)
  })

  it('waits for a device that executes a write late', async () => {
    there.writeFault = { isExecuted: false, answer: 'none' }
    const writing = device(rows).write({ setpoint: 21.5 })
    await expect.poll(() => there.requests.some(({ what }) => what === 'holding')).toBe(true)
    there.set(1, 'holding', 0, [215])
    await writing
  })

  it('says that it is unknown whether a write was executed if the row cannot be read back', async () => {
    there.isSilent = true
    await expect(device(rows).write({ setpoint: 21.5 })).rejects.toThrow(
      /^setpoint: no answer \(.*\), and it could not be read back$/,
    )
    expect(there.requests.length).toBeLessThanOrEqual(5)
  })

  it('reads a written row again that could not be read before', async () => {
    there.illegalAddresses.add(0)
    const one = device(rows)
    await one.poll()
    await one.poll()
    there.illegalAddresses.clear()
    await one.write({ setpoint: 20 })
    expect(one.last?.ModbusValues).toMatchObject({ setpoint: 20 })
  })

  it('reads nothing back after a clear refusal', async () => {
    there.writeFault = { isExecuted: false, answer: 6 }
    await expect(device(rows).write({ setpoint: 21.5 })).rejects.toThrow(
      'setpoint: Modbus exception 6 (server device busy)',
    )
    expect(there.requests.map(({ what }) => what)).toEqual(['write'])
  })

  it('goes before readings that wait', async () => {
    const one = device(rows)
    const slow = Array.from({ length: 5 }, (_, unit) => device([modbusRow()], unit + 2))
    const reading = slow.map((other) => other.poll())
    await one.write({ setpoint: 20 })
    await Promise.all(reading)
    const at = there.requests.findIndex(({ what }) => what === 'write')
    expect(at).toBeLessThan(3)
  })
})
