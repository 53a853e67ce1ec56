import { pixelAt, type ChartColumn, type ChartModel, type TimeSeries } from './model.ts'

/** One series at one moment. */
export interface TooltipRow {
  series: TimeSeries
  /** Null where it has none. */
  value: number | null
  /** Further figures, in the columns' order. */
  figures: (number | null)[]
  /** 0..1 of the sum; null where there is no sum to have a part of, or where parts below zero make shares meaningless. */
  share: number | null
  /** 0..1 of the value was estimated. */
  estimated: number
  /** 0..1 of the value was shared between two readings of a meter on time. */
  between: number
  /** 0..1 of its time is not known. */
  missing: number
  /** What a mean hides: the least and the greatest value. Undefined where they are the same, or every value is drawn. */
  range: { low: number; high: number } | undefined
  /** The moment the value belongs to, when it is not the chart's own. */
  trueTime: number | undefined
}

export interface TooltipRows {
  rows: TooltipRow[]
  /** Of the rows that are not faint; null where no value is known. Undefined unless asked for. */
  sum: { value: number | null; figures: (number | null)[] } | undefined
}

/**
 * What is to be said about a moment: every series with its value, further figures and share, and their sum.
 *
 * summed  whether the series add up at all: parts of a whole do, a temperature and a humidity do not
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

/** The sum of what is known; null when nothing is. */
function add(values: readonly (number | null)[]): number | null {
  let sum: number | null = null
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value
  return sum
}
