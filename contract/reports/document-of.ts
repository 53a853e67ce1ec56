import type { Report, CarbonReport, ReportGap } from './calls.ts'
import {
  type ReportDocument,
  type ReportWords,
  type ReportColumn,
  type ReportSection,
  formatComputed,
  formatMissingFactor,
  formatTime,
  formatNumber,
  formatSources,
  formatShare,
} from './document.ts'
import { monthlyDocument } from './monthly-document.ts'

/** Time zone of a report without sites. */
const DEFAULT_ZONE = 'Asia/Taipei'

function carbonDocument(report: CarbonReport, words: ReportWords): ReportDocument {
  const zone = report.Sites[0]?.TimeZone ?? DEFAULT_ZONE
  const name = report.HomeID === null ? report.Company : (report.Sites[0]?.HomeName ?? '')
  return {
    title: words.text('report:titles.carbon', { name }),
    subtitle: words.text(
      report.Closed
        ? 'report:carbon.closed'
        : report.IsProvisional
          ? 'report:carbon.provisional'
          : 'report:carbon.open',
      { year: report.Period },
    ),
    facts: [
      words.text('report:asOf', { at: formatTime(report.AsOf, zone), zone }),
      ...formatComputed(report.ComputedPercent, words),
      words.text('report:completeNow', { is: formatShare(report.Complete) }),
      formatSources([report.Factor], words),
      ...formatMissingFactor(report.MissingFactor, words),
    ],
    summary: summaryOf(report, words, zone),
    sections: [
      sites(report, words),
      ...report.Sites.map((site) => months(site, words)),
      ...(report.Lacks.length ? [missingSection(report, words)] : []),
      method(words),
    ],
  }
}

function summaryOf(report: CarbonReport, words: ReportWords, zone: string): string[] {
  const { kWh, CarbonKg, Closed } = report
  return [
    kWh === null || CarbonKg === null
      ? words.text('report:summary.unknown')
      : words.text('report:carbon.sum', {
          kwh: formatNumber(kWh, 1),
          factor: formatNumber(report.Factor.Factor, 3),
          tonnes: formatNumber(CarbonKg / 1000, 3),
        }),
    ...report.Sites.flatMap(({ HomeName, Since }) =>
      Since === null ? [] : [words.text('report:carbon.since', { site: HomeName, date: Since })],
    ),
    ...(report.IsProvisional ? [words.text('report:carbon.whyProvisional')] : []),
    ...(Closed
      ? [
          words.text('report:carbon.closedBy', {
            name: Closed.ByName,
            at: formatTime(Closed.At, zone),
            hash: Closed.Hash,
          }),
        ]
      : []),
    ...(Closed && !Closed.IsIntact ? [words.text('report:carbon.broken')] : []),
    ...(Closed?.Differs
      ? [
          words.text('report:carbon.differs', {
            kwh: Closed.Differs.kWh === null ? '—' : formatNumber(Closed.Differs.kWh, 1),
            tonnes: Closed.Differs.CarbonKg === null ? '—' : formatNumber(Closed.Differs.CarbonKg / 1000, 3),
          }),
        ]
      : []),
  ]
}

type Figures = Pick<CarbonReport, 'kWh' | 'Complete' | 'Corrected' | 'CarbonKg'>

const columnsOf = (first: string, words: ReportWords): ReportColumn[] => [
  { title: first },
  { title: words.text('report:columns.bought'), decimals: 1 },
  { title: words.text('report:columns.complete'), isFigure: true },
  { title: words.text('report:columns.corrected'), isFigure: true },
  { title: 't CO₂e', decimals: 3 },
]

const cellsOf = ({ kWh, Complete, Corrected, CarbonKg }: Figures) => [
  kWh,
  formatShare(Complete),
  formatShare(Corrected),
  CarbonKg === null ? null : CarbonKg / 1000,
]

const sites = (report: CarbonReport, words: ReportWords): ReportSection => ({
  key: 'sites',
  title: words.text('report:sections.carbonSites'),
  table: {
    columns: columnsOf(words.text('report:columns.site'), words),
    rows: report.Sites.map((site) => [site.HomeName, ...cellsOf(site)]),
    foot: [words.text('report:total'), ...cellsOf(report)],
  },
  notes: [],
})

function months(site: CarbonReport['Sites'][number], words: ReportWords): ReportSection {
  // The time before the first day with data has its own note.
  const without = site.Months.filter(
    ({ IsMetered, Month }) => !IsMetered && !(site.Since && Month < site.Since),
  )
  return {
    key: `months ${site.HomeID}`,
    title: words.text('report:sections.carbonMonths', { site: site.HomeName }),
    isDetail: true,
    table: {
      columns: columnsOf(words.text('report:columns.month'), words),
      rows: site.Months.map((month) =>
        month.IsMetered ? [month.Month, ...cellsOf(month)] : [month.Month, null, '—', '—', null],
      ),
      foot: [words.text('report:total'), ...cellsOf(site)],
    },
    notes: [
      ...(without.length
        ? [words.text('report:carbon.notMetered', { months: without.map(({ Month }) => Month).join(', ') })]
        : []),
      ...(site.Since === null
        ? []
        : [words.text('report:carbon.since', { site: site.HomeName, date: site.Since })]),
    ],
  }
}

function missingSection({ Lacks, Sites, Factor }: CarbonReport, words: ReportWords): ReportSection {
  const siteOf = ({ HomeID }: ReportGap) => Sites.find((site) => site.HomeID === HomeID)?.HomeName ?? ''
  return {
    key: 'lacks',
    title: words.text('report:sections.lacks'),
    notes: Lacks.map((missingData) =>
      words.text(`report:lacks.${missingData.Reason}`, {
        site: siteOf(missingData),
        month: missingData.Month ?? '',
        have: missingData.Have === null ? '' : formatShare(missingData.Have),
        year: Factor.Year,
      }),
    ),
  }
}

const method = (words: ReportWords): ReportSection => ({
  key: 'method',
  title: words.text('report:sections.method'),
  notes: [words.text('report:carbon.method'), words.text('report:carbon.methodBought')],
})

export const documentOf = (report: Report, words: ReportWords): ReportDocument =>
  report.Kind === 'monthly' ? monthlyDocument(report, words) : carbonDocument(report, words)
