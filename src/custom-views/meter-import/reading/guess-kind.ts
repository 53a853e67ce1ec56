import type { ImportKind } from '../../../../contract/meters/meter-import.ts'

/** Maximum share of falls in a counter, which only falls at a replacement, and of returns to about zero. */
const MAX_FALLING_SHARE = 0.02
const MAX_RESET_SHARE = 0.1
/** Minimum share of its value by which a counter falls that begins at zero again. */
export const RESET_SHARE = 0.9
const MIN_RISES = 6
/** Minimum ratio of a counter's value to its steps. */
const MIN_LEVEL_TO_STEP_RATIO = 5

/** Kind of values by time; undefined if there are too few. */
export function guessSeriesKind(figures: readonly number[]): ImportKind | undefined {
  const steps = figures.slice(1).map((figure, i) => figure - (figures[i] as number))
  if (steps.length < MIN_RISES) return undefined
  const riseCount = steps.filter((step) => step > 0).length
  // A counter may begin at zero every day; it then falls by almost all of its value.
  const fallCount = steps.filter((step, i) => step < 0 && step > -RESET_SHARE * (figures[i] as number)).length
  const resetCount = steps.filter((step) => step < 0).length - fallCount
  const isCounter =
    riseCount >= MIN_RISES &&
    fallCount <= Math.max(1, MAX_FALLING_SHARE * steps.length) &&
    resetCount <= MAX_RESET_SHARE * steps.length &&
    median(figures) >= MIN_LEVEL_TO_STEP_RATIO * median(steps)
  return isCounter ? 'counter' : 'interval'
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middleIndex = sorted.length >> 1
  return sorted.length % 2
    ? (sorted[middleIndex] ?? 0)
    : ((sorted[middleIndex - 1] ?? 0) + (sorted[middleIndex] ?? 0)) / 2
}
