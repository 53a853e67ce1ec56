import {
  DiscoveredPeripheral,
  type Peripheral,
  type peripheralCalls,
} from '../../contract/resources/peripheral.ts'
import type { HandlersOf } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { findHome } from '../resources/find-home.ts'
import { holdPeripheral, snapshot } from '../resources/peripheral.ts'
import { columnsOf } from '../store/columns.ts'
import { sql } from '../store/db.ts'

export const peripheralCallHandlers: HandlersOf<typeof peripheralCalls> = {
  listByRoom: async ({ HomeID, RoomID }, { db, actor }) => {
    const found = await db.query(sql`select 1 from rooms
      where tenant = ${actor.tenant} and home_id = ${HomeID} and room_id = ${RoomID}`)
    if (!found.length) throw new GatewayError('NOT_FOUND', `Room ${RoomID} of home ${HomeID} does not exist`)
    return snapshot(db, actor.tenant, sql`and d.home_id = ${HomeID} and d.room_id = ${RoomID}`)
  },

  updateAdvance: async ({ HomeID, PeripheralUID, ...changes }, context) => {
    const { db, actor } = context
    const before = await holdPeripheral({ HomeID, PeripheralUID }, context)
    const after: Peripheral = { ...before, ...changes }
    await db.query(sql`update peripherals set power_meter_update_frequency = ${after.PowerMeterUpdateFrequency},
        control_mode = ${after.ControlMode}, pulse_duration = ${after.PulseDuration}
      where tenant = ${actor.tenant} and peripheral_uid = ${PeripheralUID}`)
    context.change('peripheral.update', after)
    context.audit({ before, after })
    return after
  },

  listDiscovered: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<DiscoveredPeripheral>(sql`select ${columnsOf(DiscoveredPeripheral)} from discoveries
      where tenant = ${actor.tenant} and home_id = ${HomeID} order by discovered_at desc, peripheral_uid`)
  },
}
