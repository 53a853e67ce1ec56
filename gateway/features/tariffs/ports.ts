import type { DemandPeak } from '../../../contract/tariffs/bill-calls.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { Db } from '../../store/db.ts'

/** A home with its clock. */
export interface HomeClock {
  HomeID: string
  /** IANA. */
  zone: string
}

/** A day of a home. */
export interface ProfileDay {
  /** kWh of each interval of 15 minutes. */
  kWh: Float64Array
  /** How many intervals of its meters are known, and how many should be. */
  known: number
  total: number
  /** True where no meter saw what was bought, so that it is estimated from what the others leave. */
  isUnmetered?: boolean
  /** Of how many meters each interval was measured. */
  measured: ArrayLike<number>
  /** Number of meters whose hour is resolved, per interval (gateway/domain/energy/resolved-hours.ts). */
  resolved: ArrayLike<number>
}

/** What meters of a home draw. */
export interface ReadHomeDemand {
  /**
   * Now, in kW, by the readings that count; null when no meter can say.
   *
   * Reporting, Meters  how many meters can say, and how many make the home's total
   * AsOf               of their last reports the oldest, epoch ms
   */
  now(at: number): Promise<{
    Rolling: number | null
    Forecast: number | null
    Reporting: number
    Meters: number
    AsOf: number | null
  }>
  /** Which meters made the demand of an interval of 15 minutes, the largest first; quarter counts from 0. */
  sharesAt(timestamp: number, day: number, quarter: number): Promise<DemandPeak['Meters']>
}

/** What bills need of the energy of homes. */
export interface EnergyOfHomes {
  /** Errors: NOT_FOUND. */
  homeOf(tenant: string, HomeID: string): Promise<HomeClock>
  /** Every day of a range, of zeros where nothing is known; days as `dayOf` numbers them, the last exclusive. */
  loadProfile(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<Map<number, ProfileDay>>
  /**
   * Percent of some days that is computed; undefined unless a backlog of readings waits that touches them. To be called before the
   * figures are read: a backlog that ends in between must not make partial figures pass for whole ones.
   */
  computedPercent(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<number | undefined>
  demandOf(tenant: string, HomeID: string): Promise<ReadHomeDemand>
  /**
   * What was sold on each day of a range, kWh: what the site did not use, and what plants counted all of whose energy is sold; null of
   * a home without such a meter. The load profile of the same days was asked for before.
   */
  soldByDay(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<{ surplus: ReadonlyMap<number, number>; all: ReadonlyMap<number, number> | null }>
}

/** What bills are made of. */
export interface BillOptions {
  db: Db
  clock: Pick<Clock, 'now'>
  energy: EnergyOfHomes
}
