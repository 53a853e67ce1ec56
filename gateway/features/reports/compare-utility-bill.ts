import type { UtilityBill, utilityBillCalls } from '../../../contract/tariffs/utility-bill.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { dayOf, formatDay, parseDay } from '../../../contract/time/periods.ts'
import { type BillPart, billOf as computeBill, NO_BILL_TERMS } from '../../../contract/tariffs/bill.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import {
  compareBill,
  type ComparisonRefusal,
  meterFactorOf,
  type PricedPeriod,
  RATIO_BILLS,
} from '../../../contract/tariffs/compare-bill.ts'
import { BANDS } from '../../../contract/tariffs/tariff-terms.ts'
import type { Handler } from '../../kernel/context.ts'
import type { Clock } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { HomeClock } from '../../domain/homes/find-home.ts'
import type { BoughtDay, ReportPorts } from './ports.ts'
import { sitesOf } from './report-query.ts'
import { billOf, readBills } from './utility-bill.ts'

type Call = (typeof utilityBillCalls)['compare']
type Comparison = ResultsOf<Call>

/** Minimum known share of the days for which a meter factor is stated. */
const KNOWN = 0.95
/** Maximum difference in days at which both bills count as covering the same number of months. */
const LIKE_OURS = 5

/** §CompareUtilityBill. */
export const compareHandler =
  (clock: Pick<Clock, 'now'>, { energy, billingOf }: ReportPorts): Handler<Call> =>
  async (key, context) => {
    const { db, actor } = context
    const { tenant } = actor
    const Bill = await billOf(context, key)
    const [site] = await sitesOf(db, tenant, key.HomeID)
    const home = { HomeID: key.HomeID, zone: site?.TimeZone ?? '' }
    const billing = await billingOf(db, tenant, home)
    const loadOf = (period: BillingPeriod) => energy.loadProfile(tenant, home, period.FromDay, period.EndDay)
    const theirs = periodOf(Bill)
    const ours = billing.periodOn(Math.floor((theirs.FromDay + theirs.EndDay - 1) / 2))
    const [ourLoad, load] = [await loadOf(ours), await loadOf(theirs)]
    const [before, own] = [billing.partsOf(ours, ourLoad), billing.partsOf(theirs, load)]
    const Counted = countedIn(theirs, load)
    const isPriced = isWhole(ours, before) && isWhole(theirs, own)
    const Refused: ComparisonRefusal | null =
      theirs.EndDay > dayOf(clock.now(), home.zone)
        ? 'notOver'
        : (await hasOtherSupply(db, tenant, Bill))
          ? 'severalSupplies'
          : !isPriced
            ? 'noTariff'
            : Counted.Known === 0
              ? 'unknown'
              : null
    const priced = pricedPeriods(ours, theirs, before, own)
    return {
      Bill,
      Ours: { ...countedIn(ours, ourLoad), Total: isWhole(ours, before) ? totalOf(priced.ours) : null },
      Counted,
      Refused,
      Steps: Refused === null ? compareBill(priced.ours, priced.theirs, elsewhere(Bill)) : [],
      Bands: bandsOf(own, Bill),
      PowerFactor: { Ours: billing.termsOn(theirs.FromDay).PowerFactor, Bill: Bill.PowerFactor },
      MeterFactor:
        Refused === 'severalSupplies' ? null : await meterFactor(db, tenant, home, energy, Bill.SupplyNo),
    }
  }

const elsewhere = ({ kWh, PeakKw, PowerFactor, Capacities, Total }: UtilityBill) => ({
  kWh,
  peakKw: PeakKw,
  powerFactor: PowerFactor,
  capacities: Capacities,
  total: Total,
})

const periodOf = ({ From, Through }: UtilityBill): BillingPeriod => ({
  FromDay: parseDay(From),
  EndDay: parseDay(Through) + 1,
  Months: 1,
})

const daysIn = ({ FromDay, EndDay }: BillingPeriod): number => EndDay - FromDay

const isWhole = (period: BillingPeriod, parts: readonly BillPart[]): boolean =>
  parts.reduce((sum, { Days }) => sum + Days, 0) === daysIn(period)

/** Both bills with their charged months: the same number if they have about as many days. */
function pricedPeriods(
  ours: BillingPeriod,
  theirs: BillingPeriod,
  before: readonly BillPart[],
  own: readonly BillPart[],
): Record<'ours' | 'theirs', PricedPeriod> {
  const [was, is] = [daysIn(ours), daysIn(theirs)]
  const months = Math.abs(was - is) <= LIKE_OURS ? ours.Months : (ours.Months * is) / was
  return {
    ours: { parts: before, days: was, months: ours.Months },
    theirs: { parts: own, days: is, months },
  }
}

const totalOf = ({ parts, days, months }: PricedPeriod): number =>
  computeBill(parts, days, months, NO_BILL_TERMS).Total

/** Energy of the days of a period, and its known share. */
function countedIn({ FromDay, EndDay }: BillingPeriod, load: ReadonlyMap<number, BoughtDay>) {
  let [kWh, known, total] = [0, 0, 0]
  for (const day of load.values()) {
    kWh += day.kWh.reduce((sum, one) => sum + one, 0)
    known += day.known
    total += day.total
  }
  return {
    From: formatDay(FromDay),
    Through: formatDay(EndDay - 1),
    kWh,
    Known: total ? known / total : 0,
  }
}

function bandsOf(own: readonly BillPart[], { kWh, PeakKw }: UtilityBill): Comparison['Bands'] {
  const bands = BANDS.filter(
    (band) => kWh[band] !== undefined || own.some((part) => part.kWh[band] !== undefined),
  )
  return bands.map((Band) => ({
    Band,
    OursKwh: own.reduce((sum, part) => sum + (part.kWh[Band] ?? 0), 0),
    BillKwh: kWh[Band] ?? null,
    OursKw: Math.max(0, ...own.map((part) => part.peakKw[Band] ?? 0)),
    BillKw: PeakKw[Band] ?? null,
  }))
}

/** Whether the home has bills of another supply on some of the days: its purchase is the sum of all supplies. */
async function hasOtherSupply(db: Db, tenant: string, bill: UtilityBill): Promise<boolean> {
  const others = await db.query(sql`
    select 1 from utility_bills where tenant = ${tenant} and home_id = ${bill.HomeID} and supply_no <> ${bill.SupplyNo}
      and from_day <= ${parseDay(bill.Through)}::int and through_day >= ${parseDay(bill.From)}::int limit 1`)
  return others.length > 0
}

/** Factor between our meters and the last bills of a supply. */
async function meterFactor(
  db: Db,
  tenant: string,
  home: HomeClock,
  energy: ReportPorts['energy'],
  supplyNo: string,
): Promise<Comparison['MeterFactor']> {
  const bills = await readBills(
    db,
    sql`tenant = ${tenant} and home_id = ${home.HomeID} and supply_no = ${supplyNo}`,
  )
  const ratios: { ours: number; theirs: number }[] = []
  for (const bill of bills.slice(0, RATIO_BILLS)) {
    const period = periodOf(bill)
    const { kWh, Known } = countedIn(
      period,
      await energy.loadProfile(tenant, home, period.FromDay, period.EndDay),
    )
    if (Known < KNOWN) return null
    ratios.push({ ours: kWh, theirs: Object.values(bill.kWh).reduce((sum, one) => sum + one, 0) })
  }
  return meterFactorOf(ratios)
}
