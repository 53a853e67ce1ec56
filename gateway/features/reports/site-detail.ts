import type { EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import type { RankedLine, SiteDetail } from '../../../contract/reports/calls.ts'
import { completeShare, isPeakAtLeast } from '../../../contract/energy/coverage.ts'
import { firstDayOf, formatDay, monthOfDay, startOfDay } from '../../../contract/time/periods.ts'
import { type ReportQuery, linesOn, type SiteMonth, namesOf } from './report-query.ts'
import type { ReportPorts } from './ports.ts'
import { addKnown, addSums, type ReportSums, sumOf } from './sums.ts'

/** Number of named lines in a ranking. */
const RANKED = 10
const UNTRACKED = 'untracked'
const REST = 'rest'

/** Details of a report for one site, in addition to its figures. */
export async function detailOf(
  ports: ReportPorts,
  asked: ReportQuery,
  month: SiteMonth,
): Promise<SiteDetail> {
  const { db, tenant } = asked
  const { site, days, points, pointsBefore, sums } = month
  const names = await namesOf(db, tenant, site.HomeID)
  // For a complete month, daily sums of up to a thousand meters would only be added up.
  const resolution = month.isOver ? 'month' : 'day'
  const rooms = await linesOn(ports, tenant, site, days, 'room', resolution)
  const machines = await linesOn(ports, tenant, site, days, 'meter', resolution)
  return {
    Days: points.map(({ kWh }, i) => ({
      Date: formatDay(days.from + i),
      kWh,
      Before: pointsBefore[i]?.kWh ?? null,
    })),
    Demand: await demandOf(ports, tenant, month),
    Bill: await billOf(ports, asked, month),
    Rooms: ranked(rooms.Series, names.rooms, sums.kWh),
    Machines: ranked(machines.Series, names.machines, sums.kWh),
    Balance: await balanceOf(ports, tenant, month),
    Coverage: sums.coverage,
    Resets: sums.resets,
  }
}

async function demandOf(
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
async function billOf(
  { bills, billingOf }: ReportPorts,
  { db, tenant, now }: ReportQuery,
  { site, days, isOver }: SiteMonth,
): Promise<SiteDetail['Bill']> {
  const { HomeID, TimeZone: zone } = site
  const billing = await billingOf(db, tenant, { HomeID, zone })
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

async function balanceOf(
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
