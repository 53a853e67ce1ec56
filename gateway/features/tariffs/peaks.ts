import { dayOf, formatDay, QUARTER_MS, startOfDay } from '../../../contract/time/periods.ts'
import { NO_BILL_TERMS, billOf, type BillPart, agreedFor } from '../../../contract/tariffs/bill.ts'
import { billingCycles, type BillingPeriod, billingPeriodOn } from '../../domain/tariffs/billing-periods.ts'
import { type Band, BANDS, lackingPeakDays, seasonOf } from '../../../contract/tariffs/tariff-terms.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { inHomes } from '../../store/sql.ts'
import type { DemandPeak } from '../../../contract/tariffs/bill-calls.ts'
import type { HomeClock } from '../../domain/homes/find-home.ts'
import { billParts, createBandTable } from './bill-parts.ts'
import type { EnergyOfHomes, ProfileDay } from './ports.ts'
import { type HomeTariffs, tariffPieceOn, tariffsOfHome, versionIn } from './tariffs-of-home.ts'

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

/** Homes of a company with their time zones; null means all. */
export const readHomes = (db: Db, tenant: string, homes: readonly string[] | null): Promise<HomeClock[]> =>
  db.query(sql`select home_id as "HomeID", time_zone as zone from homes
    where tenant = ${tenant} and ${inHomes(homes, sql`home_id`)} order by 1`)

/** Homes of a company that have or had a contract, with their time zones. */
export const homesWithContract = (db: Db, tenant: string): Promise<HomeClock[]> =>
  db.query(sql`select h.home_id as "HomeID", h.time_zone as zone from homes h where h.tenant = ${tenant} and exists (
    select from home_tariffs f where f.tenant = h.tenant and f.home_id = h.home_id and f.capacities ? 'regular') order by 1`)

/** Energy that a home did not draw because loads were off: kWh by the first ms of its 15 minutes. */
type SparedEnergy = ReadonlyMap<number, number>

/** Peak that shedding avoided in one band of one billing period; Cost in NT$, null if a part has no price. */
interface AvoidedPeak {
  /** `2026-11-01`. */
  From: string
  Band: Band
  /** Actual peak, and the peak without shedding, kW. */
  Peak: number
  PeakWithout: number
  Cost: number | null
}

interface Options {
  db: Db
  energy: Pick<EnergyOfHomes, 'readHome' | 'loadProfile'>
}

/** Cost of a home's demand peaks. */
export function createPeaks({ db, energy }: Options) {
  return {
    /**
     * Limit of the contract at a time, and the highest demand that is billed anyway in that band and billing period, kW; null if there
     * is none.
     *
     * withBilled  whether to compute the latter, which reads all of the period's energy
     */
    async readAllowed(tenant: string, HomeID: string, at: number, withBilled: boolean) {
      const home = await energy.readHome(tenant, HomeID)
      const tariffs = await tariffsOfHome(db, tenant, HomeID)
      const { Band, Limit } = limitAt(limitsOf(tariffs, home), at, home.zone)
      if (!withBilled || Limit === null || Band === null) return { Limit, billed: null }
      const day = dayOf(at, home.zone)
      const period = periodOf(tariffs, day)
      const profile = await energy.loadProfile(tenant, home, period.FromDay, day + 1)
      const parts = partsOf(tariffs, { ...period, EndDay: day + 1 }, profile, home.zone)
      const peaks = parts.flatMap(({ peakKw }) => peakKw[Band] ?? [])
      return { Limit, billed: peaks.length > 0 ? Math.max(...peaks) : null }
    },

    /** Estimated peaks avoided in the billing periods with saved energy, newest first. */
    async readAvoided(tenant: string, HomeID: string, savedEnergy: SparedEnergy): Promise<AvoidedPeak[]> {
      const home = await energy.readHome(tenant, HomeID)
      const tariffs = await tariffsOfHome(db, tenant, HomeID)
      const periods = new Map<number, BillingPeriod>()
      for (const at of savedEnergy.keys()) {
        const period = periodOf(tariffs, dayOf(at, home.zone))
        periods.set(period.FromDay, period)
      }
      const found: AvoidedPeak[] = []
      for (const period of [...periods.values()].toSorted((a, b) => b.FromDay - a.FromDay)) {
        const profile = await energy.loadProfile(tenant, home, period.FromDay, period.EndDay)
        const parts = partsOf(tariffs, period, profile, home.zone)
        const partsWithout = partsOf(tariffs, period, withSpared(profile, savedEnergy, home.zone), home.zone)
        found.push(...bandsOf(period, parts, partsWithout))
      }
      return found
    },
  }
}

const periodOf = (tariffs: HomeTariffs, day: number): BillingPeriod =>
  billingPeriodOn(day, billingCycles(tariffs.Pieces.map(({ Terms }) => Terms)))

const partsOf = (
  tariffs: HomeTariffs,
  period: BillingPeriod,
  profile: ReadonlyMap<number, ProfileDay>,
  zone: string,
): BillPart[] =>
  billParts(
    period,
    profile,
    (day) => versionIn(tariffs, day),
    createBandTable(tariffs.OffPeakDays, zone),
    (day) => tariffPieceOn(tariffs, day)?.Terms ?? NO_BILL_TERMS,
  )

/** Same days with the saved energy added, as if it had been drawn. */
function withSpared(
  profile: ReadonlyMap<number, ProfileDay>,
  savedEnergy: SparedEnergy,
  zone: string,
): Map<number, ProfileDay> {
  const profileWithSaved = new Map(profile)
  for (const [at, kWh] of savedEnergy) {
    const day = dayOf(at, zone)
    const before = profileWithSaved.get(day)
    if (!before) continue
    const quarters = before === profile.get(day) ? Float64Array.from(before.kWh) : before.kWh
    const quarter = Math.floor((at - startOfDay(day, zone)) / QUARTER_MS)
    quarters[quarter] = (quarters[quarter] ?? 0) + kWh
    profileWithSaved.set(day, { ...before, kWh: quarters })
  }
  return profileWithSaved
}

/** Cost difference for each band whose highest demand would have been higher; the energy is unchanged. */
function bandsOf(
  { FromDay, EndDay, Months }: BillingPeriod,
  parts: readonly BillPart[],
  partsWithout: readonly BillPart[],
): AvoidedPeak[] {
  const days = EndDay - FromDay
  const isPriced = parts.reduce((sum, { Days }) => sum + Days, 0) === days
  const total = (some: readonly BillPart[]) => billOf(some, days, Months, NO_BILL_TERMS).Total
  const highest = (selected: readonly BillPart[], band: Band) =>
    Math.max(0, ...selected.flatMap(({ peakKw }) => peakKw[band] ?? []))
  return BANDS.flatMap((Band) => {
    const [Peak, PeakWithout] = [highest(parts, Band), highest(partsWithout, Band)]
    if (PeakWithout <= Peak + 1e-9) return []
    const higher = parts.map((part, i) => {
      const peak = partsWithout[i]?.peakKw[Band]
      return { ...part, peakKw: { ...part.peakKw, ...(peak !== undefined && { [Band]: peak }) } }
    })
    const Cost = isPriced ? Math.round((total(higher) - total(parts)) * 100) / 100 : null
    return [{ From: formatDay(FromDay), Band, Peak, PeakWithout, Cost }]
  })
}
