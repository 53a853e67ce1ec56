import { DeviceEvent, type deviceEvents } from '../../../contract/devices/event-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
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

  listLastChange: ({ Field }, { db, actor }) =>
    db.query(sql`select p.peripheral_uid as "PeripheralUID", e.value as "Value", e.timestamp as "Since"
      from peripherals p cross join lateral (
        select value, timestamp from device_events e where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid
          and e.field = ${Field} order by e.timestamp desc, e.seq desc limit 1) e
      where p.tenant = ${actor.tenant} order by 1`),
}
