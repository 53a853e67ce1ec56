import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { type Db, sql } from '../../../store/db.ts'

/** Every stored status of a home, by device. */
export async function readStatuses(db: Db, tenant: string, homeId: string): Promise<DeviceStatus[]> {
  const rows = await db.query<{
    PeripheralUID: string
    PeripheralType: string
    Timestamp: number
    updateAt: number
    values: CommandValues
  }>(sql`
    select peripheral_uid as "PeripheralUID", peripheral_type as "PeripheralType", timestamp as "Timestamp",
      updated_at as "updateAt", values
    from device_status where tenant = ${tenant} and home_id = ${homeId} order by peripheral_uid`)
  return rows.map(({ values, ...status }) => ({ ...values, ...status }))
}
