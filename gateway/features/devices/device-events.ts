import { DeviceEvent, type deviceEvents } from '../../../contract/procedures/devices/device-events.ts'
import type { HandlersOf } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { columnsOf } from '../../store/columns.ts'
import { sql } from '../../store/db.ts'

export const deviceEventHandlers: HandlersOf<typeof deviceEvents> = {
  listDeviceEvent: async ({ HomeID, PeripheralUID, Since, Limit }, { db, actor }) => {
    const found = await db.query(sql`select 1 from peripherals where tenant = ${actor.tenant}
      and home_id = ${HomeID} and peripheral_uid = ${PeripheralUID}`)
    if (!found.length) throw new GatewayError('NOT_FOUND', `Device ${PeripheralUID} does not exist`)
    return db.query<DeviceEvent>(sql`select ${columnsOf(DeviceEvent, 'e')} from device_events e
      where tenant = ${actor.tenant} and peripheral_uid = ${PeripheralUID} and timestamp >= ${Since}
        and before is not null
      order by timestamp desc, seq desc limit ${Limit}::int`)
  },
}
