import type { ModbusRow } from '../../contract/devices/modbus/modbus-table.ts'
import { rowAfter } from '../../src/resources/modbus-table/rows-editor.tsx'

/** A plain row, a uint16 that can be read, with what a test changes of it. */
export const modbusRow = (changes: Partial<ModbusRow> = {}): ModbusRow => ({
  ...rowAfter([]),
  Key: 'value',
  Label: 'Value',
  ...changes,
})
