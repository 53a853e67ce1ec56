import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capabilityOf } from '../../contract/devices/kinds/registry.ts'
import { parseCommandValues, parseStatusFields } from '../../contract/devices/kinds/status.ts'
import {
  ModbusRow,
  ModbusTable,
  MODBUS_TYPES,
  overlapsOf,
} from '../../contract/devices/modbus/modbus-table.ts'
import { METER_FIELDS, meterFieldsOf } from '../../contract/devices/modbus/modbus-meter.ts'
import { MODBUS_PRESETS } from '../../contract/devices/modbus/modbus-presets.ts'
import { decode, encode, settleValue, settleAll } from '../../contract/devices/modbus/modbus-values.ts'
import { confirms } from '../../contract/devices/status-order.ts'
import { modbusRow as row } from '../support/modbus-rows.ts'

describe('a value of a Modbus device', () => {
  // Register words of well-known numbers, by IEEE 754 and two's complement.
  it.each([
    ['uint16', {}, [0x1234], 4660],
    ['int16', {}, [0xffff], -1],
    ['uint32', {}, [0x0001, 0x0000], 65_536],
    ['int32', {}, [0xffff, 0xfffe], -2],
    ['float32', {}, [0x4366, 0x3333], 230.2],
    ['float64', {}, [0x406c, 0xc666, 0x6666, 0x6666], 230.2],
    ['int64', {}, [0xffff, 0xffff, 0xffff, 0xff9c], -100],
    ['uint64', {}, [0, 0, 0x0001, 0x86a0], 100_000],
    ['float32', { WordOrder: 'little' }, [0x3333, 0x4366], 230.2],
    ['float32', { ByteOrder: 'little' }, [0x6643, 0x3333], 230.2],
    ['float32', { ByteOrder: 'little', WordOrder: 'little' }, [0x3333, 0x6643], 230.2],
    ['int32', { Scale: 0.1 }, [0, 2302], 230.2],
    ['uint16', { Scale: 0.1 }, [3], 0.3],
    ['int16', { Scale: 0.1, Offset: -40 }, [605], 20.5],
    ['bool', {}, [2], 1],
    ['bool', { Bit: 1 }, [2], 1],
    ['bool', { Bit: 0 }, [2], 0],
    ['bool', { Area: 'coil' }, [1], 1],
  ] as const)('of type %s with %j reads %j as %d', (DataType, changes, words, value) => {
    expect(decode(row({ DataType, ...changes }), words)).toBe(value)
  })

  it('is empty if an integer cannot be stored without rounding', () => {
    const [int, uint] = [row({ DataType: 'int64' }), row({ DataType: 'uint64' })]
    expect(decode(uint, [0x001f, 0xffff, 0xffff, 0xffff])).toBe(9007199254740991)
    expect(decode(uint, [0x0020, 0, 0, 1])).toBeNull()
    expect(decode(int, [0xffdf, 0xffff, 0xffff, 0xffff])).toBeNull()
  })

  it.each([
    ['int16', [0x8000]],
    ['uint16', [0xffff]],
    ['int32', [0x8000, 0x0000]],
    ['int32', [0x7fff, 0xffff]],
    ['uint32', [0xffff, 0xffff]],
    ['int64', [0x8000, 0, 0, 0]],
    ['uint64', [0xffff, 0xffff, 0xffff, 0xffff]],
  ] as const)('for a meter field of type %s is empty with the registers %j', (DataType, words) => {
    const power = row({ DataType, Field: 'Power', Unit: 'W' })
    expect(decode(power, words)).toBeNull()
    expect(decode({ ...power, WordOrder: 'little' }, [...words].reverse())).toBeNull()
  })

  it('is empty if the registers match a sentinel value of its row', () => {
    const Sentinels = ['0x7FFF', '0xfff6']
    const temperature = row({ DataType: 'int16', Scale: 0.1, Sentinels })
    expect(decode(temperature, [0x7fff])).toBeNull()
    expect(decode(temperature, [0xfff6])).toBeNull()
    expect(decode(temperature, [0x8000])).toBe(-3276.8)
    expect(decode(row({ ByteOrder: 'little', DataType: 'int16', Sentinels }), [0xff7f])).toBeNull()
    expect(settleValue({ ...temperature, Access: 'rw' }, -1)).toBeUndefined()
    expect(decode(row({ DataType: 'float32', Sentinels: ['0xC61C3C00'] }), [0xc61c, 0x3c00])).toBeNull()
  })

  it('keeps every raw value without sentinel values', () => {
    expect(decode(row(), [0xffff])).toBe(65_535)
    expect(decode(row({ Field: 'Voltage', Unit: 'V', Sentinels: [] }), [0xffff])).toBe(65_535)
  })

  it('is empty if the meter sends NaN, infinity, or too few registers', () => {
    const float = row({ DataType: 'float32' })
    expect(decode(float, [0x7fc0, 0])).toBeNull()
    expect(decode(float, [0x7f80, 0])).toBeNull()
    expect(decode(float, [0x4366])).toBeNull()
  })

  it('is read from registers as the device stores it, for every type and order', () => {
    const rows = fc.record({
      DataType: fc.constantFrom(...MODBUS_TYPES),
      ByteOrder: fc.constantFrom('big' as const, 'little' as const),
      WordOrder: fc.constantFrom('big' as const, 'little' as const),
      Scale: fc.constantFrom(1, 0.1, 0.001, 10, -1),
      Offset: fc.constantFrom(0, -40, 1000),
    })
    fc.assert(
      fc.property(rows, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (changes, value) => {
        const one = row({ ...changes, Access: 'rw', Area: 'holding' })
        const held = settleValue(one, value)
        if (held === undefined) return
        // A value read from the device stays equal when written again, and is the nearest representable one.
        expect(settleValue(one, held)).toBe(held)
        const stored = Math.abs((value - one.Offset) / one.Scale)
        // A float32 has 24 binary digits.
        const step = one.DataType === 'float32' ? Math.max(1, 2 ** (Math.floor(Math.log2(stored)) - 23)) : 1
        expect(Math.abs(held - value)).toBeLessThanOrEqual((step * Math.abs(one.Scale)) / 2 + 1e-6)
      }),
    )
  })

  it('is rejected if it exceeds the range of its type', () => {
    expect(encode(row({ DataType: 'uint16' }), -1)).toBeUndefined()
    expect(encode(row({ DataType: 'int16' }), 32_768)).toBeUndefined()
    expect(encode(row({ DataType: 'int16', Scale: 10 }), 32_768)).toEqual([3277])
    expect(encode(row({ DataType: 'uint64' }), 2 ** 60)).toBeUndefined()
    expect(encode(row({ DataType: 'bool', Area: 'coil' }), 2)).toBeUndefined()
    expect(encode(row({ DataType: 'float32' }), 1e39)).toBeUndefined()
  })
})

describe('a command for a Modbus device', () => {
  const rows = [
    row({ Key: 'setpoint', DataType: 'int16', Scale: 0.1, Access: 'rw', Min: 16, Max: 30 }),
    row({ Key: 'voltage' }),
  ]

  it('is rounded to what the device can store, so that its report confirms it', () => {
    const ModbusValues = settleAll(rows, { setpoint: 21.57 }) as Record<string, number>
    expect(ModbusValues).toEqual({ setpoint: 21.6 })
    expect(confirms({ ModbusValues: { setpoint: 216 * 0.1, voltage: 230 } }, { ModbusValues })).toBe(true)
    expect(confirms({ ModbusValues: { setpoint: 21.5, voltage: 230 } }, { ModbusValues })).toBe(false)
    expect(confirms({ ModbusValues: { setpoint: null } }, { ModbusValues })).toBe(false)
  })

  it('writes no row that is read-only, unknown or outside its limits', () => {
    const refused: Record<string, number>[] = [
      { voltage: 230 },
      { nobody: 1 },
      { setpoint: 31 },
      { setpoint: 15.9 },
    ]
    for (const values of refused) expect(settleAll(rows, values)).toBeUndefined()
  })

  it('contains one to sixteen values', () => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 1]))
    for (const ModbusValues of [{}, many, { k: null }, { 'not a key': 1 }])
      expect(parseCommandValues('758', { ModbusValues })?.success).toBe(false)
    expect(parseCommandValues('530', { ModbusValues: { k: 1 } })?.success).toBe(true)
  })
})

describe('a report of a Modbus device', () => {
  it('can contain unreadable values, and no more than a table has', () => {
    expect(parseStatusFields('758', { ModbusValues: { a: 1.5, b: null } })?.success).toBe(true)
    const many = Object.fromEntries(Array.from({ length: 126 }, (_, i) => [`k${i}`, 1]))
    expect(parseStatusFields('758', { ModbusValues: many })?.success).toBe(false)
  })

  it("contains the meter fields mapped by rows, in the meter's units", () => {
    const rows = [
      row({ Key: 'e', Field: 'AccumulatePower', Unit: 'Wh' }),
      row({ Key: 'p', Field: 'Power', Unit: 'kW' }),
      row({ Key: 'a', Field: 'Current1', Unit: 'A' }),
      row({ Key: 'b', Field: 'Current2', Unit: 'mA' }),
      row({ Key: 'c', Field: 'Current3', Unit: 'A' }),
      row({ Key: 'pf', Field: 'PowerFactor', Unit: '' }),
      row({ Key: 't', Unit: '°C' }),
    ]
    const values = { e: 1_042_318.7, p: 1.8205, a: -3, b: 5000, c: null, pf: 1.8, t: 21 }
    expect(meterFieldsOf(rows, values)).toEqual({
      AccumulatePower: 1042.3187,
      Power: 1820.5,
      Current1: 3,
      Current2: 5,
      AvgElectricCurrent: 4,
    })
  })

  it('can contain any field of a meter of this type', () => {
    expect(Object.keys(capabilityOf('758', 'meter')?.status ?? {})).toEqual(
      expect.arrayContaining([...METER_FIELDS]),
    )
  })
})

describe('a row of a Modbus table', () => {
  const refused = (changes: object) =>
    ModbusRow.safeParse(row(changes)).error?.issues.map(({ path, message }) => [path[0], message]) ?? []

  it('matches its area, type and limits', () => {
    expect(refused({})).toEqual([])
    expect(refused({ Area: 'coil', DataType: 'uint16' })).toEqual([['DataType', 'bitArea']])
    expect(refused({ Bit: 3 })).toEqual([['Bit', 'noBit']])
    expect(refused({ Area: 'input', Access: 'rw' })).toEqual([['Access', 'readOnly']])
    expect(refused({ Area: 'holding', DataType: 'bool', Bit: 3, Access: 'rw' })).toEqual([
      ['Access', 'readOnly'],
    ])
    expect(refused({ Min: 5, Max: 4 })).toEqual([['Max', 'tooSmall']])
    expect(refused({ Field: 'Power', Unit: '°C' })).toEqual([['Field', 'meterUnit']])
    expect(refused({ Address: 65_535, DataType: 'float32' })).toEqual([['Address', 'tooBig']])
    expect(refused({ Sentinels: ['0x18000'] })).toEqual([['Sentinels', 'tooBig']])
    expect(refused({ DataType: 'int32', Sentinels: ['0x80000000'] })).toEqual([])
    expect(refused({ Sentinels: ['-32768'] })).toEqual([['Sentinels', 'hexadecimal']])
    expect(refused({ Key: '1st' })).toEqual([['Key', 'key']])
    expect(refused({ Scale: 0 })).toEqual([['Scale', 'invalid']])
  })

  it('warns of rows that share its registers, unless both are bits of one register', () => {
    const rows = [
      row({ Address: 0, DataType: 'float32' }),
      row({ Address: 1 }),
      row({ Address: 1, Area: 'input' }),
      row({ Address: 9, DataType: 'bool', Bit: 0 }),
      row({ Address: 9, DataType: 'bool', Bit: 1 }),
    ]
    expect(overlapsOf(rows)).toEqual([[0, 1]])
  })

  it('has a unique key, and a unique meter field', () => {
    const table = { ModbusTableID: 't', TableName: 'T', Manufacturer: '', Model: '', Note: '' }
    const Rows = [
      row({ Key: 'a', Field: 'Power', Unit: 'W' }),
      row({ Key: 'a', Address: 1, Field: 'Power', Unit: 'W' }),
    ]
    expect(ModbusTable.safeParse({ ...table, Rows }).error?.issues.map(({ path }) => path)).toEqual([
      ['Rows', 1, 'Key'],
      ['Rows', 1, 'Field'],
    ])
  })
})

describe('the presets', () => {
  it.each(MODBUS_PRESETS)(
    '$Manufacturer $Model is a table without a contradiction',
    ({ rows, ...preset }) => {
      const Rows = rows.map((one) => ({ ...one, Label: one.Key }))
      const parsed = ModbusTable.safeParse({ ...preset, ModbusTableID: 'x', TableName: 'x', Note: '', Rows })
      expect(parsed.error?.issues ?? []).toEqual([])
      expect(overlapsOf(Rows)).toEqual([])
      expect(preset.source).not.toBe('')
    },
  )

  it('name the sentinel values of every integer', () => {
    const rows = MODBUS_PRESETS.flatMap((preset) => preset.rows)
    const unnamed = rows.filter(
      ({ DataType, Sentinels }) => !DataType.startsWith('float') && !Sentinels?.length,
    )
    expect(unnamed).toEqual([])
  })

  it('read a real SDM630 by its register map: 30001 voltage, 30073 import energy', () => {
    const sdm630 = MODBUS_PRESETS.find(({ id }) => id === 'eastron-sdm630')
    const places = new Map(sdm630?.rows.map((one) => [one.Key, [one.Area, one.Address, one.DataType]]))
    expect(places.get('voltage_l1')).toEqual(['input', 0, 'float32'])
    expect(places.get('import_energy')).toEqual(['input', 72, 'float32'])
  })
})
