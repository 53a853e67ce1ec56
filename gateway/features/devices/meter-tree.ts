import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { defaultRoleOf, mayHangBelow } from '../../../contract/devices/meter-roles.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { factsOfHome } from '../../domain/meters/meter-facts.ts'
import { type Db, sql } from '../../kernel/db.ts'

/**
 * Checks that a parent is another meter of the same home and closes no loop.
 *
 * field   field of the input that names the parent
 * errors  NOT_FOUND; CONFLICT; INVALID for a meter whose role does not fit its parent's
 */
export async function assertParentMeter(
  db: Db,
  tenant: string,
  { HomeID, PeripheralUID, ParentMeter }: Pick<Peripheral, 'HomeID' | 'PeripheralUID' | 'ParentMeter'>,
  field = 'ParentMeter',
): Promise<void> {
  const ancestors = await db.query<{ uid: string; type: string }>(sql`
    with recursive above as (
      select peripheral_uid, peripheral_type, parent_meter from peripherals
      where tenant = ${tenant} and home_id = ${HomeID} and peripheral_uid = ${ParentMeter}
      union
      select p.peripheral_uid, p.peripheral_type, p.parent_meter from peripherals p
      join above on p.peripheral_uid = above.parent_meter where p.tenant = ${tenant})
    select peripheral_uid as uid, peripheral_type as type from above`)
  const parent = ancestors.find(({ uid }) => uid === ParentMeter)
  if (!parent || !capabilityOf(parent.type, 'meter'))
    throw new GatewayError('NOT_FOUND', 'The parent is not a meter of this home', { [field]: 'notFound' })
  if (ancestors.some(({ uid }) => uid === PeripheralUID))
    throw new GatewayError('CONFLICT', 'A meter cannot stand above itself', { [field]: 'loop' })
  const { on } = await factsOfHome(db, tenant, HomeID)
  const roleOf = (uid: string) => on(uid, 'role', Infinity) ?? defaultRoleOf(uid)
  if (!mayHangBelow(roleOf(PeripheralUID), roleOf(parent.uid)))
    throw new GatewayError('INVALID', 'The roles of these meters do not go together', { [field]: 'role' })
}
