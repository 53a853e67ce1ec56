import { quantile } from '../../../../contract/energy/load-shape.ts'

/** Median; undefined without values. */
export const medianOf = (values: ArrayLike<number>): number | undefined => quantile(values, 0.5) ?? undefined

/** Median absolute deviation: a spread that single days do not change. */
export function spreadOf(values: readonly number[]): number {
  const median = medianOf(values) ?? 0
  return medianOf(values.map((one) => Math.abs(one - median))) ?? 0
}

/** Level above which a value is unusual: three spreads of a mean of three days, and at least a fifth, above the median. */
export const upperLimitOf = (values: readonly number[], factor: number): number => {
  const median = medianOf(values) ?? 0
  return median + factor * Math.max((3 * spreadOf(values)) / Math.sqrt(3), MIN_RISE * median)
}

/** Minimum of `upperLimitOf` for values with this median: a value below it need not be compared with their spread. */
export const lowerLimitOf = (median: number, factor: number): number => median + factor * (MIN_RISE * median)

const MIN_RISE = 0.2

export const sumOf = (values: Iterable<number>): number => {
  let sum = 0
  for (const one of values) sum += one
  return sum
}
