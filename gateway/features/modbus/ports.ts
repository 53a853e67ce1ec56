import type { SignedIn } from '../../kernel/context.ts'

export interface ModbusPorts {
  /** Updates the automations that read devices with a table whose rows changed. */
  onRowsChanged(context: SignedIn, ModbusTableID: string): Promise<void>
}
