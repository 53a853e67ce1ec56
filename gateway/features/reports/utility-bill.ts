import {
  MAX_UTILITY_BILLS,
  type UtilityBill,
  type utilityBill,
  type utilityBillCalls,
} from '../../../contract/tariffs/utility-bill.ts'
import { formatDay, parseDay, dayOf } from '../../../contract/time/periods.ts'
import type { HandlersOf, SignedIn, Handler } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome, lockHomeExclusively, type HomeClock } from '../../domain/homes/find-home.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
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
import type { Clock } from '../../kernel/ports.ts'
import type { BoughtDay, ReportPorts } from './ports.ts'
import { readSites } from './report-query.ts'

type Given = Omit<UtilityBill, 'UtilityBillID' | 'Version'>

/** Handlers of power company bills, as users entered them. */
export const utilityBillHandlers: HandlersOf<typeof utilityBill.operations> = {
  list: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return readBills(db, sql`tenant = ${actor.tenant} and home_id = ${HomeID}`)
  },

  create: async (input, context) => {
    const { db, actor, random } = context
    const { tenant } = actor
    await lockHomeExclusively(db, tenant, input.HomeID)
    const [count] = await db.query<{ all: number }>(
      sql`select count(*) as all from utility_bills where tenant = ${tenant} and home_id = ${input.HomeID}`,
    )
    if ((count?.all ?? 0) >= MAX_UTILITY_BILLS)
      throw new GatewayError('LIMIT_EXCEEDED', `A home has at most ${MAX_UTILITY_BILLS} bills`)
    const UtilityBillID = random.uuid()
    const bill = { ...input, UtilityBillID, SupplyNo: digits(input.SupplyNo), Version: 1 }
    await assertNoOverlap(db, tenant, bill)
    await db.query(sql`
      insert into utility_bills (tenant, home_id, utility_bill_id, supply_no, from_day, through_day, kwh, peak_kw, power_factor,
        capacities, total)
      values (${tenant}, ${bill.HomeID}, ${UtilityBillID}, ${bill.SupplyNo}, ${parseDay(bill.From)}::int,
        ${parseDay(bill.Through)}::int, ${JSON.stringify(bill.kWh)}::jsonb, ${JSON.stringify(bill.PeakKw)}::jsonb,
        ${bill.PowerFactor}::float8, ${jsonOrNull(bill.Capacities)}::jsonb, ${bill.Total}::float8)`)
    context.change('utilityBill.add', { HomeID: bill.HomeID, UtilityBillID })
    context.audit({ after: bill })
    return bill
  },

  update: async ({ HomeID, UtilityBillID, Version, ...changes }, context) => {
    const { db, actor } = context
    const { tenant } = actor
    await lockHomeExclusively(db, tenant, HomeID)
    const before = await readBill(context, { HomeID, UtilityBillID })
    assertVersion(Version, before)
    const merged = { ...before, ...changes, Version: before.Version + 1 }
    const after = { ...merged, SupplyNo: digits(merged.SupplyNo) }
    await assertNoOverlap(db, tenant, after)
    await db.query(sql`
      update utility_bills set supply_no = ${after.SupplyNo}, from_day = ${parseDay(after.From)}::int,
        through_day = ${parseDay(after.Through)}::int, kwh = ${JSON.stringify(after.kWh)}::jsonb,
        peak_kw = ${JSON.stringify(after.PeakKw)}::jsonb, power_factor = ${after.PowerFactor}::float8,
        capacities = ${jsonOrNull(after.Capacities)}::jsonb, total = ${after.Total}::float8, version = version + 1
      where ${isBill(tenant, { HomeID, UtilityBillID })}`)
    context.change('utilityBill.update', { HomeID, UtilityBillID })
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    await lockHomeExclusively(db, actor.tenant, key.HomeID)
    const before = await readBill(context, key)
    await db.query(sql`delete from utility_bills where ${isBill(actor.tenant, key)}`)
    context.change('utilityBill.remove', key)
    context.audit({ before })
    return key
  },
}

interface BillKey {
  HomeID: string
  UtilityBillID: string
}

const digits = (SupplyNo: string): string => SupplyNo.replace(/\D/g, '')
const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

const isBill = (tenant: string, { HomeID, UtilityBillID }: BillKey): Sql =>
  sql`tenant = ${tenant} and home_id = ${HomeID} and utility_bill_id = ${UtilityBillID}`

interface Stored extends Omit<UtilityBill, 'From' | 'Through'> {
  fromDay: number
  throughDay: number
}

/** Bills, newest first. */
async function readBills(db: Db, where: Sql): Promise<UtilityBill[]> {
  const rows = await db.query<Stored>(sql`
    select home_id as "HomeID", utility_bill_id as "UtilityBillID", supply_no as "SupplyNo", from_day as "fromDay",
      through_day as "throughDay", kwh as "kWh", peak_kw as "PeakKw", power_factor as "PowerFactor",
      capacities as "Capacities", total as "Total", version as "Version"
    from utility_bills where ${where} order by from_day desc, supply_no, utility_bill_id`)
  return rows.map(({ fromDay, throughDay, ...bill }) => ({
    ...bill,
    From: formatDay(fromDay),
    Through: formatDay(throughDay),
  }))
}

/** Errors: NOT_FOUND. */
async function readBill({ db, actor }: Pick<SignedIn, 'db' | 'actor'>, key: BillKey): Promise<UtilityBill> {
  const [bill] = await readBills(db, isBill(actor.tenant, key))
  if (!bill) throw new GatewayError('NOT_FOUND', `Bill ${key.UtilityBillID} does not exist`)
  return bill
}

/** Errors: INVALID if the bill ends before it begins, CONFLICT `From: overlap` if another bill of the supply has one of its days. */
async function assertNoOverlap(
  db: Db,
  tenant: string,
  { HomeID, UtilityBillID, SupplyNo, From, Through }: Given & { UtilityBillID: string },
): Promise<void> {
  if (Through < From)
    throw new GatewayError('INVALID', 'The bill ends before it begins', { Through: 'dateOrder' })
  const overlapping = await db.query(sql`
    select 1 from utility_bills where tenant = ${tenant} and home_id = ${HomeID} and supply_no = ${SupplyNo}
      and utility_bill_id <> ${UtilityBillID} and from_day <= ${parseDay(Through)}::int and through_day >= ${parseDay(From)}::int
    limit 1`)
  if (overlapping.length)
    throw new GatewayError('CONFLICT', 'Another bill of this supply has some of these days', {
      From: 'overlap',
    })
}

type Call = (typeof utilityBillCalls)['compare']
type Comparison = ResultsOf<Call>

/** Minimum known share of the days for which a meter factor is stated. */
const KNOWN = 0.95
/** Maximum difference in days at which both bills count as covering the same number of months. */
const LIKE_OURS = 5

/** §CompareUtilityBill. */
export const compareHandler =
  (clock: Pick<Clock, 'now'>, { energy, readBilling }: ReportPorts): Handler<Call> =>
  async (key, context) => {
    const { db, actor } = context
    const { tenant } = actor
    const Bill = await readBill(context, key)
    const [site] = await readSites(db, tenant, key.HomeID)
    const home = { HomeID: key.HomeID, zone: site?.TimeZone ?? '' }
    const billing = await readBilling(db, tenant, home)
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
  const [ownDays, utilityDays] = [daysIn(ours), daysIn(theirs)]
  const months =
    Math.abs(ownDays - utilityDays) <= LIKE_OURS ? ours.Months : (ours.Months * utilityDays) / ownDays
  return {
    ours: { parts: before, days: ownDays, months: ours.Months },
    theirs: { parts: own, days: utilityDays, months },
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
