import type { ModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'

export interface ModbusTables {
  /** Modbus table of the company, or null if it does not exist. */
  findModbusTable(db: Db, tenant: string, ModbusTableID: string): Promise<ModbusTable | null>
  /**
   * Checks that a Modbus table belongs to the company, and locks it until the transaction ends.
   *
   * errors  NOT_FOUND with `{ ModbusTableID: 'notFound' }`
   */
  holdModbusTable(context: SignedIn, ModbusTableID: string): Promise<void>
}

export interface Groups {
  /** Removes devices that are locked and about to be deleted from their groups. */
  leaveGroups(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Updates the automations that name devices which were just deleted. */
  devicesGone(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Updates the automations and scenes that name devices which were added. */
  devicesCame(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Requires the right to control if scenes or automations set these rooms. Errors: PERMISSION_DENIED. */
  needControlOfRooms(
    context: SignedIn,
    homeId: string,
    changes: readonly { PeripheralType: string; rooms: readonly number[] }[],
  ): Promise<void>
  /** Updates the automations that read devices whose fields changed. */
  fieldsChanged(context: SignedIn, uids: readonly string[]): Promise<void>
}
