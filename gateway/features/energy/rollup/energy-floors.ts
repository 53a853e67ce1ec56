import { type Db, sql } from '../../../store/db.ts'

/** The first day that can be asked for: the least the column takes. */
const FIRST_DAY = -2_147_483_647

/** From when on rows are kept whole: what was computed of older ones stays as it is. */
export interface Floors {
  /** Epoch ms; the first ms of a month in UTC. */
  readings: number
  /** A day's number; the first of a month. */
  days: number
}

/** The floors as they stand; where nothing was ever dropped, before everything. */
export async function readRetentionFloors(tx: Db): Promise<Floors> {
  const rows = await tx.query<{ sort: keyof Floors; floor: number }>(
    sql`select sort, floor from energy_floors`,
  )
  return { readings: 0, days: FIRST_DAY, ...Object.fromEntries(rows.map(({ sort, floor }) => [sort, floor])) }
}
