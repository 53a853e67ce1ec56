import type { bills, DemandPeak, PlanBills } from '../../../contract/procedures/bills.ts'
import type { HomeTariff } from '../../../contract/procedures/home-tariff.ts'
import { billOf, type BillTerms } from '../../../contract/rules/tariff/bill.ts'
import {
  billingCycles,
  type BillingPeriod,
  billingPeriodOn,
  billingPeriodsBefore,
} from '../../../contract/rules/tariff/billing-periods.ts'
import { demandOf } from '../../../contract/rules/energy/demand.ts'
import {
  dayOf,
  firstDayOf,
  formatDay,
  monthOfDay,
  parseDay,
  QUARTER,
  startOfDay,
} from '../../../contract/rules/energy/periods.ts'
import { leastContract, TAIPOWER_PLANS } from '../../../contract/rules/tariff/taipower-plans.ts'
import { versionOn } from '../../../contract/rules/tariff/tariff.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { billParts, createBandTable, type TermsOn, type VersionOn, wholeBill } from './bill-parts.ts'
import { limitAt, limitsOf } from './capacity.ts'
import { billsOfHome, billsOfPlan } from './compare-plans.ts'
import type { EnergyOfHomes, ProfileDay } from './ports.ts'
import { type HomeTariffs, pieceOn, tariffsOfHome, versionsOf } from './tariffs-of-home.ts'
import { GatewayError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import { type Db, sql } from '../../store/db.ts'

/** The highest intervals of a month that are shown. */
const PEAKS = 5

type Calls = typeof bills

export interface BillOptions {
  db: Db
  clock: Pick<Clock, 'now'>
  energy: EnergyOfHomes
}

/** Bills, comparisons and demand of homes, as the calls of the same names answer them. */
export type Bills = ReturnType<typeof createBills>

export function createBills({ db, clock, energy }: BillOptions) {
  return {
    getBill: async (
      tenant: string,
      { HomeID, Date }: InputOf<Calls['getBill']>,
    ): Promise<ResultsOf<Calls['getBill']>> => {
      const home = await energy.homeOf(tenant, HomeID)
      const tariffs = await tariffsOfHome(db, tenant, HomeID)
      const day = parseDay(Date)
      const period = billingPeriodOn(day, cyclesOf(tariffs))
      const profile = await energy.loadProfile(tenant, home, period.FromDay, period.EndDay)
      const bandsOf = createBandTable(tariffs.OffPeakDays, home.zone)
      const seasons = billParts(period, profile, versionsIn(tariffs), bandsOf, (one) => termsOn(tariffs, one))
      const days = period.EndDay - period.FromDay
      return {
        ...billed(period, profile),
        ...billOf(seasons, days, period.Months, NO_TERMS),
        DaysWithoutTariff: days - seasons.reduce((sum, { Days }) => sum + Days, 0),
      }
    },

    compareTariff: async (
      tenant: string,
      { HomeID, Months, PlanIDs, Capacities }: InputOf<Calls['compareTariff']>,
    ): Promise<ResultsOf<Calls['compareTariff']>> => {
      const home = await energy.homeOf(tenant, HomeID)
      const tariffs = await tariffsOfHome(db, tenant, HomeID)
      const today = dayOf(clock.now(), home.zone)
      const terms = termsOn(tariffs, today)
      const periods = billingPeriodsBefore(today, Months, cyclesOf(tariffs))
      const first = periods[0] as BillingPeriod
      const last = periods.at(-1) as BillingPeriod
      const profile = await energy.loadProfile(tenant, home, first.FromDay, last.EndDay)
      const bandsOf = createBandTable(tariffs.OffPeakDays, home.zone)
      const under = (on: VersionOn, agreed?: TermsOn) =>
        periods.map((period) => billParts(period, profile, on, bandsOf, agreed))

      const current = under(versionsIn(tariffs), (day) => termsOn(tariffs, day)).map((parts, i) =>
        wholeBill(periods[i] as BillingPeriod, parts, terms),
      )
      const has = tariffs.Pieces.length > 0
      const compared: PlanBills[] = []
      for (const [PlanID, versions] of await plansOf(db, tenant, PlanIDs)) {
        compared.push(
          billsOfPlan(
            { PlanID, parts: under((day) => versionOn(versions, day)) },
            periods,
            { ...terms, Capacities: Capacities ?? terms.Capacities },
            has ? current : null,
            leastContract(PlanID),
          ),
        )
        // Two years under every plan take a good part of a second, in which others would wait.
        await new Promise((resolve) => setImmediate(resolve))
      }
      return {
        Periods: periods.map((period) => billed(period, profile)),
        Current: has ? billsOfHome(terms.PlanID, terms.Capacities, current) : null,
        // Those with more prices first: a plan without a price for half the year is not half as dear.
        Plans: compared.toSorted((a, b) => b.Priced - a.Priced || a.Total - b.Total),
      }
    },

    getDemand: async (
      tenant: string,
      { HomeID, Month }: InputOf<Calls['getDemand']>,
    ): Promise<ResultsOf<Calls['getDemand']>> => {
      const home = await energy.homeOf(tenant, HomeID)
      const tariffs = await tariffsOfHome(db, tenant, HomeID)
      const [now, today] = [clock.now(), dayOf(clock.now(), home.zone)]
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
        const Timestamp = startOfDay(day, home.zone) + quarter * QUARTER
        Peaks.push({
          Timestamp,
          kW,
          ...at(day, quarter, profile.get(day)?.kWh.length ?? 96),
          Meters: await demand.sharesAt(Timestamp, day, quarter),
        })
      }
      const { AsOf: _asOf, ...current } = await demand.now(now)
      return {
        ...current,
        ...limitAt(at, now, home.zone),
        Month: formatDay(firstDayOf(month)).slice(0, 7),
        Peaks,
      }
    },
  }
}

/** Where a home has never had a tariff: bills by the calendar month, nothing agreed. */
const NO_TERMS: HomeTariff = {
  ValidFrom: '2000-01-01',
  ValidThrough: null,
  PlanID: 'none',
  Capacities: {},
  Phases: 'three',
  PowerFactor: null,
  BillingDay: 1,
  BillingMonths: 1,
  FirstMonth: 1,
}

/** The terms that hold on a day, or held last before it. */
const termsOn = (tariffs: HomeTariffs, day: number): HomeTariff & BillTerms =>
  (pieceOn(tariffs, day) ?? tariffs.Pieces.findLast(({ FromDay }) => FromDay <= day))?.Terms ?? NO_TERMS

const cyclesOf = ({ Pieces }: HomeTariffs) => billingCycles(Pieces.map(({ Terms }) => Terms))

const versionsIn =
  (tariffs: HomeTariffs): VersionOn =>
  (day) =>
    pieceOn(tariffs, day)?.Version

function billed({ FromDay, EndDay }: BillingPeriod, profile: ReadonlyMap<number, ProfileDay>) {
  let [kWh, known, total] = [0, 0, 0]
  for (let day = FromDay; day < EndDay; day++) {
    const load = profile.get(day)
    if (!load) continue
    kWh += load.kWh.reduce((sum, one) => sum + one, 0)
    known += load.known
    total += load.total
  }
  return { From: formatDay(FromDay), Through: formatDay(EndDay - 1), kWh, Known: total ? known / total : 0 }
}

/** The plans to compare: those asked for, or all that one can still ask for and the company's own. */
async function plansOf(db: Db, tenant: string, ids: readonly string[] | undefined) {
  if (ids) {
    const plans = await versionsOf(db, tenant, ids)
    for (const [i, id] of ids.entries())
      if (!plans.has(id))
        throw new GatewayError('NOT_FOUND', `Tariff ${id} does not exist`, { [`PlanIDs.${i}`]: 'notFound' })
    return plans
  }
  const own = await db.query<{ id: string }>(
    sql`select tariff_id as id from tariffs where tenant = ${tenant} order by lower(tariff_name)`,
  )
  const open = TAIPOWER_PLANS.filter(({ PlanID }) => !PlanID.endsWith('_frozen'))
  return versionsOf(db, tenant, [...open.map(({ PlanID }) => PlanID), ...own.map(({ id }) => id)])
}

/** The intervals of most energy, the highest first. */
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
