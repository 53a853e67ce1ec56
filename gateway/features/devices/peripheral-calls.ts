import {
  DiscoveredPeripheral,
  type Peripheral,
  type peripheralCalls,
} from '../../../contract/resources/peripheral.ts'
import { capabilityOf } from '../../../contract/device-kinds/registry.ts'
import type { HandlersOf } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { findHome } from '../../lib/find-home.ts'
import type { ModbusTables } from './ports.ts'
import { holdPeripheral, snapshot } from './peripheral.ts'
import { refuseChanged } from '../../lib/refuse-changed.ts'
import { assignmentsOf, columnsOf } from '../../store/columns.ts'
import { type Db, sql } from '../../store/db.ts'

export const peripheralCallHandlers = ({
  holdModbusTable,
}: ModbusTables): HandlersOf<typeof peripheralCalls> => ({
  listByRoom: async ({ HomeID, RoomID }, { db, actor }) => {
    const found = await db.query(sql`select 1 from rooms
      where tenant = ${actor.tenant} and home_id = ${HomeID} and room_id = ${RoomID}`)
    if (!found.length) throw new GatewayError('NOT_FOUND', `Room ${RoomID} of home ${HomeID} does not exist`)
    return snapshot(db, actor.tenant, sql`and d.home_id = ${HomeID} and d.room_id = ${RoomID}`)
  },

  updateAdvance: async ({ HomeID, PeripheralUID, Seen, ...changes }, context) => {
    const { db, actor } = context
    if (changes.ParentMeter) await holdMeterTree(db, actor.tenant, HomeID)
    const before = await holdPeripheral({ HomeID, PeripheralUID }, context)
    refuseChanged(Seen, before)
    const after: Peripheral = { ...before, ...changes }
    if (after.ParentMeter !== null && after.ParentMeter !== before.ParentMeter)
      await checkParent(db, actor.tenant, after)
    if (changes.ModbusTableID) await holdModbusTable(context, changes.ModbusTableID)
    if (Object.keys(changes).length > 0)
      await db.query(sql`update peripherals set ${assignmentsOf(changes)}
      where tenant = ${actor.tenant} and peripheral_uid = ${PeripheralUID}`)
    context.change('peripheral.update', after)
    context.audit({ before, after })
    return after
  },

  listDiscovered: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<DiscoveredPeripheral>(sql`select ${columnsOf(DiscoveredPeripheral, 'd')} from discoveries d
      where d.tenant = ${actor.tenant} and d.home_id = ${HomeID} and not exists (select from peripherals p
        where p.tenant = d.tenant and p.peripheral_uid = d.peripheral_uid)
      order by d.discovered_at desc, d.peripheral_uid`)
  },
})

/** Two changes at once could close a loop that neither sees: one home's meter tree changes one at a time. */
const holdMeterTree = (db: Db, tenant: string, homeId: string) =>
  db.query(sql`select 1 from homes where tenant = ${tenant} and home_id = ${homeId} for no key update`)

/** Makes sure a parent is another meter of the same home and no loop closes. Errors: NOT_FOUND, CONFLICT. */
async function checkParent(
  db: Db,
  tenant: string,
  { HomeID, PeripheralUID, ParentMeter }: Peripheral,
): Promise<void> {
  const above = await db.query<{ uid: string; type: string }>(sql`
    with recursive above as (
      select peripheral_uid, peripheral_type, parent_meter from peripherals
      where tenant = ${tenant} and home_id = ${HomeID} and peripheral_uid = ${ParentMeter}
      union
      select p.peripheral_uid, p.peripheral_type, p.parent_meter from peripherals p
      join above on p.peripheral_uid = above.parent_meter where p.tenant = ${tenant})
    select peripheral_uid as uid, peripheral_type as type from above`)
  const parent = above.find(({ uid }) => uid === ParentMeter)
  if (!parent || !capabilityOf(parent.type, 'meter'))
    throw new GatewayError('NOT_FOUND', 'The parent is not a meter of this home', { ParentMeter: 'notFound' })
  if (above.some(({ uid }) => uid === PeripheralUID))
    throw new GatewayError('CONFLICT', 'A meter cannot stand above itself', { ParentMeter: 'loop' })
}
