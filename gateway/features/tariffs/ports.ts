import type { DemandPeak } from '../../../contract/tariffs/bill-calls.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { HomeClock } from '../../domain/homes/find-home.ts'
import type { Db } from '../../kernel/db.ts'

/** Energy of one day of a home. */
export interface ProfileDay {
  /** kWh of each interval of 15 minutes. */
  kWh: Float64Array
  /** Known and expected number of intervals of its meters. */
  known: number
  total: number
  /** True if no meter measured the import, so that it is estimated from the other meters. */
  isUnmetered?: boolean
  /** Number of meters that measured each interval. */
  measured: ArrayLike<number>
  /** Number of meters whose hour is resolved, per interval (gateway/domain/energy/resolved-hours.ts). */
  resolved: ArrayLike<number>
}

export interface ReadHomeDemand {
  /**
   * Present demand, kW, from readings that count; null if no meter reports.
   *
   * Reporting, Meters  number of reporting meters, and of all meters in the home's total
   * AsOf               oldest of their last reports, epoch ms
   */
  now(at: number): Promise<{
    Rolling: number | null
    Forecast: number | null
    Reporting: number
    Meters: number
    AsOf: number | null
  }>
  /** Contribution of meters to the demand of an interval of 15 minutes, largest first; quarter counts from 0. */
  readSharesAt(timestamp: number, day: number, quarter: number): Promise<DemandPeak['Meters']>
}

export interface EnergyOfHomes {
  /** Errors: NOT_FOUND. */
  readHome(tenant: string, HomeID: string): Promise<HomeClock>
  /** Every day of a range, zeros where nothing is known; day numbers as from `dayOf`, the last exclusive. */
  loadProfile(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<Map<number, ProfileDay>>
  /**
   * Percentage of some days that is computed; undefined unless a backlog of readings affects them. Call it before reading the values, as
   * a backlog that ends in between must not let partial values pass for complete ones.
   */
  computedPercent(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<number | undefined>
  readDemand(tenant: string, HomeID: string): Promise<ReadHomeDemand>
  /**
   * Energy sold on each day of a range, kWh: the site's surplus, and the output of plants that sell all of it; null for a home without
   * such a meter. Call `loadProfile` for the same days before.
   */
  soldByDay(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<{ surplus: ReadonlyMap<number, number>; all: ReadonlyMap<number, number> | null }>
}

export interface BillOptions {
  db: Db
  clock: Pick<Clock, 'now'>
  energy: EnergyOfHomes
}
