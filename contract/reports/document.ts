import {
  formatChange,
  formatDecimals,
  formatFactor,
  formatFigure,
  formatLimitKw,
  formatPower,
  formatWhole,
  NO_VALUE,
  roundEstimate,
} from '../kernel/numbers.ts'
import { formatDate } from '../time/format-time.ts'
import type { CarbonFactorOfYear } from '../tariffs/carbon.ts'
import type { PriceReview } from '../tariffs/price-review.ts'

/** Texts in a report's language, from the namespaces `report`, `tariff` and `energy` of the locales. */
export interface ReportWords {
  language: string
  /** Translates a key and fills in values; `count` selects the plural form. */
  text(key: string, values?: Readonly<Record<string, string | number>>): string
  has(key: string): boolean
}

/** Text, number, or null if unknown. */
export type Cell = string | number | null

/** Format of numbers: a number of decimals, or that of their quantity. Dates of the contract are texts, as files need them. */
export type CellStyle = number | 'figure' | 'power' | 'limit' | 'estimate' | 'date'

/** Table column: numbers and dates have a `style`, texts have none. Numbers, and texts that represent one (12.3%), are right-aligned. */
export interface ReportColumn {
  title: string
  style?: CellStyle
  isFigure?: true
}

/** Whether a column is right-aligned. */
export const isFigure = ({ style, isFigure: isNumeric }: ReportColumn): boolean =>
  (style !== undefined && style !== 'date') || isNumeric === true

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
  /** Period as in file names: "2026-10". */
  period: string
  /** Facts on every page: time of computation, coverage, factor and source. */
  facts: readonly string[]
  /** Whole sentences, most important first. */
  summary: readonly string[]
  sections: readonly ReportSection[]
}

const FORMATS: Readonly<Record<Exclude<CellStyle, number | 'date'>, (value: number) => string>> = {
  figure: formatFigure,
  power: formatPower,
  limit: formatLimitKw,
  estimate: (value) => formatWhole(roundEstimate(value)),
}

/** Formats a cell for pages and emails. */
export function formatCell(cell: Cell | undefined, { style = 0 }: ReportColumn, language: string): string {
  if (cell === null || cell === undefined) return NO_VALUE
  if (typeof cell === 'string') return style === 'date' ? formatDate(cell, language) : cell
  return typeof style === 'number'
    ? formatDecimals(cell, style)
    : style === 'date'
      ? String(cell)
      : FORMATS[style](cell)
}

/** Formats a change in percent; "≈" marks one of incomplete data. */
export const changeText = (change: number, style: 'plain' | 'about' | 'none'): string =>
  `${style === 'about' ? '≈ ' : ''}${formatChange(change)}`

/** Sentence that lists the factors of several years with their sources. */
export const formatSources = (factors: readonly CarbonFactorOfYear[], words: ReportWords): string =>
  factors
    .map(({ Year, Factor, Source, Of }) =>
      words.text('energy:carbon.factorOfYear', {
        year: Year,
        factor: formatFactor(Factor),
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
        words.text('tariff:prices.checked', { date: formatDate(prices.CheckedOn, words.language) }),
        ...(prices.MayHaveChanged
          ? [
              words.text('tariff:prices.mayHaveChanged', {
                date: formatDate(prices.ReviewOn, words.language),
              }),
            ]
          : []),
      ]
    : []

/** Note that the carbon factor of a year should be entered by now; empty if none is missing. */
export const formatMissingFactor = (year: number | undefined, words: ReportWords): string[] =>
  year === undefined ? [] : [words.text('report:missingFactor', { year })]
