import { dayOf } from '../../../contract/time/periods.ts'
import type { AdviceRefusal } from '../../../contract/tariffs/advice.ts'
import { NO_BILL_TERMS, type Bill, type BillTerms } from '../../../contract/tariffs/bill.ts'
import {
  type BillingPeriod,
  billingPeriodsBefore,
  billingCycles,
  billingPeriodOn,
} from '../../domain/tariffs/billing-periods.ts'
import { supplyOf } from '../../../contract/tariffs/supply.ts'
import { leastContract, TAIPOWER_PLANS } from '../../../contract/tariffs/taipower-plans.ts'
import { pricing, seasonOf, type TariffVersion, versionOn } from '../../../contract/tariffs/tariff-terms.ts'
import type { HomeClock } from '../../domain/homes/find-home.ts'
import type { Db } from '../../kernel/db.ts'
import { createAdvice, lackingIn } from './advice.ts'
import { type BandTable, billParts, createBandTable, type MeasuredPart, wholeBill } from './bill-parts.ts'
import { bestContract, hasContracts, type PlanPeriods } from './compare-plans.ts'
import {
  billed,
  cyclesOf,
  termsOn,
  tariffPieceOn,
  tariffsOfHome,
  readVersions,
  versionIn,
} from './tariffs-of-home.ts'
import type { BillOptions, ProfileDay } from './ports.ts'

/** Billing of a home for other features: its periods, prices and terms by day, and the bill of any days. */
export async function readBilling(db: Db, tenant: string, { HomeID, zone }: HomeClock) {
  const tariffs = await tariffsOfHome(db, tenant, HomeID)
  const cycles = billingCycles(tariffs.Pieces.map(({ Terms }) => Terms))
  const bandsOf = createBandTable(tariffs.OffPeakDays, zone)
  const versionOn = (day: number) => versionIn(tariffs, day)
  const termsOn = (day: number): BillTerms => tariffPieceOn(tariffs, day)?.Terms ?? NO_BILL_TERMS
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
      wholeBill(period, partsOf(period, profile), NO_BILL_TERMS),
  }
}

/** Days with energy only: a bill does not depend on how it is known. */
const daysOf = (profile: ReadonlyMap<number, Pick<ProfileDay, 'kWh'>>): Map<number, ProfileDay> =>
  new Map(
    [...profile].map(([day, { kWh }]) => [
      day,
      { kWh, known: 0, total: 0, measured: new Int32Array(kWh.length), resolved: new Int32Array(kWh.length) },
    ]),
  )

type Loads = ReadonlyMap<number, Pick<ProfileDay, 'kWh'>>

/** Present or possible contract terms. */
interface ContractTerms {
  PlanID: string
  Capacities: BillTerms['Capacities']
  PowerFactor: number | null
}

/** Terms that may differ from the present ones in a bill. */
interface VariableTerms {
  /** Another plan of the same supply that the comparison of plans shows as cheaper, with its best contract. */
  plan: boolean
  /** Another contract under the present plan. */
  contract: boolean
  /** Raised to 95 % if it is lower. */
  powerFactor: boolean
}

/** Power factor above which there is no further discount. */
const BEST_POWER_FACTOR = 95

/** Bills of a home's last 12 months under the present terms. */
interface YearBills {
  periods: readonly BillingPeriod[]
  /** Reason why the 12 months allow no advice; null if they do. */
  refusal: AdviceRefusal | null
  /** Energy of the bills, by day. */
  loads: Loads
  /** The bills with their lines. */
  actual: readonly Bill[]
  /** Share of each period (0 to 1) that is known as well as its prices require. */
  measured: readonly number[]
  /** Lowest total of the bills of other energy, and the terms for it. NT$ in the order of `periods`. */
  minimizeBills(loads: Loads, allowed: VariableTerms): { bills: number[]; agreed: ContractTerms }
}

/** Billing of a home for estimates of savings. */
interface SavingBills {
  /** Day number of today, in the home's time zone. */
  today: number
  now: ContractTerms
  /** Whether the plan charges by the power factor. */
  judgesPowerFactor: boolean
  /** Bill of some days by today's prices and season, as one period of months of 30 days; the power factor is today's unless given. */
  ofDays(loads: Loads, fromDay: number, endDay: number, PowerFactor?: number | null): Bill
  /** Null if a day of these months has no price. */
  year: YearBills | null
}

/**
 * Reads the bills from which savings are computed. Errors: NOT_FOUND.
 *
 * returns  null if the home has no tariff today
 */
export async function readSavingBills(
  { db, clock, energy }: BillOptions,
  tenant: string,
  home: HomeClock,
): Promise<SavingBills | null> {
  const tariffs = await tariffsOfHome(db, tenant, home.HomeID)
  const today = dayOf(clock.now(), home.zone)
  const piece = tariffPieceOn(tariffs, today)
  if (!piece) return null
  const terms = termsOn(tariffs, today)
  const bandsOf = createBandTable(tariffs.OffPeakDays, home.zone)
  const { PlanID, Capacities, PowerFactor } = terms
  const always = ofOneSeason(piece.Version, today)
  const cycles = cyclesOf(tariffs)
  const periods = billingPeriodsBefore(today, 12, cycles)
  const computedPercent = await energy.computedPercent(tenant, home, periods[0]?.FromDay ?? today, today)
  const profile = await energy.loadProfile(tenant, home, periods[0]?.FromDay ?? today, today)
  const plans = await readVersions(db, tenant, [PlanID, ...alternativePlans(PlanID)])
  const refusalFor = createAdvice({ profile, periods, cycles, today, months: 12, computedPercent })
  return {
    today,
    now: { PlanID, Capacities, PowerFactor },
    judgesPowerFactor: piece.Version.PowerFactor,
    ofDays: (loads, FromDay, EndDay, factor = PowerFactor) => {
      const period = { FromDay, EndDay, Months: (EndDay - FromDay) / 30 }
      const parts = billParts(period, daysOf(loads), () => always, bandsOf)
      return wholeBill(period, parts, { ...terms, PowerFactor: factor }) as Bill
    },
    year: yearOf({ plans, periods, profile, bandsOf, terms: { ...terms, PlanID }, refusalFor }),
  }
}

/** Other available plans for the home's supply; none if that is unknown. */
function alternativePlans(PlanID: string): string[] {
  const supply = supplyOf(PlanID)
  return TAIPOWER_PLANS.flatMap((plan) =>
    supply !== undefined && supplyOf(plan.PlanID) === supply && !plan.PlanID.endsWith('_frozen')
      ? [plan.PlanID]
      : [],
  )
}

/** Version in which the season of a day lasts all year. */
const ofOneSeason = (version: TariffVersion, day: number): TariffVersion => ({
  ...version,
  Seasons: [{ ...seasonOf(version, day), From: '01-01', Through: '12-31' }],
})

interface YearOptions {
  plans: ReadonlyMap<string, readonly TariffVersion[]>
  periods: readonly BillingPeriod[]
  profile: ReadonlyMap<number, ProfileDay>
  bandsOf: BandTable
  terms: BillTerms & { PlanID: string }
  refusalFor: ReturnType<typeof createAdvice>
}

function yearOf({ plans, periods, profile, bandsOf, terms, refusalFor }: YearOptions): YearBills | null {
  const partsOf = (PlanID: string, loads: ReadonlyMap<number, ProfileDay>): MeasuredPart[][] =>
    periods.map((period) =>
      billParts(period, loads, (day) => pricing(versionOn(plans.get(PlanID) ?? [], day), day), bandsOf),
    )
  const wasParts = partsOf(terms.PlanID, profile)
  const actual = billsOf(periods, wasParts, terms)
  if (!actual) return null
  const others = [...plans.keys()].filter((PlanID) => PlanID !== terms.PlanID)
  const presentOn = (day: number) => pricing(versionOn(plans.get(terms.PlanID) ?? [], day), day)
  const shownTotal = (PlanID: string, parts: MeasuredPart[][]) =>
    totalUnder(periods, parts, { ...terms, Capacities: shownCapacities({ PlanID, parts }, periods, terms) })
  const present = shownTotal(terms.PlanID, wasParts) ?? 0
  const open = others.filter((PlanID) => {
    const parts = partsOf(PlanID, profile)
    if (refusalFor(parts, (day) => versionOn(plans.get(PlanID) ?? [], day)) !== null) return false
    const total = shownTotal(PlanID, parts)
    return total !== undefined && total < present - ROUNDING
  })
  return {
    periods,
    refusal: refusalFor(wasParts, presentOn),
    loads: profile,
    actual,
    measured: periods.map((period) => billed(period, profile, presentOn).Known),
    minimizeBills(loads, allowed) {
      const days = daysOf(loads)
      const PowerFactor =
        allowed.powerFactor && terms.PowerFactor !== null
          ? Math.max(terms.PowerFactor, BEST_POWER_FACTOR)
          : terms.PowerFactor
      const found = [terms.PlanID, ...(allowed.plan ? open : [])].flatMap((PlanID) => {
        const plan: PlanPeriods = { PlanID, parts: partsOf(PlanID, days) }
        const isNow = PlanID === terms.PlanID
        const Capacities =
          isNow && !allowed.contract
            ? terms.Capacities
            : bestCapacities(plan, periods, { ...terms, PowerFactor })
        const bills = billsOf(periods, plan.parts, { ...terms, PowerFactor, Capacities })
        return bills
          ? [{ bills: bills.map(({ Total }) => Total), agreed: { PlanID, Capacities, PowerFactor } }]
          : []
      })
      return found.reduce((best, one) => (totalOf(one.bills) < totalOf(best.bills) ? one : best))
    },
  }
}

const totalOf = (bills: readonly number[]): number => bills.reduce((sum, one) => sum + one, 0)

/** Bills of all periods; undefined if one has no price. */
function billsOf(
  periods: readonly BillingPeriod[],
  parts: PlanPeriods['parts'],
  terms: BillTerms,
): Bill[] | undefined {
  const bills = periods.map((period, i) => wholeBill(period, parts[i] ?? [], terms))
  return bills.every((bill) => bill !== null) ? bills : undefined
}

/** Total of all periods, NT$; undefined if one has no price. */
function totalUnder(
  periods: readonly BillingPeriod[],
  parts: PlanPeriods['parts'],
  terms: BillTerms,
): number | undefined {
  const bills = billsOf(periods, parts, terms)
  return bills && totalOf(bills.map(({ Total }) => Total))
}

/** Maximum yearly difference that counts as none, NT$, as in the comparison of plans. */
const ROUNDING = 1

/** Contract with which the comparison shows a plan: the present one, at least the plan's minimum; the best one if there is none. */
function shownCapacities(
  plan: PlanPeriods,
  periods: readonly BillingPeriod[],
  terms: BillTerms,
): BillTerms['Capacities'] {
  const { regular } = terms.Capacities
  if (!regular) return bestCapacities(plan, periods, terms)
  return { ...terms.Capacities, regular: Math.max(regular, leastContract(plan.PlanID)) }
}

/** Best contract; the present one if the plan has no contracts. */
function bestCapacities(
  plan: PlanPeriods,
  periods: readonly BillingPeriod[],
  terms: BillTerms,
): BillTerms['Capacities'] {
  if (!hasContracts(plan)) return terms.Capacities
  const billsFor = (Capacities: BillTerms['Capacities']) =>
    periods.map((period, i) => wholeBill(period, plan.parts[i] ?? [], { ...terms, Capacities }))
  const best = bestContract(plan, billsFor, terms.Capacities, leastContract(plan.PlanID))
  return best ? { ...terms.Capacities, regular: best.Regular } : terms.Capacities
}
