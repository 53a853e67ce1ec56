import type { Db } from '../../kernel/db.ts'

/** A time of a meter whose energy must be rolled up again; epoch ms, both inclusive. */
interface DirtySpan {
  meterId: number
  from: number
  through: number
}

export interface Rollup {
  /** Rolls up all changes of these meters, so that later reads are not stale. */
  rollUp(db: Db, meterIds: readonly number[]): Promise<void>
  /** Rolls up before a read; false, without rolling up, if that would make the caller wait. */
  ensureFresh(db: Db, meterIds: readonly number[]): Promise<boolean>
  lockMeters(tx: Db, meterIds: readonly number[]): Promise<void>
  markDirty(tx: Db, spans: readonly DirtySpan[]): Promise<void>
  /** Start of the retained readings (epoch ms) and days (day numbers). */
  readFloors(tx: Db): Promise<{ readings: number; days: number }>
  /** Maximum power of each of these meters in a month (since year 0), kW. */
  readMaxKw(tx: Db, meterIds: readonly number[]): Promise<(meterId: number, month: number) => number>
}
