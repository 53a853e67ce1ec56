import type { Db } from '../../store/db.ts'

/** A time of a meter whose energy must be rolled up again; epoch ms, both inclusive. */
interface DirtySpan {
  meterId: number
  from: number
  through: number
}

/** What corrections and imports need of those who roll up energy. */
export interface Rollup {
  /** Rolls up whatever changed of these meters, so that what is read afterwards is never stale. */
  settle(db: Db, meterIds: readonly number[]): Promise<void>
  /** The same for a call that reads; false, and nothing is rolled up, if that would keep it waiting. */
  settleForCall(db: Db, meterIds: readonly number[]): Promise<boolean>
  /** Waits until nobody else is at these meters, and holds them until the transaction ends. */
  holdMeters(tx: Db, meterIds: readonly number[]): Promise<void>
  markDirty(tx: Db, spans: readonly DirtySpan[]): Promise<void>
  /** From when on readings (epoch ms) and days (numbers) are kept. */
  readFloors(tx: Db): Promise<{ readings: number; days: number }>
  /** The most that each of these meters may pass in a month (since year 0), in kW. */
  mostKwOf(tx: Db, meterIds: readonly number[]): Promise<(meterId: number, month: number) => number>
}
