import type { DemandPeak } from '../../../contract/tariffs/bill-calls.ts'
import { dayOf, QUARTER_MS, startOfDay } from '../../../contract/time/periods.ts'
import { agreedFor } from '../../../contract/tariffs/bill.ts'
import { BANDS, lackingPeakDays, seasonOf } from '../../../contract/tariffs/tariff-terms.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { createBandTable } from './bill-parts.ts'
import type { HomeClock } from '../../domain/homes/home-clock.ts'
import { type HomeTariffs, tariffPieceOn, tariffsOfHome } from './tariffs-of-home.ts'

type Limits = ReturnType<typeof limitsOf>

/** Band of an interval, and the contract's limit in it, kW. */
export function limitsOf(tariffs: HomeTariffs, { zone }: { zone: string }) {
  const bandsOf = createBandTable(tariffs.OffPeakDays, zone)
  return (day: number, quarter: number, quarters: number): Pick<DemandPeak, 'Band' | 'Limit'> => {
    const piece = tariffPieceOn(tariffs, day)
    // On a day that may be an announced peak day, the limit of other hours could be too high.
    if (!piece || lackingPeakDays(piece.Version, day)) return { Band: null, Limit: null }
    const Band = BANDS[bandsOf(piece.Version, day, quarters)[quarter] ?? 0] ?? null
    const { Capacities } = piece.Terms
    const agreed =
      Band && Capacities.regular ? agreedFor(Band, seasonOf(piece.Version, day), Capacities) : null
    return { Band, Limit: agreed?.limit ?? null }
  }
}

/** Band and limit of the interval that contains a time, epoch ms. */
export function limitAt(limits: Limits, at: number, zone: string): ReturnType<Limits> {
  const day = dayOf(at, zone)
  const begin = startOfDay(day, zone)
  return limits(day, Math.floor((at - begin) / QUARTER_MS), (startOfDay(day + 1, zone) - begin) / QUARTER_MS)
}

/** Limit of a home's contract for its demand at a time, kW, as its bill counts it; null without a contract. */
export async function readCapacity(
  db: Db,
  tenant: string,
  { HomeID, zone }: HomeClock,
  at: number,
): Promise<number | null> {
  return limitAt(limitsOf(await tariffsOfHome(db, tenant, HomeID), { zone }), at, zone).Limit
}

/** Homes of a company with their time zones. */
export const readHomes = (db: Db, tenant: string): Promise<HomeClock[]> =>
  db.query(sql`select home_id as "HomeID", time_zone as zone from homes where tenant = ${tenant} order by 1`)

/** Homes of a company that have or had a contract, with their time zones. */
export const homesWithContract = (db: Db, tenant: string): Promise<HomeClock[]> =>
  db.query(sql`select h.home_id as "HomeID", h.time_zone as zone from homes h where h.tenant = ${tenant} and exists (
    select from home_tariffs f where f.tenant = h.tenant and f.home_id = h.home_id and f.capacities ? 'regular') order by 1`)
