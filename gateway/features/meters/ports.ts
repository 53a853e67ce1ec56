import type { DatedValue } from '../../../contract/meters/meter-facts.ts'
import type { Db } from '../../kernel/db.ts'
import type { HomeClock } from '../../domain/homes/find-home.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'

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

/** Prices of a home. */
interface Billing {
  /** Price table of a day; undefined if none is known. */
  versionOn(day: number): object | undefined
  /** Bill of a period with the energy of each interval of its days, kWh; null if a day has no price. */
  billOf(
    period: BillingPeriod,
    profile: ReadonlyMap<number, { kWh: Float64Array }>,
  ): { Energy: number } | null
}

/** Dependencies of the import of past energy. */
export interface ImportPorts extends Rollup {
  /** Limits of each of these meters on the days of a range, in kW: that of the first day, and each change. */
  readLimitsBetween(
    tx: Db,
    meterIds: readonly number[],
    days: { first: number; last: number },
  ): Promise<(meterId: number) => DatedValue<number>[]>
  readBilling(db: Db, tenant: string, home: HomeClock): Promise<Billing>
}
