import type { SignedIn } from '../../kernel/context.ts'

/** What Modbus tables need of others. */
export interface ModbusPorts {
  /** Sees to the automations that name values of the devices with a table, whose rows are others than before. */
  rowsChanged(context: SignedIn, ModbusTableID: string): Promise<void>
}
