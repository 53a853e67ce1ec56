import { type Db, sql } from '../../../kernel/db.ts'

/** Smallest day number that the column can store. */
const FIRST_DAY = -2_147_483_647

/** Start of complete retention of readings and days: results computed from older rows are final. */
export interface Floors {
  /** Epoch ms; the first ms of a month in UTC. */
  readings: number
  /** A day's number; the first of a month. */
  days: number
}

/** Reads the floors; by default they lie before all data. */
export async function readRetentionFloors(tx: Db): Promise<Floors> {
  const rows = await tx.query<{ sort: keyof Floors; floor: number }>(
    sql`select sort, floor from energy_floors`,
  )
  return { readings: 0, days: FIRST_DAY, ...Object.fromEntries(rows.map(({ sort, floor }) => [sort, floor])) }
}
