import type { bills, PlanBills } from '../../../contract/tariffs/bill-calls.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { dayOf } from '../../../contract/time/periods.ts'
import { type BillingPeriod, billingPeriodsBefore } from '../../domain/tariffs/billing-periods.ts'
import { priceReviewOf } from '../../../contract/tariffs/price-review.ts'
import { leastContract, TAIPOWER_PLANS } from '../../../contract/tariffs/taipower-plans.ts'
import { pricing, versionOn } from '../../../contract/tariffs/tariff-terms.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { createAdvice } from './advice.ts'
import { billParts, createBandTable, type TermsOn, type VersionOn, wholeBill } from './bill-parts.ts'
import { billsOfHome, billsOfPlan } from './compare-plans.ts'
import { billed, cyclesOf, termsOn, versionsIn, tariffsOfHome, readVersions } from './tariffs-of-home.ts'
import type { BillOptions } from './ports.ts'

type Call = typeof bills.compareTariff

/** Cost of a home's last whole bills under other plans, with advice if enough is known. Errors: NOT_FOUND. */
export async function compareTariff(
  { db, clock, energy }: BillOptions,
  tenant: string,
  { HomeID, Months, PlanIDs, Capacities }: InputOf<Call>,
): Promise<ResultsOf<Call>> {
  const home = await energy.homeOf(tenant, HomeID)
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
