import {
  formatComplete,
  formatFactor,
  formatFigure,
  formatLimitKw,
  formatNumber,
  formatPower,
  moneyText,
} from '../kernel/numbers.ts'
import type { ComparedFigure, MonthlyReport } from './calls.ts'
import { MIN_COMPLETE_SHARE } from '../energy/coverage.ts'
import {
  type ReportDocument,
  type ReportSection,
  type ReportWords,
  changeText,
  formatComputed,
  formatMissingFactor,
  formatPrices,
  formatSources,
} from './document.ts'
import { formatDate, formatPeriod, formatWhen } from '../time/format-time.ts'
import { dayOf, formatDay } from '../time/periods.ts'
import { dayTable, detailSections } from './detail-sections.ts'

/** Time zone of a report without sites. */
const DEFAULT_ZONE = 'Asia/Taipei'

export function monthlyDocument(report: MonthlyReport, words: ReportWords): ReportDocument {
  const zone = report.Sites[0]?.TimeZone ?? DEFAULT_ZONE
  const name = report.HomeID === null ? report.Company : (report.Sites[0]?.HomeName ?? '')
  const { Total, From, Through } = report
  return {
    title: words.text('report:titles.monthly', { name }),
    subtitle:
      From === null || Through === null
        ? words.text('report:notBegun', { period: formatDate(report.Period, words.language) })
        : report.IsOver
          ? formatPeriod(From, Through, words.language)
          : words.text('report:spanSoFar', { days: formatPeriod(From, Through, words.language) }),
    period: report.Period,
    facts: [
      words.text('report:asOf', { at: formatWhen(report.AsOf, words.language, zone), zone }),
      ...formatComputed(report.ComputedPercent, words),
      words.text('report:complete', {
        is: formatComplete(Total.Complete),
        was: formatComplete(Total.CompleteBefore),
      }),
      ...(report.Carbon.length ? [formatSources(report.Carbon, words)] : []),
      ...formatPrices(report.Prices, words),
      ...formatMissingFactor(report.MissingFactor, words),
    ],
    summary: summaryOf(report, words),
    sections: [
      figures(report, words),
      ...(report.HomeID === null ? [sites(report, words)] : []),
      ...(report.Detail ? detailSections(report.Detail, words, zone) : []),
      ...attention(report, words),
      ...(report.Detail ? [dayTable(report.Detail, words)] : []),
    ],
  }
}

function summaryOf(report: MonthlyReport, words: ReportWords): string[] {
  const { Total, Detail, Alarms, ComputedPercent } = report
  const { kWh, Cost, CarbonKg } = Total
  const computed = formatComputed(ComputedPercent, words)
  if (kWh.Now === null) return [...computed, words.text('report:summary.unknown')]
  const changed =
    kWh.Change === null
      ? words.text(kWh.Before === null ? 'report:summary.noBefore' : 'report:summary.notComparable')
      : words.text(`report:summary.${kWh.Change >= 0 ? 'more' : 'less'}`, {
          share: changeText(Math.abs(kWh.Change), kWh.Said).replace('+', ''),
        })
  const demand = Detail?.Demand
  return [
    ...computed,
    words.text('report:summary.used', { kwh: formatFigure(kWh.Now) }) + changed,
    Cost.Now === null
      ? words.text('report:summary.noPrice')
      : words.text('report:summary.cost', { cost: moneyText(Cost.Now) }),
    ...(CarbonKg.Now === null
      ? []
      : [words.text('report:summary.carbon', { tonnes: formatFigure(CarbonKg.Now / 1000) })]),
    ...(demand && demand.Limit !== null && demand.PeakKw > demand.Limit
      ? [
          words.text('report:summary.overContract', {
            peak: formatPeak(demand.PeakKw, demand.Limit),
            limit: formatLimitKw(demand.Limit),
          }),
        ]
      : []),
    ...(Alarms.Raised > 0
      ? [words.text('report:summary.alarms', { count: Alarms.Raised, critical: Alarms.Critical })]
      : []),
  ]
}

/** A peak demand above its limit, with decimals if the rounded figure would look like the limit. */
const formatPeak = (peakKw: number, limit: number): string =>
  formatPower(peakKw) === formatLimitKw(limit) ? formatNumber(peakKw) : formatPower(peakKw)

/** Change as shown in a table; null if too little is known. */
const changeOf = ({ Change, Said }: ComparedFigure): string | null =>
  Change === null ? null : changeText(Change, Said)

/** Share of the energy above which emissions that are not energy times factor are explained. */
const MIN_DIFFERENCE = 0.001

/**
 * Reasons that the emissions are not the energy times the factor, as far as there are any: generation and storage, electricity bought to
 * be stored or sold, and hours in which a meter of the balance has no data.
 */
function carbonNote({ Total, Carbon, Period, OwnEnergy }: MonthlyReport, words: ReportWords): string[] {
  const factor = Carbon.find(({ Year }) => Period.startsWith(`${Year}`))?.Factor
  const [kWh, kg] = [Total.kWh.Now, Total.CarbonKg.Now]
  if (!factor || kWh === null || kg === null) return []
  const bought = kg / factor
  const matters = (energy: number) => Math.abs(energy) > Math.abs(kWh) * MIN_DIFFERENCE
  if (!matters(kWh - bought)) return []
  const { Used, Stored } = OwnEnergy ?? { Used: 0, Stored: 0 }
  const unknown = kWh - Used - (bought - Stored)
  return [
    [
      words.text('report:notes.carbonBought', {
        bought: formatFigure(bought),
        kwh: formatFigure(kWh),
        factor: formatFactor(factor),
      }),
      ...(matters(Used) ? [words.text('report:notes.carbonOwn', { kwh: formatFigure(Used) })] : []),
      ...(matters(Stored) ? [words.text('report:notes.carbonStored', { kwh: formatFigure(Stored) })] : []),
      ...(matters(unknown)
        ? [words.text('report:notes.carbonUnknown', { kwh: formatFigure(Math.abs(unknown)) })]
        : []),
    ].join(' '),
  ]
}

function figures(report: MonthlyReport, words: ReportWords): ReportSection {
  const { Total } = report
  // Comparing a few days with a whole month would look like a rise.
  const isPart = Total.kWh.Before !== null && Total.CompleteBefore < MIN_COMPLETE_SHARE
  const row = (name: string, figure: ComparedFigure, by = 1) => [
    words.text(`report:figures.${name}`),
    figure.Now === null ? null : figure.Now / by,
    figure.Before === null || isPart ? null : figure.Before / by,
    changeOf(figure),
  ]
  const isAbout = [Total.kWh, Total.Cost, Total.CarbonKg].some(({ Said }) => Said === 'about')
  return {
    key: 'figures',
    title: words.text('report:sections.figures'),
    table: {
      columns: [
        { title: words.text('report:columns.item') },
        { title: words.text('report:columns.now'), style: 'figure' },
        { title: words.text('report:columns.before'), style: 'figure' },
        { title: words.text('report:columns.change'), isFigure: true },
      ],
      rows: [row('kwh', Total.kWh), row('cost', Total.Cost), row('carbon', Total.CarbonKg)],
    },
    notes: [
      words.text('report:notes.cost'),
      ...carbonNote(report, words),
      ...(Total.kWh.Now !== null && Total.kWh.Change === null ? [words.text('report:notes.noPercent')] : []),
      ...(isPart ? [words.text('report:notes.part', { share: formatComplete(Total.CompleteBefore) })] : []),
      ...(isAbout ? [words.text('report:notes.about')] : []),
    ],
  }
}

function sites(report: MonthlyReport, words: ReportWords): ReportSection {
  const { Sites, Total } = report
  return {
    key: 'sites',
    title: words.text('report:sections.sites'),
    table: {
      columns: [
        { title: words.text('report:columns.site') },
        { title: words.text('report:columns.kwh'), style: 'figure' },
        { title: words.text('report:columns.change'), isFigure: true },
        { title: words.text('report:columns.ntd'), style: 0 },
        { title: words.text('report:columns.carbonBought'), style: 'figure' },
        { title: words.text('report:columns.complete'), isFigure: true },
        { title: words.text('report:columns.alarms'), style: 0 },
      ],
      rows: Sites.map(({ HomeName, Figures: { kWh, Cost, CarbonKg, Complete }, Alarms }) => [
        HomeName,
        kWh.Now,
        changeOf(kWh),
        Cost.Now,
        CarbonKg.Now,
        formatComplete(Complete),
        Alarms,
      ]),
      foot: [
        words.text('report:total'),
        Total.kWh.Now,
        changeOf(Total.kWh),
        Total.Cost.Now,
        Total.CarbonKg.Now,
        formatComplete(Total.Complete),
        Sites.reduce((sum, { Alarms }) => sum + Alarms, 0),
      ],
    },
    notes: carbonNote(report, words),
  }
}

function attention({ Alarms, Findings, Sites, AsOf }: MonthlyReport, words: ReportWords): ReportSection[] {
  const zone = Sites[0]?.TimeZone ?? DEFAULT_ZONE
  const siteOf = (id: string) => Sites.find(({ HomeID }) => HomeID === id)?.HomeName ?? ''
  return [
    {
      key: 'alarms',
      title: words.text('report:sections.alarms'),
      table: {
        columns: [
          { title: words.text('report:columns.alarmsRaised'), style: 0 },
          { title: words.text('report:columns.alarmsCritical'), style: 0 },
          { title: words.text('report:columns.alarmsOpen'), style: 0 },
        ],
        rows: [[Alarms.Raised, Alarms.Critical, Alarms.Open]],
      },
      notes: [],
    },
    ...(Findings.length
      ? [
          {
            key: 'findings',
            title: words.text('report:sections.findings'),
            table: {
              columns: [
                { title: words.text('report:columns.finding') },
                { title: words.text('report:columns.site') },
                { title: words.text('report:columns.place') },
                { title: words.text('report:columns.saving'), style: 'estimate' as const },
              ],
              rows: Findings.map(({ Kind, HomeID, Place, Amount }) => [
                words.text(`insight:findings.kinds.${Kind}`),
                siteOf(HomeID),
                Place,
                Amount,
              ]),
            },
            notes: [
              words.text('report:notes.findings', {
                date: formatDate(formatDay(dayOf(AsOf, zone)), words.language),
              }),
            ],
          },
        ]
      : []),
  ]
}
