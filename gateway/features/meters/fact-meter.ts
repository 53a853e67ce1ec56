import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import type { FactValues, MeterFactName } from '../../../contract/meters/meter-facts.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { MeterKey } from '../../domain/meters/meter-facts.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Suffix of the id of a meter's second register. */
const RETURN = '.return'

/** Facts that only a counter has. */
const COUNTED: readonly MeterFactName[] = ['limit']

/** A meter whose facts are read or changed, with the room and parent of its device. */
export interface FactMeter {
  /** Null before its first reading, and for a virtual meter. */
  meterId: number | null
  /** UID of the device, without the register. */
  PeripheralUID: string
  roomId: number
  parent: string | null
  isVirtual: boolean
  /** Terms of a virtual meter; null for others. */
  terms: FactValues['terms'] | null
}

/**
 * Finds a present or former meter of the home, or a virtual one.
 *
 * errors  NOT_FOUND; INVALID for a fact that this kind of meter does not have
 */
export async function findFactMeter(
  db: Db,
  { tenant, HomeID, MeterID }: MeterKey,
  fact: MeterFactName,
): Promise<FactMeter> {
  const uid = MeterID.endsWith(RETURN) ? MeterID.slice(0, -RETURN.length) : MeterID
  const [found] = await db.query<Omit<FactMeter, 'PeripheralUID'> & { type: string | null }>(sql`
    select m.meter_id as "meterId", coalesce(p.peripheral_type, b.peripheral_type) as type,
      coalesce(p.room_id, b.room_id, 0) as "roomId", coalesce(p.parent_meter, b.parent_meter) as parent,
      v.virtual_meter_id is not null as "isVirtual", v.terms
    from (select ${tenant}::uuid as tenant, ${HomeID} as home_id, ${uid} as uid, ${MeterID} as key) w
    left join meters m on m.tenant = w.tenant and m.home_id = w.home_id and m.peripheral_uid = w.key
    left join meters b on b.tenant = w.tenant and b.home_id = w.home_id and b.peripheral_uid = w.uid
    left join peripherals p on p.tenant = w.tenant and p.home_id = w.home_id and p.peripheral_uid = w.uid
    left join virtual_meters v on v.tenant = w.tenant and v.home_id = w.home_id and v.virtual_meter_id = w.key`)
  const isMeter =
    found !== undefined &&
    (found.isVirtual || found.meterId !== null || capabilityOf(found.type ?? '', 'meter') !== undefined)
  if (!isMeter)
    throw new GatewayError('NOT_FOUND', `Meter ${MeterID} does not exist`, { MeterID: 'notFound' })
  // A virtual meter has no counter of its own, and only virtual meters have terms.
  if (found.isVirtual ? COUNTED.includes(fact) : fact === 'terms')
    throw new GatewayError('INVALID', `Nothing can be said of the ${fact} of this meter`, { Fact: 'invalid' })
  const { type: _, ...meter } = found
  return { ...meter, PeripheralUID: uid }
}
