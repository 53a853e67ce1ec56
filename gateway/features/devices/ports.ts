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
  lockModbusTable(context: SignedIn, ModbusTableID: string): Promise<void>
}

export interface Groups {
  /** Removes devices that are locked and about to be deleted from their groups. */
  removeFromGroups(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Updates the automations that name devices which were just deleted. */
  onDevicesRemoved(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Updates the automations and scenes that name devices which were added. */
  onDevicesAdded(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Requires the right to control if scenes or automations set these rooms. Errors: PERMISSION_DENIED. */
  assertControlOfRooms(
    context: SignedIn,
    homeId: string,
    changes: readonly { PeripheralType: string; rooms: readonly number[] }[],
  ): Promise<void>
  /** Updates the automations that read devices whose fields changed. */
  onFieldsChanged(context: SignedIn, uids: readonly string[]): Promise<void>
}
