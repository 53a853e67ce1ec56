import type { ModbusRow } from '../../contract/devices/modbus/modbus-table.ts'
import { rowAfter } from '../../src/resources/modbus-table/rows-editor.tsx'

/** Readable uint16 row with the test's changes. */
export const modbusRow = (changes: Partial<ModbusRow> = {}): ModbusRow => ({
  ...rowAfter([]),
  Key: 'value',
  Label: 'Value',
  ...changes,
})
