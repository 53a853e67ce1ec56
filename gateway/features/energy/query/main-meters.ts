import { atTop, standsOf } from '../../../../contract/rules/meter/meter-tree.ts'
import type { Db } from '../../../store/db.ts'
import { metersOf } from './meters.ts'

/** Seconds between two reports of the meter at the top of a home that reports least often; null of a home without any. */
export async function slowestMainMeter(
  db: Db,
  { tenant, homeId }: { tenant: string; homeId: string },
): Promise<number | null> {
  const meters = (await metersOf(db, tenant, homeId)).filter(({ removedAt }) => removedAt === null)
  const stands = standsOf(meters)
  const main = meters.filter(({ PeripheralUID }) => atTop(stands.get(PeripheralUID)))
  return main.length === 0 ? null : Math.max(...main.map(({ frequency }) => frequency))
}
