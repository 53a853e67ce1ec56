import type { Db } from '../../../store/db.ts'
import { flowsOfHome } from './home-flows.ts'
import { readHomes, type Meter, readCountedMeters } from './meters.ts'

/** Names a home of a company. */
interface HomeKey {
  tenant: string
  homeId: string
}

/** The meters that say what a home draws from the grid: those at its top, or its import meters. */
export async function mainMeters(db: Db, { tenant, homeId }: HomeKey): Promise<Meter[]> {
  const meters = (await readCountedMeters(db, tenant, homeId)).filter(({ removedAt }) => removedAt === null)
  const [{ zone } = { zone: 'UTC' }] = await readHomes(db, tenant, homeId)
  const { epochs, meters: taking } = flowsOfHome(meters, zone).of.import
  const now = new Set(epochs.at(-1)?.members.map(({ meterId }) => meterId))
  return taking.filter(
    ({ meterId, removedAt }) => removedAt === null && (meterId === null || now.has(meterId)),
  )
}

/** Seconds between two reports of the one of these meters that reports least often; null of none. */
export const slowestOf = (meters: readonly Meter[]): number | null =>
  meters.length === 0 ? null : Math.max(...meters.map(({ frequency }) => frequency))

/** The same of the meters at the top of a home. */
export const slowestMainMeter = async (db: Db, home: HomeKey): Promise<number | null> =>
  slowestOf(await mainMeters(db, home))
