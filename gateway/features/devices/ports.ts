import type { SignedIn } from '../../context.ts'

/** What devices need of the library of Modbus tables. */
export interface ModbusTables {
  /**
   * Makes sure a Modbus table is the company's own, and keeps it until the transaction ends.
   *
   * errors  NOT_FOUND with `{ ModbusTableID: 'notFound' }`
   */
  holdModbusTable(context: SignedIn, ModbusTableID: string): Promise<void>
}
