import { atTop, standsOf } from '../../../../contract/rules/meter/meter-tree.ts'
import type { Db } from '../../../store/db.ts'
import { type Meter, metersOf } from './meters.ts'

/** Names a home of a company. */
interface HomeKey {
  tenant: string
  homeId: string
}

/** The meters at the top of a home. */
export async function mainMeters(db: Db, { tenant, homeId }: HomeKey): Promise<Meter[]> {
  const meters = (await metersOf(db, tenant, homeId)).filter(({ removedAt }) => removedAt === null)
  const stands = standsOf(meters)
  return meters.filter(({ PeripheralUID }) => atTop(stands.get(PeripheralUID)))
}

/** Seconds between two reports of the one of these meters that reports least often; null of none. */
export const slowestOf = (meters: readonly Meter[]): number | null =>
  meters.length === 0 ? null : Math.max(...meters.map(({ frequency }) => frequency))

/** The same of the meters at the top of a home. */
export const slowestMainMeter = async (db: Db, home: HomeKey): Promise<number | null> =>
  slowestOf(await mainMeters(db, home))
