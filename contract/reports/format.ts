import type { CarbonFactorOfYear } from '../tariffs/carbon.ts'
import type { PriceReview } from '../tariffs/price-review.ts'
import type { ReportWords } from './document.ts'

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
