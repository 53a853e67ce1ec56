import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'

/** Default values of a row; area, address, data type and key have no defaults. */
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
