import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'

/** What a row is where nobody says otherwise; where it stands, how it is read and its key must be said. */
export const PLAIN_ROW: Omit<ModbusRow, 'Key' | 'Area' | 'Address' | 'DataType'> = {
  Label: '',
  Group: '',
  Bit: null,
  ByteOrder: 'big',
  WordOrder: 'big',
  Scale: 1,
  Offset: 0,
  Unit: '',
  Decimals: 0,
  Access: 'r',
  Min: null,
  Max: null,
  Field: null,
}
