import { pixelAt, type ChartColumn, type ChartModel, type TimeSeries } from './model.ts'

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
  const rows = series.map((one): TooltipRow => {
    const place = pixelAt(one, at)
    const of = (figures: ArrayLike<number | null> | undefined) => figures?.[place] ?? null
    return {
      series: one,
      value: of(one.values),
      figures: columns.map(({ key }) => of(one.figures?.[key])),
      share: null,
      estimated: one.estimated?.[place] ?? 0,
      between: one.between?.[place] ?? 0,
      missing: one.missing?.[place] ?? 0,
      range: rangeOf(of(one.low), of(one.high)),
      trueTime: one.trueTimes?.[place],
    }
  })
  if (!summed) return { rows, sum: undefined }
  const counted = rows.filter(({ series }) => series.faint !== true)
  const sum = {
    value: add(counted.map(({ value }) => value)),
    figures: columns.map((_, i) => add(counted.map(({ figures }) => figures[i] ?? null))),
  }
  const whole = sum.value
  const meaningful = whole !== null && whole > 0 && counted.every(({ value }) => (value ?? 0) >= 0)
  if (meaningful && counted.length > 1)
    for (const row of counted) row.share = row.value === null ? null : row.value / whole
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
