import {
  answeredPeripheral,
  DiscoveredPeripheral,
  type Peripheral,
  type peripheralCalls,
} from '../../../contract/devices/peripheral.ts'
import { mayLimit } from '../../../contract/devices/kinds/history-fields.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import type { Groups, ModbusTables } from './ports.ts'
import { lockMeterFacts } from '../../domain/meters/meter-facts.ts'
import { checkWeights, treeOfHome } from '../../domain/meters/home-tree.ts'
import { transferMeters } from '../../domain/meters/move-meter.ts'
import { rateMeter } from '../../domain/meters/meter-limit.ts'
import { assertParentMeter, lockPeripheral, snapshot } from './peripheral.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'
import { assignmentsOf, columnsOf } from '../../store/sql.ts'
import { sql } from '../../kernel/db.ts'

/** Settings that determine facts of a meter. */
const RATING = ['ParentMeter', 'RatedCurrent', 'Voltage', 'PhaseElectricPower'] as const

export const peripheralCallHandlers = ({
  lockModbusTable,
  onFieldsChanged: fieldsChanged,
}: ModbusTables & Groups): HandlersOf<typeof peripheralCalls> => ({
  listByRoom: async ({ HomeID, RoomID }, { db, actor }) => {
    const found = await db.query(sql`select 1 from rooms
      where tenant = ${actor.tenant} and home_id = ${HomeID} and room_id = ${RoomID}`)
    if (!found.length) throw new GatewayError('NOT_FOUND', `Room ${RoomID} of home ${HomeID} does not exist`)
    return snapshot(db, actor.tenant, sql`and d.home_id = ${HomeID} and d.room_id = ${RoomID}`)
  },

  updateAdvance: async ({ HomeID, PeripheralUID, Seen, ...changes }, context) => {
    const { db, actor } = context
    if (RATING.some((field) => changes[field] !== undefined)) await lockMeterFacts(db, actor.tenant, HomeID)
    const before = await lockPeripheral({ HomeID, PeripheralUID }, context)
    assertUnchanged(Seen, before)
    const after: Peripheral = { ...before, ...changes }
    if (after.ParentMeter !== null && after.ParentMeter !== before.ParentMeter)
      await assertParentMeter(db, actor.tenant, after)
    checkLimits(after, changes)
    if (changes.ModbusTableID) await lockModbusTable(context, changes.ModbusTableID)
    if (Object.keys(changes).length > 0)
      await db.query(sql`update peripherals set ${assignmentsOf(changes)}
      where tenant = ${actor.tenant} and peripheral_uid = ${PeripheralUID}`)
    await transferMeters(context, HomeID, [{ before, after }])
    if (after.ParentMeter !== before.ParentMeter) checkWeights(await treeOfHome(db, actor.tenant, HomeID))
    await rateMeter(context, { before, after })
    if (after.ModbusTableID !== before.ModbusTableID) await fieldsChanged(context, [PeripheralUID])
    context.change('peripheral.update', after)
    context.audit({ before, after })
    return answeredPeripheral(after)
  },

  listDiscovered: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<DiscoveredPeripheral>(sql`select ${columnsOf(DiscoveredPeripheral, 'd')} from discoveries d
      where d.tenant = ${actor.tenant} and d.home_id = ${HomeID} and not exists (select from peripherals p
        where p.tenant = d.tenant and p.peripheral_uid = d.peripheral_uid)
      order by d.discovered_at desc, d.peripheral_uid`)
  },
})

/** Checks that new limits are for values that the device measures. Errors: INVALID. */
function checkLimits({ PeripheralType }: Peripheral, { ValueLimits }: Partial<Peripheral>): void {
  const unsupportedPaths = Object.keys(ValueLimits ?? {}).filter((path) => !mayLimit(PeripheralType, path))
  if (unsupportedPaths.length > 0)
    throw new GatewayError(
      'INVALID',
      `A device of type ${PeripheralType} takes no limits of ${unsupportedPaths.join(', ')}`,
      Object.fromEntries(unsupportedPaths.map((path) => [`ValueLimits.${path}`, 'notMeasured'])),
    )
}
