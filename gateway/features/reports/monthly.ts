import { leastComputed } from '../../../contract/energy/meter-data-calls.ts'
import type { MonthlyReport } from '../../../contract/reports/calls.ts'
import { formatDay, startOfDay } from '../../../contract/time/periods.ts'
import { priceReviewOf } from '../../../contract/tariffs/price-review.ts'
import {
  type ReportQuery,
  linesOn,
  missingFactor,
  type SiteMonth,
  daysOfMonth,
  companyName,
  type ReportedSite,
} from './report-query.ts'
import type { ReportPorts } from './ports.ts'
import { detailOf } from './site-detail.ts'
import { addSums, comparedSums, NO_SUMS, sumOf } from './sums.ts'

/** Maximum number of findings in a report. */
const FINDINGS = 5

async function monthOfSite(
  ports: ReportPorts,
  { tenant, now }: ReportQuery,
  site: ReportedSite,
  month: number,
): Promise<SiteMonth> {
  const range = daysOfMonth(month, now, site.TimeZone)
  const is = await linesOn(ports, tenant, site, range.days)
  const was = await linesOn(ports, tenant, site, range.before)
  const [points, pointsBefore] = [is.Series[0]?.Points ?? [], was.Series[0]?.Points ?? []]
  return {
    site,
    ...range,
    points,
    pointsBefore,
    sums: points.length ? sumOf(points) : NO_SUMS,
    sumsBefore: pointsBefore.length ? sumOf(pointsBefore) : NO_SUMS,
    carbon: is.Carbon,
    computedPercent: leastComputed([is.ComputedPercent, was.ComputedPercent]),
  }
}

/** Monthly report of one site, or of all, with the same month of the previous year. */
export async function monthlyReport(
  ports: ReportPorts,
  asked: ReportQuery,
  month: number,
): Promise<MonthlyReport> {
  const { db, tenant, HomeID, Period, Language, sites, now } = asked
  const months: SiteMonth[] = []
  // Sequentially: a company with many sites must not use all connections.
  for (const site of sites) months.push(await monthOfSite(ports, asked, site, month))
  const Alarms = { Raised: 0, Critical: 0, Open: 0 }
  const listed: MonthlyReport['Sites'] = []
  for (const { site, days, sums, sumsBefore, computedPercent: own } of months) {
    const isComputed = own === undefined
    const [from, to] = [days.from, days.end].map((day) => startOfDay(day, site.TimeZone)) as [number, number]
    const counted = await ports.countAlarms(db, tenant, site.HomeID, from, to)
    for (const key of ['Raised', 'Critical', 'Open'] as const) Alarms[key] += counted[key]
    listed.push({ ...site, Figures: comparedSums(sums, sumsBefore, isComputed), Alarms: counted.Raised })
  }
  const [first] = months
  const isAnyDay = first !== undefined && first.days.end > first.days.from
  // A new or silent site must not appear as a change of the others.
  const computedPercent = leastComputed(months.map((one) => one.computedPercent))
  const isAlike =
    computedPercent === undefined &&
    months.every(({ sums, sumsBefore }) => (sums.kWh === null) === (sumsBefore.kWh === null))
  const Prices = await priceAge(ports, asked, months)
  const OwnEnergy = await ownEnergy(ports, asked, months)
  return {
    Kind: 'monthly',
    Period,
    Language,
    HomeID,
    Company: await companyName(db, tenant),
    AsOf: now,
    ...(computedPercent !== undefined && { ComputedPercent: computedPercent }),
    ...(await missingFactor(ports, asked)),
    From: isAnyDay ? formatDay(first.days.from) : null,
    Through: isAnyDay ? formatDay(Math.max(...months.map(({ days }) => days.end)) - 1) : null,
    IsOver: months.every(({ isOver }) => isOver),
    Total: comparedSums(
      addSums(months.map(({ sums }) => sums)),
      addSums(months.map(({ sumsBefore }) => sumsBefore)),
      isAlike,
    ),
    Sites: listed,
    Detail: HomeID !== null && isAnyDay ? await detailOf(ports, asked, first) : null,
    Alarms,
    Findings: await ports.topFindings(
      db,
      tenant,
      sites.map((site) => site.HomeID),
      FINDINGS,
    ),
    Carbon: [...(first?.carbon ?? [])],
    ...(Prices && { Prices }),
    ...(OwnEnergy && { OwnEnergy }),
  }
}

/** Age of the prices of the plans that are in force in a month. */
async function priceAge(
  { billingOf }: ReportPorts,
  { db, tenant }: ReportQuery,
  months: readonly SiteMonth[],
): Promise<MonthlyReport['Prices']> {
  const plans = new Set<string>()
  let last = -Infinity
  for (const { site, days } of months) {
    const billing = await billingOf(db, tenant, { HomeID: site.HomeID, zone: site.TimeZone })
    for (let day = days.from; day < days.end; day++) {
      const plan = billing.planOn(day)
      if (plan !== null) plans.add(plan)
      last = Math.max(last, day)
    }
  }
  return priceReviewOf(plans, last)
}

/** Minimum share of the energy for which a difference between emissions and energy × factor is explained. */
const MIN_DIFFERENCE = 0.001

/** Sources of the energy that is not in the emissions, for sites with own energy. */
async function ownEnergy(
  { energy }: ReportPorts,
  { tenant }: ReportQuery,
  months: readonly SiteMonth[],
): Promise<MonthlyReport['OwnEnergy']> {
  let found: MonthlyReport['OwnEnergy']
  for (const { site, days, sums, carbon } of months) {
    const [kWh, kg, factor] = [sums.kWh, sums.CarbonKg, carbon[0]?.Factor]
    if (kWh === null || kg === null || !factor) continue
    if (Math.abs(kWh - kg / factor) <= Math.abs(kWh) * MIN_DIFFERENCE) continue
    const { Flows } = await energy.balance(tenant, {
      HomeID: site.HomeID,
      From: startOfDay(days.from, site.TimeZone),
      To: startOfDay(days.end, site.TimeZone),
      Resolution: 'day',
    })
    const sum = (isOf: (flow: (typeof Flows)[number]) => boolean) =>
      Flows.filter(isOf).reduce((all, flow) => all + flow.kWh, 0)
    found = {
      Used: (found?.Used ?? 0) + sum(({ From, To }) => From !== 'import' && To === 'consumption'),
      Stored: (found?.Stored ?? 0) + sum(({ From, To }) => From === 'import' && To !== 'consumption'),
    }
  }
  return found
}
