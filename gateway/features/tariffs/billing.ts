import type { Bill, BillTerms } from '../../../contract/tariffs/bill.ts'
import { billingCycles, type BillingPeriod, billingPeriodOn } from '../../domain/tariffs/billing-periods.ts'
import type { Db } from '../../kernel/db.ts'
import { lackingIn } from './advice.ts'
import { billParts, createBandTable, wholeBill } from './bill-parts.ts'
import type { HomeClock } from '../../domain/homes/home-clock.ts'
import type { ProfileDay } from './ports.ts'
import { tariffPieceOn, tariffsOfHome, versionIn } from './tariffs-of-home.ts'

/** Terms of a home without a contract. */
const NO_TERMS: BillTerms = { Capacities: {}, Phases: 'three', PowerFactor: null }

/** Billing of a home for other features: its periods, prices and terms by day, and the bill of any days. */
export async function readBilling(db: Db, tenant: string, { HomeID, zone }: HomeClock) {
  const tariffs = await tariffsOfHome(db, tenant, HomeID)
  const cycles = billingCycles(tariffs.Pieces.map(({ Terms }) => Terms))
  const bandsOf = createBandTable(tariffs.OffPeakDays, zone)
  const versionOn = (day: number) => versionIn(tariffs, day)
  const termsOn = (day: number): BillTerms => tariffPieceOn(tariffs, day)?.Terms ?? NO_TERMS
  const partsOf = (period: BillingPeriod, profile: ReadonlyMap<number, Pick<ProfileDay, 'kWh'>>) =>
    billParts(period, daysOf(profile), versionOn, bandsOf, termsOn)
  return {
    offPeakDays: tariffs.OffPeakDays,
    periodOn: (day: number): BillingPeriod => billingPeriodOn(day, cycles),
    versionOn,
    lackingPeakDays: (periods: readonly Pick<BillingPeriod, 'FromDay' | 'EndDay'>[]) =>
      lackingIn(periods, (day) => tariffPieceOn(tariffs, day)?.Version),
    termsOn,
    planOn: (day: number): string | null => tariffPieceOn(tariffs, day)?.Terms.PlanID ?? null,
    feedInOn: (day: number): number | null => tariffPieceOn(tariffs, day)?.Terms.FeedIn ?? null,
    /** Splits a period by price; days without a price are omitted. */
    partsOf,
    billOf: (period: BillingPeriod, profile: ReadonlyMap<number, Pick<ProfileDay, 'kWh'>>): Bill | null =>
      wholeBill(period, partsOf(period, profile), NO_TERMS),
  }
}

/** Days with energy only: a bill does not depend on how it is known. */
export const daysOf = (profile: ReadonlyMap<number, Pick<ProfileDay, 'kWh'>>): Map<number, ProfileDay> =>
  new Map(
    [...profile].map(([day, { kWh }]) => [
      day,
      { kWh, known: 0, total: 0, measured: new Int32Array(kWh.length), resolved: new Int32Array(kWh.length) },
    ]),
  )
