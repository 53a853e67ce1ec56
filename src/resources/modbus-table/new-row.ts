import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { registersOf } from '../../../contract/devices/modbus/modbus-rows.ts'
import { PLAIN_ROW } from './plain-row.ts'

/** The first row of a table. */
const FIRST: ModbusRow = { ...PLAIN_ROW, Key: 'value1', Area: 'holding', Address: 0, DataType: 'uint16' }

/** A row to begin with: behind the last one and of its kind, because the next value is most often its neighbour. */
export function rowAfter(rows: readonly ModbusRow[]): ModbusRow {
  const last = rows.at(-1)
  if (!last) return FIRST
  const { Area, DataType, ByteOrder, WordOrder, Group } = last
  const Address = Math.min(65_535, last.Address + registersOf(last))
  return { ...PLAIN_ROW, Area, DataType, ByteOrder, WordOrder, Group, Address, Key: freeKey(rows, 'value') }
}

/** A copy beside the row, with a key of its own; no two rows are the same field of a meter. */
export const copyOf = (rows: readonly ModbusRow[], row: ModbusRow): ModbusRow => ({
  ...row,
  Key: freeKey(rows, row.Key.replace(/\d+$/, '').slice(0, 28)),
  Field: null,
})

function freeKey(rows: readonly ModbusRow[], stem: string): string {
  const taken = new Set(rows.map(({ Key }) => Key))
  let number = 1
  while (taken.has(`${stem}${number}`)) number++
  return `${stem}${number}`
}
