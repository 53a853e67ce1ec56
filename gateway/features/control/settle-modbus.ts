import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { settleAll } from '../../../contract/devices/modbus/modbus-values.ts'

/**
 * The values of a command as a Modbus device will report them, so that its report confirms them; values of other devices
 * are left as they are.
 *
 * returns  undefined when the device's table does not let one of them be written
 */
export function settleModbus(values: CommandValues, rows: ModbusRow[] | null): CommandValues | undefined {
  const asked = values['ModbusValues'] as Record<string, number> | undefined
  if (!asked) return values
  const ModbusValues = settleAll(rows ?? [], asked)
  return ModbusValues && { ...values, ModbusValues }
}
