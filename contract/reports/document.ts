import type { CarbonFactorOfYear } from '../tariffs/carbon.ts'
import type { PriceReview } from '../tariffs/price-review.ts'

/** Texts in a report's language, from the namespaces `report`, `tariff` and `energy` of the locales. */
export interface ReportWords {
  /** Translates a key and fills in values; `count` selects the plural form. */
  text(key: string, values?: Readonly<Record<string, string | number>>): string
  has(key: string): boolean
}

/** Text, number, or null if unknown. */
export type Cell = string | number | null

/** Table column: numbers have `decimals`, texts have none. Numbers, and texts that represent one (12.3 %), are right-aligned. */
export interface ReportColumn {
  title: string
  decimals?: number
  isFigure?: true
}

/** Whether a column is right-aligned. */
export const isFigure = ({ decimals, isFigure: isNumeric }: ReportColumn): boolean =>
  decimals !== undefined || isNumeric === true

export interface ReportTable {
  columns: readonly ReportColumn[]
  rows: readonly (readonly Cell[])[]
  /** Totals row. */
  foot?: readonly Cell[]
}

/** Bars next to those of the year before. */
export interface ReportChart {
  /** Accessible description. */
  title: string
  unit: string
  bars: readonly { label: string; value: number | null; before: number | null }[]
}

export interface ReportSection {
  /** Unique among the sections. */
  key: string
  title: string
  chart?: ReportChart
  table?: ReportTable
  notes: readonly string[]
  /** Omitted from emails: long, and shown on the page. */
  isDetail?: boolean
}

/** Text form of a report. Pages, emails and workbooks render it, so that all have the same content. */
export interface ReportDocument {
  title: string
  /** Site and period. */
  subtitle: string
  /** Facts on every page: time of computation, coverage, factor and source. */
  facts: readonly string[]
  /** Whole sentences, most important first. */
  summary: readonly string[]
  sections: readonly ReportSection[]
}

/** Formats a cell for pages and emails; a dash for null. */
export function formatCell(cell: Cell | undefined, { decimals = 0 }: ReportColumn): string {
  if (cell === null || cell === undefined) return '—'
  if (typeof cell === 'string') return cell
  return cell.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** Formats a share in percent with one decimal, rounded down so that it is never overstated. */
export const formatShare = (share: number): string => `${(Math.floor(share * 1000 + 1e-9) / 10).toFixed(1)} %`

export const formatChange = (change: number, style: 'plain' | 'about' | 'none'): string =>
  `${style === 'about' ? '≈ ' : ''}${change > 0 ? '+' : ''}${(change * 100).toFixed(1)} %`

export const formatNumber = (value: number, decimals = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

const MOMENT: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}

/** Formats a timestamp in a time zone: 2026-11-05 08:00. */
export const formatTime = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { ...MOMENT, timeZone }).format(at)

/** Formats a factor with at least three decimals, as published, or with all that a company entered. */
const factorText = (factor: number): string =>
  factor.toLocaleString('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 10 })

/** Sentence that lists the factors of several years with their sources. */
export const formatSources = (factors: readonly CarbonFactorOfYear[], words: ReportWords): string =>
  factors
    .map(({ Year, Factor, Source, Of }) =>
      words.text('energy:carbon.factorOfYear', {
        year: Year,
        factor: factorText(Factor),
        source: words.text(`energy:carbon.sources.${Source}`, { year: Of ?? '' }),
      }),
    )
    .join(words.text('energy:carbon.and'))

/** Note that energy is still being computed, so that sums are lower bounds; empty if everything is computed. */
export const formatComputed = (percent: number | undefined, words: ReportWords): string[] =>
  percent === undefined ? [] : [words.text('report:computing', { percent })]

/** Sentences on the age of Taipower's prices: the day of the last check, and whether they may have changed since. */
export const formatPrices = (prices: PriceReview | undefined, words: ReportWords): string[] =>
  prices
    ? [
        words.text('tariff:prices.checked', { date: prices.CheckedOn }),
        ...(prices.MayHaveChanged
          ? [words.text('tariff:prices.mayHaveChanged', { date: prices.ReviewOn })]
          : []),
      ]
    : []

/** Note that the carbon factor of a year should be entered by now; empty if none is missing. */
export const formatMissingFactor = (year: number | undefined, words: ReportWords): string[] =>
  year === undefined ? [] : [words.text('report:missingFactor', { year })]
