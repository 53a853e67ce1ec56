import type { bills, DemandPeak, PlanBills } from '../../../contract/tariffs/bill-calls.ts'
import { type Bill, billOf, type BillLine } from '../../../contract/tariffs/bill.ts'
import { priceReviewOf } from '../../../contract/tariffs/price-review.ts'
import {
  billingPeriodOn,
  type BillingPeriod,
  billingPeriodsBefore,
} from '../../domain/tariffs/billing-periods.ts'
import { demandOf } from '../../../contract/energy/demand.ts'
import {
  dayOf,
  firstDayOf,
  formatMonth,
  monthOfDay,
  parseDay,
  QUARTER_MS,
  startOfDay,
} from '../../../contract/time/periods.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { leastContract, TAIPOWER_PLANS } from '../../../contract/tariffs/taipower-plans.ts'
import { pricing, versionOn } from '../../../contract/tariffs/tariff-terms.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { lackingIn, createAdvice } from './advice.ts'
import { billParts, createBandTable, type TermsOn, type VersionOn, wholeBill } from './bill-parts.ts'
import { readHomes, limitAt, limitsOf } from './peaks.ts'
import {
  billed,
  cyclesOf,
  NO_TERMS,
  termsOn,
  versionsIn,
  type HomeTariffs,
  tariffPieceOn,
  tariffsOfHome,
  readVersions,
} from './tariffs-of-home.ts'
import type { BillOptions, EnergyOfHomes, ProfileDay } from './ports.ts'
import { billsOfHome, billsOfPlan } from './compare-plans.ts'

/** Energy sold on a day, and its price. */
interface SoldDay {
  kWh: number
  /** NT$ per kWh; null if unknown. */
  FeedIn: number | null
  /** Start date of the agreement with that price, `2025-10-01`. */
  ValidFrom: string
}

/** Rounds to cents, halves away from 0, as bills do. */
const cents = (value: number): number => {
  const epsilon = Math.sign(value) * Math.max(1e-9, Math.abs(value) * 4 * Number.EPSILON)
  return Math.round((value + epsilon) * 100) / 100
}

/** Bill lines of the sold energy, one per price: quantities to the hundredth, amounts to the cent, negative as a credit. */
export function feedInLines(days: readonly SoldDay[]): BillLine[] {
  const sums = new Map<string, { kWh: number; price: number; ValidFrom: string }>()
  for (const { kWh, FeedIn, ValidFrom } of days) {
    if (FeedIn === null || kWh === 0) continue
    const key = `${ValidFrom} ${FeedIn}`
    const sum = sums.get(key)
    if (sum) sum.kWh += kWh
    else sums.set(key, { kWh, price: FeedIn, ValidFrom })
  }
  return [...sums.values()].map(({ kWh, price, ValidFrom }) => {
    const Quantity = cents(kWh)
    return {
      Item: 'feedIn',
      Detail: '',
      Season: null,
      ValidFrom,
      Quantity,
      Unit: 'kWh',
      Price: price,
      Factor: -1,
      Amount: cents(Quantity * price * -1),
    }
  })
}

/** Bill with the credit for sold energy. */
export function withFeedIn(bill: Bill, days: readonly SoldDay[]): Bill {
  const lines = feedInLines(days)
  if (lines.length === 0) return bill
  const credit = lines.reduce((sum, { Amount }) => sum + Amount, 0)
  return { ...bill, Lines: [...bill.Lines, ...lines], Total: cents(bill.Total + credit) }
}

/** Income of a plant that sells all its energy, NT$; null if a day with energy has no price. */
export function incomeOf(days: readonly SoldDay[]): number | null {
  if (days.some(({ kWh, FeedIn }) => kWh > 0 && FeedIn === null)) return null
  return cents(feedInLines(days).reduce((sum, { Amount }) => sum - Amount, 0))
}

/** Number of highest intervals of a month in the answer. */
const PEAKS = 5
/** Number of homes that are processed concurrently. */
const AT_ONCE = 4

type Calls = typeof bills

/** Bills, comparisons and demand of homes, as the calls of the same names return them. */
export type Bills = ReturnType<typeof createBills>

export function createBills({ db, clock, energy }: BillOptions) {
  /** Present demand of a home, and the limit of its contract. */
  async function demandNow(
    { now }: Awaited<ReturnType<EnergyOfHomes['readDemand']>>,
    limits: ReturnType<typeof limitsOf>,
    zone: string,
  ) {
    const at = clock.now()
    const { AsOf: _asOf, ...current } = await now(at)
    return { ...current, ...limitAt(limits, at, zone) }
  }

  return {
    getBill: (tenant: string, input: InputOf<Calls['getBill']>): Promise<ResultsOf<Calls['getBill']>> =>
      getBill({ db, energy }, tenant, input),

    compareTariff: (
      tenant: string,
      input: InputOf<Calls['compareTariff']>,
    ): Promise<ResultsOf<Calls['compareTariff']>> => compareTariff({ db, clock, energy }, tenant, input),

    getDemand: async (
      tenant: string,
      { HomeID, Month }: InputOf<Calls['getDemand']>,
    ): Promise<ResultsOf<Calls['getDemand']>> => {
      const home = await energy.readHome(tenant, HomeID)
      const tariffs = await tariffsOfHome(db, tenant, HomeID)
      const today = dayOf(clock.now(), home.zone)
      const month = monthOfDay(Month ? parseDay(`${Month}-01`) : today)
      const demand = await energy.readDemand(tenant, HomeID)
      const at = limitsOf(tariffs, home)
      const end = Math.min(firstDayOf(month + 1), today + 1)
      const profile = await energy.loadProfile(
        tenant,
        home,
        firstDayOf(month),
        Math.max(end, firstDayOf(month)),
      )
      const peaks = highest(profile)
      const Peaks: DemandPeak[] = []
      for (const { day, quarter, kW } of peaks) {
        const Timestamp = startOfDay(day, home.zone) + quarter * QUARTER_MS
        Peaks.push({
          Timestamp,
          kW,
          ...at(day, quarter, profile.get(day)?.kWh.length ?? 96),
          Meters: await demand.readSharesAt(Timestamp, day, quarter),
        })
      }
      return {
        ...(await demandNow(demand, at, home.zone)),
        Month: formatMonth(month),
        Peaks,
      }
    },

    listDemand: async (
      tenant: string,
      visible: readonly string[] | null,
    ): Promise<ResultsOf<Calls['listDemand']>> => {
      const homes = await readHomes(db, tenant, visible)
      const results: ResultsOf<Calls['listDemand']> = []
      for (let i = 0; i < homes.length; i += AT_ONCE)
        results.push(
          ...(await Promise.all(
            homes.slice(i, i + AT_ONCE).map(async (home) => ({
              HomeID: home.HomeID,
              ...(await demandNow(
                await energy.readDemand(tenant, home.HomeID),
                limitsOf(await tariffsOfHome(db, tenant, home.HomeID), home),
                home.zone,
              )),
            })),
          )),
        )
      return results
    },
  }
}

/** Bill of the period that contains a day, by the home's tariff then. Errors: NOT_FOUND. */
async function getBill(
  { db, energy }: Pick<BillOptions, 'db' | 'energy'>,
  tenant: string,
  { HomeID, Date }: InputOf<Calls['getBill']>,
): Promise<ResultsOf<Calls['getBill']>> {
  const home = await energy.readHome(tenant, HomeID)
  const tariffs = await tariffsOfHome(db, tenant, HomeID)
  const day = parseDay(Date)
  const period = billingPeriodOn(day, cyclesOf(tariffs))
  const computedPercent = await energy.computedPercent(tenant, home, period.FromDay, period.EndDay)
  const profile = await energy.loadProfile(tenant, home, period.FromDay, period.EndDay)
  const bandsOf = createBandTable(tariffs.OffPeakDays, home.zone)
  const lacking = lackingIn([period], (one) => tariffPieceOn(tariffs, one)?.Version)
  // A bill of only some days would be mistaken for the whole.
  const seasons = lacking
    ? []
    : billParts(period, profile, versionsIn(tariffs), bandsOf, (one) => termsOn(tariffs, one))
  const days = period.EndDay - period.FromDay
  const pieces = tariffs.Pieces.filter(
    ({ FromDay, ThroughDay }) => FromDay < period.EndDay && ThroughDay >= period.FromDay,
  )
  const Prices = priceReviewOf(
    pieces.map(({ Terms }) => Terms.PlanID),
    period.EndDay - 1,
  )
  const sold = await energy.soldByDay(tenant, home, period.FromDay, period.EndDay)
  return {
    ...billed(period, profile, versionsIn(tariffs)),
    ...withSold(billOf(seasons, days, period.Months, NO_TERMS), sold, tariffs),
    ...(Prices && { Prices }),
    ...(computedPercent !== undefined && { ComputedPercent: computedPercent }),
    ...(lacking && { PeakDays: lacking }),
    DaysWithoutTariff: lacking ? 0 : days - seasons.reduce((sum, { Days }) => sum + Days, 0),
  }
}

/** Bill with the credit for the sold surplus and, separately, the income of plants that sell all their energy. */
function withSold(bill: Bill, { surplus, all }: Sold, tariffs: HomeTariffs) {
  const priced = (sold: ReadonlyMap<number, number>): SoldDay[] =>
    [...sold].map(([day, kWh]) => ({ kWh, ...termsOn(tariffs, day) }))
  return {
    ...withFeedIn(bill, priced(surplus)),
    Sold: all && {
      kWh: [...all.values()].reduce((sum, kWh) => sum + kWh, 0),
      Income: incomeOf(priced(all)),
    },
  }
}
type Sold = Awaited<ReturnType<EnergyOfHomes['soldByDay']>>

/** Intervals with the most energy, highest first. */
function highest(profile: ReadonlyMap<number, ProfileDay>) {
  const peaks: { day: number; quarter: number; kW: number }[] = []
  for (const [day, { kWh }] of profile)
    for (const [quarter, energy] of kWh.entries()) {
      const kW = demandOf(energy)
      if (kW <= 0 || (peaks.length === PEAKS && kW <= (peaks.at(-1)?.kW ?? 0))) continue
      peaks.push({ day, quarter, kW })
      peaks.sort((a, b) => b.kW - a.kW)
      peaks.length = Math.min(peaks.length, PEAKS)
    }
  return peaks
}

type Call = typeof bills.compareTariff

/** Cost of a home's last whole bills under other plans, with advice if enough is known. Errors: NOT_FOUND. */
async function compareTariff(
  { db, clock, energy }: BillOptions,
  tenant: string,
  { HomeID, Months, PlanIDs, Capacities }: InputOf<Call>,
): Promise<ResultsOf<Call>> {
  const home = await energy.readHome(tenant, HomeID)
  const tariffs = await tariffsOfHome(db, tenant, HomeID)
  const today = dayOf(clock.now(), home.zone)
  const terms = termsOn(tariffs, today)
  const cycles = cyclesOf(tariffs)
  const periods = billingPeriodsBefore(today, Months, cycles)
  const first = periods[0] as BillingPeriod
  const computedPercent = await energy.computedPercent(tenant, home, first.FromDay, today)
  // Up to today: recent data shows whether missing data is expected to arrive.
  const profile = await energy.loadProfile(tenant, home, first.FromDay, today)
  const bandsOf = createBandTable(tariffs.OffPeakDays, home.zone)
  const billsFor = (on: VersionOn, agreed?: TermsOn) =>
    periods.map((period) => billParts(period, profile, (day) => pricing(on(day), day), bandsOf, agreed))
  const refusalFor = createAdvice({ profile, periods, cycles, today, months: Months, computedPercent })

  const held = versionsIn(tariffs)
  const current = billsFor(held, (day) => termsOn(tariffs, day)).map((parts, i) =>
    wholeBill(periods[i] as BillingPeriod, parts, terms),
  )
  const has = tariffs.Pieces.length > 0
  // Advice on the home's own plan uses the plan in force, regardless of earlier ones.
  const presentVersions = (await readVersions(db, tenant, [terms.PlanID])).get(terms.PlanID) ?? []
  const present: VersionOn = (day) => versionOn(presentVersions, day)
  const refusedNow = has ? refusalFor(billsFor(present), present) : null
  const compared: PlanBills[] = []
  for (const [PlanID, versions] of await readPlans(db, tenant, PlanIDs)) {
    const on: VersionOn = (day) => versionOn(versions, day)
    const plan = { PlanID, parts: billsFor(on) }
    compared.push(
      billsOfPlan(
        plan,
        periods,
        { ...terms, Capacities: Capacities ?? terms.Capacities },
        // If the own bills are not known well enough, no plan is compared with them.
        has && refusedNow === null ? current : null,
        leastContract(PlanID),
        refusalFor(plan.parts, on),
      ),
    )
    // Yields to the event loop: two years under every plan take a good part of a second.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const Prices = priceReviewOf([terms.PlanID, ...compared.map(({ PlanID }) => PlanID)], today)
  return {
    ...(Prices && { Prices }),
    ...(computedPercent !== undefined && { ComputedPercent: computedPercent }),
    Periods: periods.map((period) => billed(period, profile, held)),
    Current: has ? billsOfHome(terms.PlanID, terms.Capacities, current, refusedNow) : null,
    // Sorted by the number of priced periods first: a plan without prices for half a year would look half as expensive.
    Plans: compared.toSorted((a, b) => b.Priced - a.Priced || a.Total - b.Total),
  }
}

/** Plans to compare: those in the request, or all available ones and the company's own. */
async function readPlans(db: Db, tenant: string, ids: readonly string[] | undefined) {
  if (ids) {
    const plans = await readVersions(db, tenant, ids)
    for (const [i, id] of ids.entries())
      if (!plans.has(id))
        throw new GatewayError('NOT_FOUND', `Tariff ${id} does not exist`, { [`PlanIDs.${i}`]: 'notFound' })
    return plans
  }
  const ownPlans = await db.query<{ id: string }>(
    sql`select tariff_id as id from tariffs where tenant = ${tenant} order by lower(tariff_name)`,
  )
  const open = TAIPOWER_PLANS.filter(({ PlanID }) => !PlanID.endsWith('_frozen'))
  return readVersions(db, tenant, [...open.map(({ PlanID }) => PlanID), ...ownPlans.map(({ id }) => id)])
}
