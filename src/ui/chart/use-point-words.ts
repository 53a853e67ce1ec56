import { useCallback } from 'react'
import { nextStart } from '../../../contract/time/periods.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import {
  valueWords as sayValue,
  type ChartAxis,
  type ChartColumn,
  type ChartModel,
  pixelAt,
  type TimeSeries,
} from './model.ts'
import { isPartly } from './partly.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { formatPeriod } from './time-ticks.ts'

/** One series at one time. */
export interface TooltipRow {
  series: TimeSeries
  value: number | null
  /** Further figures, in the order of the columns. */
  figures: (number | null)[]
  /** Share of the sum, 0..1; null without a sum, or if negative parts make shares meaningless. */
  share: number | null
  /** Estimated share of the value, 0..1. */
  estimated: number
  /** Share of the value, 0..1, that was distributed between two readings of a meter that reports on time. */
  between: number
  /** Unknown share of the value's time, 0..1. */
  missing: number
  /** Minimum and maximum that a mean hides. Undefined if they are equal, or if every value is drawn. */
  range: { low: number; high: number } | undefined
  /** Actual time of the value if it differs from the chart's. */
  trueTime: number | undefined
}

export interface TooltipRows {
  rows: TooltipRow[]
  /** Sum of the rows that are not faint; null if no value is known. Undefined unless requested. */
  sum: { value: number | null; figures: (number | null)[] } | undefined
}

/**
 * Rows of the tooltip at a time: every series with its value, further figures and share, and their sum.
 *
 * summed  whether the series can be added: parts of a whole can, temperature and humidity cannot
 */
export function tooltipRows(
  { series }: Pick<ChartModel, 'series'>,
  columns: readonly ChartColumn[],
  at: number,
  summed: boolean,
): TooltipRows {
  const rows = series.map((line): TooltipRow => {
    const place = pixelAt(line, at)
    const of = (figures: ArrayLike<number | null> | undefined) => figures?.[place] ?? null
    return {
      series: line,
      value: of(line.values),
      figures: columns.map(({ key }) => of(line.figures?.[key])),
      share: null,
      estimated: line.estimated?.[place] ?? 0,
      between: line.between?.[place] ?? 0,
      missing: line.missing?.[place] ?? 0,
      range: rangeOf(of(line.low), of(line.high)),
      trueTime: line.trueTimes?.[place],
    }
  })
  if (!summed) return { rows, sum: undefined }
  const counted = rows.filter(({ series }) => series.isFaint !== true)
  const sum = {
    value: add(counted.map(({ value }) => value)),
    figures: columns.map((_, i) => add(counted.map(({ figures }) => figures[i] ?? null))),
  }
  const total = sum.value
  const meaningful = total !== null && total > 0 && counted.every(({ value }) => (value ?? 0) >= 0)
  if (meaningful && counted.length > 1)
    for (const row of counted) row.share = row.value === null ? null : row.value / total
  return { rows, sum }
}

const rangeOf = (low: number | null, high: number | null): TooltipRow['range'] =>
  low === null || high === null || low === high ? undefined : { low, high }

/** Sum of the known values; null if there are none. */
function add(values: readonly (number | null)[]): number | null {
  let sum: number | null = null
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value
  return sum
}

/** Text of a time of a chart: the period if it has bars, else the time to the second. */
export function useMomentWords({ zone, resolution, series }: ChartModel): (at: number) => string {
  const language = useLanguage()
  const bars = series.some(({ draw }) => draw === 'bars')
  return useCallback(
    (at: number) =>
      bars ? formatPeriod(at, resolution, zone, language) : formatWhen(at, language, zone, 'second'),
    [bars, resolution, zone, language],
  )
}

/** Text of a series' value with its unit, for a mean also its range; "–" without a value. */
function usePointValueWords({ axes }: Pick<ChartModel, 'axes'>) {
  return ({ series, value, range }: Pick<TooltipRow, 'series' | 'value' | 'range'>): string => {
    const axis = axes[series.axis ?? 0] ?? axes[0]
    if (value === null) return '–'
    const valueText = `${sayValue(axis, value)} ${axis.unit}`
    return range ? `${valueText} (${formatRangeOfMean(axis, range)})` : valueText
  }
}

/** Range of the values that a mean hides. */
export const formatRangeOfMean = (axis: ChartAxis, { low, high }: NonNullable<TooltipRow['range']>): string =>
  `${sayValue(axis, low)} – ${sayValue(axis, high)}`

/** Texts of the marks at a time: unfinished period, estimated figures, missing parts. `ofPast` covers a value of a compared period. */
export function useMarkWords({ series, resolution, zone, now }: ChartModel) {
  const t = useT()
  const bars = series.some(({ draw }) => draw === 'bars')
  return {
    ofMoment(rows: readonly TooltipRow[], at: number): string[] {
      if (!bars) return []
      const period = { from: at, to: nextStart(resolution, at, zone) }
      const knownRows = rows.filter(({ series, value }) => !series.isFaint && value !== null)
      return [
        ...(at <= now && now < period.to ? [t('charts:unfinished')] : []),
        ...(knownRows.some(({ between }) => between > 0) ? [t('charts:between')] : []),
        ...(knownRows.some(({ estimated }) => estimated > 0) ? [t('charts:estimated')] : []),
        ...(knownRows.some(({ missing }) => isPartly(missing, period, now)) ? [t('charts:partly')] : []),
      ]
    },
    ofPast: ({ value, between, estimated, missing }: TooltipRow): string[] =>
      value === null
        ? []
        : [
            ...(between > 0 ? [t('charts:between')] : []),
            ...(estimated > 0 ? [t('charts:estimated')] : []),
            ...(missing > 0 ? [t('charts:partly')] : []),
          ],
  }
}

/** All values and marks at a time as one sentence, for a screen reader. */
export function usePointWords(props: {
  model: ChartModel
  columns: readonly ChartColumn[]
  summed: boolean
}): (at: number) => string {
  const { model, columns, summed } = props
  const t = useT()
  const momentWords = useMomentWords(model)
  const valueWords = usePointValueWords(model)
  const marks = useMarkWords(model)
  return (at) => {
    const { rows, sum } = tooltipRows(model, columns, at, summed)
    const [axis] = model.axes
    return [
      momentWords(at),
      ...rows.map((row) =>
        [row.series.label, valueWords(row), ...(row.series.isFaint ? marks.ofPast(row) : [])].join(' '),
      ),
      ...(sum?.value !== null && sum?.value !== undefined && rows.length > 1
        ? [`${t('charts:sum')} ${sayValue(axis, sum.value)} ${axis.unit}`]
        : []),
      ...marks.ofMoment(rows, at),
    ].join(t('charts:listMark'))
  }
}
