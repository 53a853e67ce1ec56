import {
  type CarbonFactor,
  type homeTariff,
  type HomeTariff,
  type OffPeakEntry,
} from '../../../contract/tariffs/home-tariff-calls.ts'
import { CARBON_FACTORS } from '../../../contract/tariffs/carbon.ts'
import { offPeakDaysOf } from '../../../contract/tariffs/peak-days.ts'
import { formatDay } from '../../../contract/time/periods.ts'
import { CARBON_CHECKED_ON } from '../../../contract/tariffs/price-review.ts'
import { contractMisfit, taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { readMissingFactor, readCarbonFactors, readCarbonRule, readHomeTariffs } from './tariffs-of-home.ts'
import { peakDayHandlers, lockRules, assertListUnchanged } from './peak-days.ts'

export const homeTariffHandlers: HandlersOf<typeof homeTariff> = {
  ...peakDayHandlers,

  listHomeTariff: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return readHomeTariffs(db, actor.tenant, HomeID)
  },

  updateHomeTariff: async ({ HomeID, Tariffs, Seen, Sure }, context) => {
    const { db, actor } = context
    // Serialises concurrent replacements of the history, which would otherwise be merged.
    const home = await db.query(sql`select 1 from homes
      where tenant = ${actor.tenant} and home_id = ${HomeID} for no key update`)
    if (!home.length) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
    await lockTariffs(db, actor.tenant, Tariffs)
    const before = await readHomeTariffs(db, actor.tenant, HomeID)
    assertListUnchanged(Seen, before)
    assertFitting(Tariffs, before, Sure)
    await db.query(sql`delete from home_tariffs where tenant = ${actor.tenant} and home_id = ${HomeID}`)
    for (const one of Tariffs)
      await db.query(sql`insert into home_tariffs (tenant, home_id, valid_from, valid_through, plan_id, capacities,
          phases, power_factor, billing_day, billing_months, first_month, feed_in)
        values (${actor.tenant}, ${HomeID}, ${one.ValidFrom}, ${one.ValidThrough}, ${one.PlanID},
          ${JSON.stringify(one.Capacities)}::jsonb, ${one.Phases}, ${one.PowerFactor}, ${one.BillingDay},
          ${one.BillingMonths}, ${one.FirstMonth}, ${one.FeedIn})`)
    const after = await readHomeTariffs(db, actor.tenant, HomeID)
    context.change('pricing.update', { HomeID })
    context.audit({ before, after })
    return after
  },

  listOffPeakDay: ({ Year }, { db, actor }) => offPeakEntries(db, actor.tenant, Year),

  updateOffPeakDay: async ({ Year, Days, Seen }, context) => {
    const { db, actor } = context
    for (const [i, { Date }] of Days.entries())
      if (!Date.startsWith(`${Year}-`))
        throw new GatewayError('INVALID', `${Date} is not in ${Year}`, { [`Days.${i}.Date`]: 'invalid' })
    await lockRules(db, actor.tenant)
    const before = await offPeakEntries(db, actor.tenant, Year)
    assertListUnchanged(
      Seen,
      before.filter(isOwn).map(({ Date, IsOffPeak }) => ({ Date, IsOffPeak })),
    )
    await db.query(sql`delete from off_peak_days where tenant = ${actor.tenant} and date like ${`${Year}-%`}`)
    await db.query(sql`insert into off_peak_days (tenant, date, is_off_peak)
      select ${actor.tenant}, * from unnest(${Days.map(({ Date }) => Date)}::text[],
        ${Days.map(({ IsOffPeak }) => IsOffPeak)}::boolean[])
      on conflict (tenant, date) do update set is_off_peak = excluded.is_off_peak`)
    const after = await offPeakEntries(db, actor.tenant, Year)
    context.change('pricing.update', { HomeID: null })
    context.audit({ before: before.filter(isOwn), after: after.filter(isOwn) })
    return after
  },

  listCarbonFactor: (_, { db, actor }) => carbonFactors(db, actor.tenant),

  getCarbonRule: async (_, { db, actor, clock }) => ({
    Rule: await readCarbonRule(db, actor.tenant),
    CheckedOn: CARBON_CHECKED_ON,
    Missing: await readMissingFactor(db, actor.tenant, clock.now()),
  }),

  updateCarbonRule: async ({ Rule }, context) => {
    const { db, actor } = context
    await lockRules(db, actor.tenant)
    const before = { Rule: await readCarbonRule(db, actor.tenant) }
    await db.query(sql`update companies set carbon_rule = ${Rule} where tenant = ${actor.tenant}`)
    context.change('pricing.update', { HomeID: null })
    context.audit({ before, after: { Rule } })
    return { Rule }
  },

  updateCarbonFactor: async ({ Factors, Seen }, context) => {
    const { db, actor } = context
    await lockRules(db, actor.tenant)
    const before = await carbonFactors(db, actor.tenant)
    assertListUnchanged(
      Seen,
      before.filter(isOwn).map(({ Year, Factor }) => ({ Year, Factor })),
    )
    await db.query(sql`delete from carbon_factors where tenant = ${actor.tenant}`)
    await db.query(sql`insert into carbon_factors (tenant, year, factor)
      select ${actor.tenant}, * from unnest(${Factors.map(({ Year }) => Year)}::int[],
        ${Factors.map(({ Factor }) => Factor)}::float8[])
      on conflict (tenant, year) do update set factor = excluded.factor`)
    const after = await carbonFactors(db, actor.tenant)
    context.change('pricing.update', { HomeID: null })
    context.audit({ before: before.filter(isOwn), after: after.filter(isOwn) })
    return after
  },
}

/**
 * Rejects contracts that do not fit the voltage of their plans, except those stored already.
 *
 * isConfirmed    whether a user has confirmed low voltage of 100 kW or more
 * errors  INVALID at each contract, and at Sure if confirming would allow them
 */
function assertFitting(
  tariffs: readonly HomeTariff[],
  before: readonly HomeTariff[],
  isConfirmed: boolean,
): void {
  const misfits = tariffs.flatMap(({ PlanID, Capacities: { regular } }, i) => {
    const misfit = contractMisfit(PlanID, regular)
    const isStored = before.some((one) => one.PlanID === PlanID && one.Capacities.regular === regular)
    return misfit && !isStored && !(isConfirmed && misfit === 'beyondLowVoltage') ? [{ i, misfit }] : []
  })
  if (misfits.length === 0) return
  const unverifiable = misfits.filter(({ misfit }) => misfit === 'beyondLowVoltage')
  throw new GatewayError('INVALID', 'A contract does not fit the voltage of its plan', {
    ...Object.fromEntries(misfits.map(({ i, misfit }) => [`Tariffs.${i}.Capacities.regular`, misfit])),
    ...(unverifiable.length === misfits.length && { Sure: 'beyondLowVoltage' }),
  })
}

const isOwn = ({ IsOwn }: { IsOwn: boolean }): boolean => IsOwn

/** Checks that every tariff exists, and locks the company's own until the transaction ends. Errors: NOT_FOUND. */
async function lockTariffs(db: Db, tenant: string, tariffs: readonly HomeTariff[]): Promise<void> {
  for (const [i, { PlanID }] of tariffs.entries()) {
    if (taipowerPlan(PlanID)) continue
    const found = await db.query(
      sql`select 1 from tariffs where tenant = ${tenant} and tariff_id = ${PlanID} for share`,
    )
    if (!found.length)
      throw new GatewayError('NOT_FOUND', `Tariff ${PlanID} does not exist`, {
        [`Tariffs.${i}.PlanID`]: 'notFound',
      })
  }
}

/** Off-peak days of a year with the company's own entries, in order. */
async function offPeakEntries(db: Db, tenant: string, year: number): Promise<OffPeakEntry[]> {
  const entries = new Map<string, OffPeakEntry>()
  for (const { Day, Holiday } of offPeakDaysOf(year))
    entries.set(formatDay(Day), { Date: formatDay(Day), Holiday, IsOffPeak: true, IsOwn: false })
  const ownDays = await db.query<{ Date: string; IsOffPeak: boolean }>(sql`
    select date as "Date", is_off_peak as "IsOffPeak" from off_peak_days
    where tenant = ${tenant} and date like ${`${year}-%`}`)
  for (const { Date, IsOffPeak } of ownDays)
    entries.set(Date, { Date, Holiday: entries.get(Date)?.Holiday ?? null, IsOffPeak, IsOwn: true })
  return [...entries.values()].toSorted((a, b) => (a.Date < b.Date ? -1 : 1))
}

/** Published carbon factors, replaced by the company's own, by year. */
async function carbonFactors(db: Db, tenant: string): Promise<(CarbonFactor & { IsOwn: boolean })[]> {
  const ownFactors = await readCarbonFactors(db, tenant)
  const years = new Set([...Object.keys(CARBON_FACTORS).map(Number), ...ownFactors.keys()])
  return [...years]
    .toSorted((a, b) => a - b)
    .map((Year) => ({
      Year,
      Factor: ownFactors.get(Year) ?? (CARBON_FACTORS[Year] as number),
      IsOwn: ownFactors.has(Year),
    }))
}
