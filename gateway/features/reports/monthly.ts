import { leastComputed, type EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import type { MonthlyReport, RankedLine, SiteDetail } from '../../../contract/reports/calls.ts'
import { formatDay, startOfDay, firstDayOf, monthOfDay } from '../../../contract/time/periods.ts'
import { priceReviewOf } from '../../../contract/tariffs/price-review.ts'
import { completeShare, isPeakAtLeast } from '../../../contract/energy/coverage.ts'
import {
  type ReportQuery,
  readLines,
  missingFactor,
  type SiteMonth,
  daysOfMonth,
  companyName,
  type ReportedSite,
  readNames,
  addSums,
  comparedSums,
  NO_SUMS,
  sumOf,
  addKnown,
  type ReportSums,
} from './report-query.ts'
import type { ReportPorts } from './ports.ts'

/** Number of named lines in a ranking. */
const RANKED = 10
const UNTRACKED = 'untracked'
const REST = 'rest'

/** Details of a report for one site, in addition to its figures. */
async function readDetail(ports: ReportPorts, query: ReportQuery, month: SiteMonth): Promise<SiteDetail> {
  const { db, tenant } = query
  const { site, days, points, pointsBefore, sums } = month
  const names = await readNames(db, tenant, site.HomeID)
  // For a complete month, daily sums of up to a thousand meters would only be added up.
  const resolution = month.isOver ? 'month' : 'day'
  const rooms = await readLines(ports, tenant, site, days, 'room', resolution)
  const machines = await readLines(ports, tenant, site, days, 'meter', resolution)
  return {
    Days: points.map(({ kWh }, i) => ({
      Date: formatDay(days.from + i),
      kWh,
      Before: pointsBefore[i]?.kWh ?? null,
    })),
    Demand: await readDemand(ports, tenant, month),
    Bill: await readBill(ports, query, month),
    Rooms: ranked(rooms.Series, names.rooms, sums.kWh),
    Machines: ranked(machines.Series, names.machines, sums.kWh),
    Balance: await readBalance(ports, tenant, month),
    Coverage: sums.coverage,
    Resets: sums.resets,
  }
}

async function readDemand(
  { bills }: ReportPorts,
  tenant: string,
  { site, days, sums }: SiteMonth,
): Promise<SiteDetail['Demand']> {
  const { Peaks } = await bills.getDemand(tenant, {
    HomeID: site.HomeID,
    Month: formatDay(days.from).slice(0, 7),
  })
  const [peak] = Peaks
  return peak
    ? {
        PeakKw: peak.kW,
        At: peak.Timestamp,
        Limit: peak.Limit,
        IsAtLeast: isPeakAtLeast(sums.coverage),
      }
    : null
}

/** The bill that ended in the month, or else the one in progress on its last day. */
async function readBill(
  { bills, readBilling }: ReportPorts,
  { db, tenant, now }: ReportQuery,
  { site, days, isOver }: SiteMonth,
): Promise<SiteDetail['Bill']> {
  const { HomeID, TimeZone: zone } = site
  const billing = await readBilling(db, tenant, { HomeID, zone })
  const next = firstDayOf(monthOfDay(days.from) + 1)
  const last = billing.periodOn(isOver ? next - 1 : days.end)
  const before = billing.periodOn(last.FromDay - 1)
  const chosen = last.EndDay > next && before.EndDay > days.from ? before : last
  const bill = await bills.getBill(tenant, { HomeID, Date: formatDay(chosen.FromDay) })
  return { ...bill, IsOver: startOfDay(chosen.EndDay, zone) <= now }
}

/** The largest lines, and the sum of the others. Energy without a sub-meter is a separate line, however small. */
function ranked(
  series: readonly EnergySeries[],
  names: ReadonlyMap<string, string>,
  whole: number | null,
): RankedLine[] {
  const line = (Key: string, { kWh, Cost, coverage }: ReportSums): RankedLine => ({
    Key,
    Name: names.get(Key) ?? null,
    kWh: kWh ?? 0,
    Share: whole !== null && whole > 0 ? (kWh ?? 0) / whole : null,
    Cost,
    Complete: completeShare(coverage),
  })
  const known = series
    .map(({ Key, Points }) => ({ Key, sums: sumOf(Points) }))
    .filter(({ sums }) => sums.kWh !== null)
  const named = known
    .filter(({ Key }) => Key !== UNTRACKED)
    .toSorted((a, b) => (b.sums.kWh ?? 0) - (a.sums.kWh ?? 0))
  const others = named.slice(RANKED)
  const untracked = known.find(({ Key }) => Key === UNTRACKED)
  return [
    ...named.slice(0, RANKED).map(({ Key, sums }) => line(Key, sums)),
    ...(others.length ? [line(REST, addSums(others.map(({ sums }) => sums)))] : []),
    ...(untracked ? [line(UNTRACKED, untracked.sums)] : []),
  ]
}

async function readBalance(
  { energy }: ReportPorts,
  tenant: string,
  { site, days }: SiteMonth,
): Promise<SiteDetail['Balance']> {
  const found = await energy.balance(tenant, {
    HomeID: site.HomeID,
    From: startOfDay(days.from, site.TimeZone),
    To: startOfDay(days.end, site.TimeZone),
    Resolution: 'day',
  })
  if (!found.HasBalance) return null
  const sum = (of: 'Consumption' | 'Import' | 'Export' | 'Generation' | 'Discharge' | 'Charge') =>
    addKnown(found.Points.map((point) => point[of]))
  return {
    Consumption: sum('Consumption'),
    Import: sum('Import'),
    Export: sum('Export'),
    Generation: sum('Generation'),
    Discharge: sum('Discharge'),
    Charge: sum('Charge'),
    SelfConsumption: found.SelfConsumption,
    SelfSufficiency: found.SelfSufficiency,
  }
}

/** Maximum number of findings in a report. */
const FINDINGS = 5

async function monthOfSite(
  ports: ReportPorts,
  { tenant, now }: ReportQuery,
  site: ReportedSite,
  month: number,
): Promise<SiteMonth> {
  const range = daysOfMonth(month, now, site.TimeZone)
  const is = await readLines(ports, tenant, site, range.days)
  const previousLines = await readLines(ports, tenant, site, range.before)
  const [points, pointsBefore] = [is.Series[0]?.Points ?? [], previousLines.Series[0]?.Points ?? []]
  return {
    site,
    ...range,
    points,
    pointsBefore,
    sums: points.length ? sumOf(points) : NO_SUMS,
    sumsBefore: pointsBefore.length ? sumOf(pointsBefore) : NO_SUMS,
    carbon: is.Carbon,
    computedPercent: leastComputed([is.ComputedPercent, previousLines.ComputedPercent]),
  }
}

/** Monthly report of one site, or of all, with the same month of the previous year. */
export async function monthlyReport(
  ports: ReportPorts,
  query: ReportQuery,
  month: number,
): Promise<MonthlyReport> {
  const { db, tenant, HomeID, Period, Language, sites, now } = query
  const months: SiteMonth[] = []
  // Sequentially: a company with many sites must not use all connections.
  for (const site of sites) months.push(await monthOfSite(ports, query, site, month))
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
  const Prices = await priceAge(ports, query, months)
  const OwnEnergy = await ownEnergy(ports, query, months)
  return {
    Kind: 'monthly',
    Period,
    Language,
    HomeID,
    Company: await companyName(db, tenant),
    AsOf: now,
    ...(computedPercent !== undefined && { ComputedPercent: computedPercent }),
    ...(await missingFactor(ports, query)),
    From: isAnyDay ? formatDay(first.days.from) : null,
    Through: isAnyDay ? formatDay(Math.max(...months.map(({ days }) => days.end)) - 1) : null,
    IsOver: months.every(({ isOver }) => isOver),
    Total: comparedSums(
      addSums(months.map(({ sums }) => sums)),
      addSums(months.map(({ sumsBefore }) => sumsBefore)),
      isAlike,
    ),
    Sites: listed,
    Detail: HomeID !== null && isAnyDay ? await readDetail(ports, query, first) : null,
    Alarms,
    Findings: await ports.topFindings(
      db,
      tenant,
      sites.map((site) => site.HomeID),
      {
        from: Math.min(...months.map(({ days }) => days.from)),
        end: Math.max(...months.map(({ days }) => days.end)),
      },
      FINDINGS,
    ),
    Carbon: [...(first?.carbon ?? [])],
    ...(Prices && { Prices }),
    ...(OwnEnergy && { OwnEnergy }),
  }
}

/** Age of the prices of the plans that are in force in a month. */
async function priceAge(
  { readBilling }: ReportPorts,
  { db, tenant }: ReportQuery,
  months: readonly SiteMonth[],
): Promise<MonthlyReport['Prices']> {
  const plans = new Set<string>()
  let last = -Infinity
  for (const { site, days } of months) {
    const billing = await readBilling(db, tenant, { HomeID: site.HomeID, zone: site.TimeZone })
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
