import { formatComplete, formatDecimals, formatFactor, NO_VALUE } from '../kernel/numbers.ts'
import type { Report, CarbonReport, ReportGap } from './calls.ts'
import {
  type ReportDocument,
  type ReportWords,
  type ReportColumn,
  type ReportSection,
  formatComputed,
  formatMissingFactor,
  formatSources,
} from './document.ts'
import { formatDate, formatWhen } from '../time/format-time.ts'
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
    period: report.Period,
    facts: [
      words.text('report:asOf', { at: formatWhen(report.AsOf, words.language, zone), zone }),
      ...formatComputed(report.ComputedPercent, words),
      words.text('report:completeNow', { is: formatComplete(report.Complete) }),
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
          kwh: formatDecimals(kWh, 1),
          factor: formatFactor(report.Factor.Factor),
          tonnes: formatDecimals(CarbonKg / 1000, 3),
        }),
    ...report.Sites.flatMap(({ HomeName, Since }) =>
      Since === null
        ? []
        : [words.text('report:carbon.since', { site: HomeName, date: formatDate(Since, words.language) })],
    ),
    ...(report.IsProvisional ? [words.text('report:carbon.whyProvisional')] : []),
    ...(Closed
      ? [
          words.text('report:carbon.closedBy', {
            name: Closed.ByName,
            at: formatWhen(Closed.At, words.language, zone),
            hash: Closed.Hash,
          }),
        ]
      : []),
    ...(Closed && !Closed.IsIntact ? [words.text('report:carbon.broken')] : []),
    ...(Closed?.Differs
      ? [
          words.text('report:carbon.differs', {
            kwh: formatDecimals(Closed.Differs.kWh, 1),
            tonnes:
              Closed.Differs.CarbonKg === null ? NO_VALUE : formatDecimals(Closed.Differs.CarbonKg / 1000, 3),
          }),
        ]
      : []),
  ]
}

type Figures = Pick<CarbonReport, 'kWh' | 'Complete' | 'Corrected' | 'CarbonKg'>

const columnsOf = (first: ReportColumn, words: ReportWords): ReportColumn[] => [
  first,
  { title: words.text('report:columns.bought'), style: 1 },
  { title: words.text('report:columns.complete'), isFigure: true },
  { title: words.text('report:columns.corrected'), isFigure: true },
  { title: 't CO₂e', style: 3 },
]

const cellsOf = ({ kWh, Complete, Corrected, CarbonKg }: Figures) => [
  kWh,
  formatComplete(Complete),
  formatComplete(Corrected),
  CarbonKg === null ? null : CarbonKg / 1000,
]

const sites = (report: CarbonReport, words: ReportWords): ReportSection => ({
  key: 'sites',
  title: words.text('report:sections.carbonSites'),
  table: {
    columns: columnsOf({ title: words.text('report:columns.site') }, words),
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
      columns: columnsOf({ title: words.text('report:columns.month'), style: 'date' }, words),
      rows: site.Months.map((month) =>
        month.IsMetered ? [month.Month, ...cellsOf(month)] : [month.Month, null, NO_VALUE, NO_VALUE, null],
      ),
      foot: [words.text('report:total'), ...cellsOf(site)],
    },
    notes: [
      ...(without.length
        ? [
            words.text('report:carbon.notMetered', {
              months: without
                .map(({ Month }) => formatDate(Month, words.language))
                .join(words.text('report:listComma')),
            }),
          ]
        : []),
      ...(site.Since === null
        ? []
        : [
            words.text('report:carbon.since', {
              site: site.HomeName,
              date: formatDate(site.Since, words.language),
            }),
          ]),
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
        month: formatDate(missingData.Month ?? '', words.language),
        have: missingData.Have === null ? '' : formatComplete(missingData.Have),
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
