import type { Report } from '../../../contract/reports/calls.ts'
import { carbonReport } from './carbon.ts'
import { closedReport, closedCopyOf } from './closed-reports.ts'
import type { ReportQuery } from './report-query.ts'
import { monthlyReport } from './monthly.ts'
import { monthsOf } from './months.ts'
import type { ReportPorts } from './ports.ts'
import { sitesOf } from './sites.ts'

/** Parameters of a report. */
export type ReportRequest = Pick<ReportQuery, 'db' | 'tenant' | 'HomeID' | 'Period' | 'Language' | 'now'> & {
  Kind: Report['Kind']
}

/** Computes a report from present data, whether it is closed or not. Errors: NOT_FOUND, INVALID. */
export async function presentReport<K extends Report['Kind']>(
  ports: ReportPorts,
  wanted: ReportRequest & { Kind: K },
): Promise<Extract<Report, { Kind: K }>> {
  const { db, tenant, HomeID, Kind, Period, now } = wanted
  const sites = await sitesOf(db, tenant, HomeID)
  const { first } = monthsOf(
    Kind,
    Period,
    now,
    sites.map(({ TimeZone }) => TimeZone),
  )
  const asked: ReportQuery = { ...wanted, sites }
  const report = Kind === 'monthly' ? monthlyReport(ports, asked, first) : carbonReport(ports, asked, first)
  return (await report) as Extract<Report, { Kind: K }>
}

/** Report as shown to users: the stored copy if it is closed. Errors: NOT_FOUND, INVALID. */
export async function shownReport(ports: ReportPorts, wanted: ReportRequest): Promise<Report> {
  const present = await presentReport(ports, wanted)
  if (present.Kind !== 'carbon') return present
  const copy = await closedCopyOf(wanted.db, wanted)
  return copy ? closedReport(copy, present) : present
}
