import type { bills, DemandPeak } from '../../../contract/tariffs/bill-calls.ts'
import { incomeOf, type SoldDay, withFeedIn } from './feed-in.ts'
import { type Bill, billOf } from '../../../contract/tariffs/bill.ts'
import { priceReviewOf } from '../../../contract/tariffs/price-review.ts'
import { billingPeriodOn } from '../../domain/tariffs/billing-periods.ts'
import { demandOf } from '../../../contract/energy/demand.ts'
import {
  dayOf,
  firstDayOf,
  formatDay,
  monthOfDay,
  parseDay,
  QUARTER_MS,
  startOfDay,
} from '../../../contract/time/periods.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { lackingIn } from './advice.ts'
import { billParts, createBandTable } from './bill-parts.ts'
import { readHomes, limitAt, limitsOf } from './capacity.ts'
import { compareTariff } from './compare-tariff.ts'
import { billed, cyclesOf, NO_TERMS, termsOn, versionsIn } from './home-terms.ts'
import type { BillOptions, EnergyOfHomes, ProfileDay } from './ports.ts'
import { type HomeTariffs, tariffPieceOn, tariffsOfHome } from './tariffs-of-home.ts'

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
    { now }: Awaited<ReturnType<EnergyOfHomes['demandOf']>>,
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
      const home = await energy.homeOf(tenant, HomeID)
      const tariffs = await tariffsOfHome(db, tenant, HomeID)
      const today = dayOf(clock.now(), home.zone)
      const month = monthOfDay(Month ? parseDay(`${Month}-01`) : today)
      const demand = await energy.demandOf(tenant, HomeID)
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
          Meters: await demand.sharesAt(Timestamp, day, quarter),
        })
      }
      return {
        ...(await demandNow(demand, at, home.zone)),
        Month: formatDay(firstDayOf(month)).slice(0, 7),
        Peaks,
      }
    },

    listDemand: async (tenant: string): Promise<ResultsOf<Calls['listDemand']>> => {
      const homes = await readHomes(db, tenant)
      const results: ResultsOf<Calls['listDemand']> = []
      for (let i = 0; i < homes.length; i += AT_ONCE)
        results.push(
          ...(await Promise.all(
            homes.slice(i, i + AT_ONCE).map(async (home) => ({
              HomeID: home.HomeID,
              ...(await demandNow(
                await energy.demandOf(tenant, home.HomeID),
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
  const home = await energy.homeOf(tenant, HomeID)
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
