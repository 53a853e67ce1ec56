import { z } from 'zod'
import { ModbusKey } from '../../kernel/scalars.ts'
import { MAX_MODBUS_ROWS } from '../modbus/modbus-table.ts'
import type { Capability } from './capability.ts'

const MAX_WRITES = 16

const atMost =
  (maxCount: number) =>
  (values: object): boolean =>
    Object.keys(values).length <= maxCount

/** Values by key of the device's Modbus table, in the table's units; null if a value could not be read. */
export const ModbusValues = z
  .record(ModbusKey, z.number().nullable())
  .refine(atMost(MAX_MODBUS_ROWS), 'tooManyRows')

/** Values of the registers in the device's Modbus table (§3 ModbusTable). A report contains all of them. */
export const modbus: Capability = {
  name: 'modbus',
  status: { ModbusValues },
  command: {
    ModbusValues: z
      .record(ModbusKey, z.number())
      .refine((values) => Object.keys(values).length > 0, 'required')
      .refine(atMost(MAX_WRITES), 'tooManyRows'),
  },
  units: {},
}
