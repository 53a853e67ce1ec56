import type { Db } from '../../../kernel/db.ts'
import { flowsOfHome } from './home-flows.ts'
import { readHomes, type Meter, readCountedMeters } from './meters.ts'

/** A home of a company. */
export interface TenantHome {
  tenant: string
  homeId: string
}

/** Meters that measure what a home draws from the grid: its import meters, or else its top-level meters. */
export async function mainMeters(db: Db, { tenant, homeId }: TenantHome): Promise<Meter[]> {
  const meters = (await readCountedMeters(db, tenant, homeId)).filter(({ removedAt }) => removedAt === null)
  const [{ zone } = { zone: 'UTC' }] = await readHomes(db, tenant, [homeId])
  const { epochs, meters: included } = flowsOfHome(meters, zone).of.import
  const now = new Set(epochs.at(-1)?.members.map(({ meterId }) => meterId))
  return included.filter(
    ({ meterId, removedAt }) => removedAt === null && (meterId === null || now.has(meterId)),
  )
}

/** Longest report interval of these meters, in seconds; null for an empty list. */
export const slowestOf = (meters: readonly Meter[]): number | null =>
  meters.length === 0 ? null : Math.max(...meters.map(({ frequency }) => frequency))

/** Longest report interval of the main meters of a home, in seconds. */
export const slowestMainMeter = async (db: Db, home: TenantHome): Promise<number | null> =>
  slowestOf(await mainMeters(db, home))
