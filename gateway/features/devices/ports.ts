import type { ModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Db } from '../../store/db.ts'

/** What devices need of the library of Modbus tables. */
export interface ModbusTables {
  /** A Modbus table of the company, or null when it has none of that id. */
  findModbusTable(db: Db, tenant: string, ModbusTableID: string): Promise<ModbusTable | null>
  /**
   * Makes sure a Modbus table is the company's own, and keeps it until the transaction ends.
   *
   * errors  NOT_FOUND with `{ ModbusTableID: 'notFound' }`
   */
  holdModbusTable(context: SignedIn, ModbusTableID: string): Promise<void>
}

/** What devices that come, change and go need of groups and automations. */
export interface Groups {
  /** Takes devices that are held and about to be removed out of their groups. */
  leaveGroups(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Sees to the automations that name devices which were just removed. */
  devicesGone(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Sees to the automations and scenes that name devices which came. */
  devicesCame(context: SignedIn, uids: readonly string[]): Promise<void>
  /** Requires the right to control if scenes or automations set these rooms. Errors: PERMISSION_DENIED. */
  needControlOfRooms(
    context: SignedIn,
    homeId: string,
    changes: readonly { PeripheralType: string; rooms: readonly number[] }[],
  ): Promise<void>
  /** Sees to the automations that read devices which have other fields than before. */
  fieldsChanged(context: SignedIn, uids: readonly string[]): Promise<void>
}
