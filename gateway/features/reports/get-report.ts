import { createHash } from 'node:crypto'
import { type Report, CarbonReport } from '../../../contract/reports/calls.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { carbonReport } from './carbon.ts'
import { type ReportQuery, monthsOf, readSites } from './report-query.ts'
import { monthlyReport } from './monthly.ts'
import type { ReportPorts } from './ports.ts'

/** A closed report as it is stored. */
interface Copy {
  copyId: string
  content: string
  hash: string
  at: number
  by: string
  byName: string
}

/** Key of a report. */
interface ReportKey {
  tenant: string
  HomeID: string | null
  Kind: string
  Period: string
}

/** Stored part of a report, without the reader's language and the closed state. */
const Content = CarbonReport.omit({ Language: true, Closed: true })

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Stored copy of a closed report; undefined if it is open. */
export async function readClosedCopy(
  db: Db,
  { tenant, HomeID, Kind, Period }: ReportKey,
  lock = false,
): Promise<Copy | undefined> {
  const [copy] = await db.query<Copy>(sql`
    select copy_id as "copyId", content, hash, closed_at as at, closed_by as by, closed_by_name as "byName"
    from report_copies where tenant = ${tenant} and coalesce(home_id, '') = ${HomeID ?? ''}
      and kind = ${Kind} and period = ${Period} and reopened_at is null
    ${lock ? sql`for update` : sql``}`)
  return copy
}

/** Stores a report as closed. Errors: a unique violation if it is closed already. */
export async function storeClosedReport(
  db: Db,
  { tenant, HomeID, Kind, Period }: ReportKey,
  report: CarbonReport,
  { copyId, at, by, byName }: Omit<Copy, 'content' | 'hash'>,
): Promise<Copy> {
  const content = JSON.stringify(Content.parse(report))
  const hash = hashOf(content)
  await db.query(sql`
    insert into report_copies (copy_id, tenant, home_id, kind, period, content, hash, closed_at, closed_by, closed_by_name)
    values (${copyId}, ${tenant}, ${HomeID}, ${Kind}, ${Period}, ${content}, ${hash}, ${at}, ${by}, ${byName})`)
  return { copyId, content, hash, at, by, byName }
}

/** The stored report, together with the differences to the present figures. */
export function closedReport(copy: Copy, present: CarbonReport): CarbonReport {
  const content = Content.parse(JSON.parse(copy.content))
  return {
    ...content,
    Language: present.Language,
    Closed: {
      At: copy.at,
      By: copy.by,
      ByName: copy.byName,
      Hash: copy.hash,
      IsIntact: hashOf(copy.content) === copy.hash,
      Differs: isAlike(content, present) ? null : { kWh: present.kWh, CarbonKg: present.CarbonKg },
    },
  }
}

/** Tolerance in kWh and kg for a different order of addition. */
const ROUNDING = 1e-6

type Figures = Pick<CarbonReport, 'kWh' | 'CarbonKg'>

const figuresOf = (report: Pick<CarbonReport, 'Sites' | 'kWh' | 'CarbonKg'>): Map<string, Figures> =>
  new Map<string, Figures>([
    ['', report],
    ...report.Sites.flatMap(({ HomeID, Months }) =>
      Months.filter(({ kWh }) => kWh !== null).map((month) => [`${HomeID} ${month.Month}`, month] as const),
    ),
  ])

/** Whether two reports have the same figures for each month of each site. */
function isAlike(a: Parameters<typeof figuresOf>[0], b: Parameters<typeof figuresOf>[0]): boolean {
  const [previous, current] = [figuresOf(a), figuresOf(b)]
  const same = (x: number | null, y: number | null) =>
    x === null || y === null ? x === y : Math.abs(x - y) <= ROUNDING * Math.max(1, Math.abs(x))
  return (
    previous.size === current.size &&
    [...previous].every(([key, { kWh, CarbonKg }]) => {
      const other = current.get(key)
      return other !== undefined && same(kWh, other.kWh) && same(CarbonKg, other.CarbonKg)
    })
  )
}

/** Parameters of a report. */
type ReportRequest = Pick<ReportQuery, 'db' | 'tenant' | 'HomeID' | 'Period' | 'Language' | 'now'> & {
  Kind: Report['Kind']
}

/** Computes a report from present data, whether it is closed or not. Errors: NOT_FOUND, INVALID. */
export async function presentReport<K extends Report['Kind']>(
  ports: ReportPorts,
  request: ReportRequest & { Kind: K },
): Promise<Extract<Report, { Kind: K }>> {
  const { db, tenant, HomeID, Kind, Period, now } = request
  const sites = await readSites(db, tenant, HomeID)
  const { first } = monthsOf(
    Kind,
    Period,
    now,
    sites.map(({ TimeZone }) => TimeZone),
  )
  const query: ReportQuery = { ...request, sites }
  const report = Kind === 'monthly' ? monthlyReport(ports, query, first) : carbonReport(ports, query, first)
  return (await report) as Extract<Report, { Kind: K }>
}

/** Report as shown to users: the stored copy if it is closed. Errors: NOT_FOUND, INVALID. */
export async function shownReport(ports: ReportPorts, request: ReportRequest): Promise<Report> {
  const present = await presentReport(ports, request)
  if (present.Kind !== 'carbon') return present
  const copy = await readClosedCopy(request.db, request)
  return copy ? closedReport(copy, present) : present
}
