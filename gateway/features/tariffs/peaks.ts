import { dayOf, formatDay, QUARTER_MS, startOfDay } from '../../../contract/time/periods.ts'
import { billOf, type BillPart } from '../../../contract/tariffs/bill.ts'
import { billingCycles, type BillingPeriod, billingPeriodOn } from '../../domain/tariffs/billing-periods.ts'
import { type Band, BANDS } from '../../../contract/tariffs/tariff-terms.ts'
import type { Db } from '../../kernel/db.ts'
import { billParts, createBandTable } from './bill-parts.ts'
import { limitAt, limitsOf } from './capacity.ts'
import type { EnergyOfHomes, ProfileDay } from './ports.ts'
import { type HomeTariffs, tariffPieceOn, tariffsOfHome, versionIn } from './tariffs-of-home.ts'

/** Energy that a home did not draw because loads were off: kWh by the first ms of its 15 minutes. */
export type SparedEnergy = ReadonlyMap<number, number>

/** Peak that shedding avoided in one band of one billing period; Cost in NT$, null if a part has no price. */
export interface AvoidedPeak {
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
  energy: Pick<EnergyOfHomes, 'homeOf' | 'loadProfile'>
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
    async allowedAt(tenant: string, HomeID: string, at: number, withBilled: boolean) {
      const home = await energy.homeOf(tenant, HomeID)
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
    async avoided(tenant: string, HomeID: string, savedEnergy: SparedEnergy): Promise<AvoidedPeak[]> {
      const home = await energy.homeOf(tenant, HomeID)
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
    (day) => tariffPieceOn(tariffs, day)?.Terms ?? NO_TERMS,
  )
const NO_TERMS = { Capacities: {}, Phases: 'three' as const, PowerFactor: null }

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
  const total = (some: readonly BillPart[]) => billOf(some, days, Months, NO_TERMS).Total
  const highest = (some: readonly BillPart[], band: Band) =>
    Math.max(0, ...some.flatMap(({ peakKw }) => peakKw[band] ?? []))
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
