import { describe, expect, it } from 'vitest'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { readTableFile, tableToCsv, tableToJson } from '../../../../src/resources/modbus-table/table-file.ts'
import { modbusRow } from '../../../support/modbus-rows.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const csv = (...lines: string[]) => readTableFile(utf8(lines.join('\r\n')))
const problems = (found: ReturnType<typeof readTableFile>) => ('problems' in found ? found.problems : [])
const rows: ModbusRow[] = [
  modbusRow({
    Key: 'v1',
    Label: '電壓 "L1", 相',
    Unit: 'V',
    DataType: 'float32',
    Field: 'Voltage1',
    Scale: 0.1,
  }),
  modbusRow({ Key: 'set', Label: '設定', Address: 2, Access: 'rw', Min: -10, Max: 30.5, Offset: -40 }),
  modbusRow({ Key: 'run', Label: '=運轉', Area: 'coil', DataType: 'bool', Access: 'rw' }),
  modbusRow({ Key: 'bit', Label: '位元', Address: 9, DataType: 'bool', Bit: 3, Group: 'L1' }),
  modbusRow({ Key: 'low', Address: 10, Sentinels: ['0x8000', '0x7FFF'] }),
  modbusRow({ Key: 'raw', Address: 11, Sentinels: [] }),
]

describe('a file of a Modbus table', () => {
  it('survives a CSV round trip, including quotes, signs and formula-like words', () => {
    const text = tableToCsv(rows)
    expect(text.charCodeAt(0)).toBe(0xfeff)
    expect(readTableFile(utf8(text))).toEqual({ about: {}, rows })
  })

  it("survives a JSON round trip with the table's metadata", () => {
    const about = { TableName: '冰水主機', Manufacturer: '', Model: 'X', Note: '' }
    expect(readTableFile(utf8(tableToJson({ ...about, Rows: rows })))).toEqual({ about, rows })
  })

  it('can be what Excel in Taiwan saves: Big5, with empty lines and missing columns', () => {
    const head = 'Key,Area,Address,DataType,Label\r\npower,input,52,float32,'
    // 電力 in Big5.
    const bytes = new Uint8Array([...utf8(head), 0xb9, 0x71, 0xa4, 0x4f, ...utf8('\r\n,,,,\r\n')])
    const expected = modbusRow({
      Key: 'power',
      Label: '電力',
      Area: 'input',
      Address: 52,
      DataType: 'float32',
    })
    expect(readTableFile(bytes)).toEqual({ about: {}, rows: [expected] })
  })

  it("can be Excel's Unicode text: tab-separated UTF-16", () => {
    const text = '\ufeffKey\tArea\tAddress\tDataType\tLabel\r\npower\tinput\t52\tfloat32\t電力\r\n'
    const bytes = new Uint8Array(
      [...text].flatMap((char) => [char.charCodeAt(0) & 0xff, char.charCodeAt(0) >> 8]),
    )
    const expected = { Key: 'power', Label: '電力', Area: 'input', Address: 52, DataType: 'float32' } as const
    expect(readTableFile(bytes)).toEqual({ about: {}, rows: [modbusRow(expected)] })
  })

  it('can be separated by semicolons, and uses the key of a row without a label', () => {
    const found = csv('Key;Area;Address;DataType', 'a;holding;1;uint16')
    expect(found).toEqual({ about: {}, rows: [modbusRow({ Key: 'a', Label: 'a', Address: 1 })] })
  })

  it("reports each error with the spreadsheet's row number, the column and the value", () => {
    const found = csv(
      'Key,Area,Address,DataType,Scale',
      'a,holding,70000,uint16,1',
      '1x,moon,5,uint16,1',
      'b,coil,5,int32,many',
      'b,holding,6,uint16,1',
    )
    expect(problems(found)).toEqual(
      expect.arrayContaining([
        { row: 2, column: 'Address', value: '70000', reason: 'tooBig' },
        { row: 3, column: 'Key', value: '1x', reason: 'key' },
        { row: 3, column: 'Area', value: 'moon', reason: 'invalid' },
        { row: 4, column: 'Scale', value: 'many', reason: 'number' },
      ]),
    )
    const disagreeing = csv('Key,Area,Address,DataType', 'b,coil,5,int32', 'b,holding,6,uint16')
    expect(problems(disagreeing)).toEqual([
      { row: 2, column: 'DataType', value: 'int32', reason: 'bitArea' },
      { row: 3, column: 'Key', value: 'b', reason: 'taken' },
    ])
  })

  it('counts empty lines, which a spreadsheet numbers too', () => {
    const found = csv(
      '',
      'Key,Area,Address,DataType',
      'a,holding,1,uint16',
      ',,,',
      '',
      'b,coil,1,float32',
      '',
    )
    expect(problems(found)).toEqual([{ row: 6, column: 'DataType', value: 'float32', reason: 'bitArea' }])
  })

  it('is rejected with a duplicate column', () => {
    expect(problems(csv('Key,Area,Address,DataType,Address', 'a,coil,1,bool,2'))).toEqual([
      { unknown: 'Address' },
    ])
  })

  it('is rejected as a whole if it is something else', () => {
    expect(problems(readTableFile(utf8('{"a":')))).toEqual([{ file: 'notRead' }])
    expect(problems(readTableFile(utf8('{"Rows": 5}')))).toEqual([{ file: 'notRead' }])
    expect(problems(readTableFile(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])))).toEqual([
      { file: 'notRead' },
    ])
    expect(problems(readTableFile(utf8('')))).toEqual([{ file: 'notRead' }])
    expect(problems(csv('Key,Area,Address,DataType'))).toEqual([{ file: 'empty' }])
    expect(problems(csv('Key,Area,Address,Sort', 'a,coil,1,x'))).toEqual([
      { missing: 'DataType' },
      { unknown: 'Sort' },
    ])
    const many = Array.from({ length: 126 }, (_, i) => `k${i},coil,${i},bool`)
    expect(problems(csv('Key,Area,Address,DataType', ...many))).toEqual([{ file: 'tooManyRows' }])
  })
})
