import type { ImportKind } from '../../../../contract/meters/meter-import.ts'

/** Headings of counter readings. */
const COUNTER_HEAD = /累計|指數|讀數|讀值|counter|cumulative|accumulat|reading/i
/** Headings of consumption. */
const USAGE_HEAD = /用電|耗電|usage|consum|energy/i

/** Minimum share of steps without a decrease in a counter, which only falls at a replacement. */
const MIN_NON_FALLING_SHARE = 0.98
const MIN_RISES = 6
/** Minimum ratio of a counter's value to its steps. */
const MIN_LEVEL_TO_STEP_RATIO = 5

/** Guess from the values of one meter and their heading. */
export interface KindGuess {
  /** Null if it cannot be determined; the user must choose. */
  kind: ImportKind | null
  likely: ImportKind
}

/**
 * Kind of the values: that of their headings if all agree and the values do not contradict it, else null.
 *
 * series  values of one meter each, by time
 */
export function guessKind(heads: readonly string[], series: readonly (readonly number[])[]): KindGuess {
  const judgedKinds = series.map(guessSeriesKind).filter((judgedKind) => judgedKind !== undefined)
  const counters = judgedKinds.filter((judgedKind) => judgedKind === 'counter').length
  const likelyKind = judgedKinds.length > 0 && counters * 2 > judgedKinds.length ? 'counter' : 'interval'
  const statedKinds = heads.map(kindOfHead)
  const [first] = statedKinds
  const agree = first !== undefined && statedKinds.every((statedKind) => statedKind === first)
  return {
    kind: agree && (judgedKinds.length === 0 || first === likelyKind) ? first : null,
    likely: likelyKind,
  }
}

/** A heading such as 累計用電量 names a counter, although it contains 用電. */
function kindOfHead(head: string): ImportKind | undefined {
  if (COUNTER_HEAD.test(head)) return 'counter'
  return USAGE_HEAD.test(head) ? 'interval' : undefined
}

/** Undefined if there are too few values. */
function guessSeriesKind(figures: readonly number[]): ImportKind | undefined {
  const steps = figures.slice(1).map((figure, i) => figure - (figures[i] as number))
  if (steps.length < MIN_RISES) return undefined
  const riseCount = steps.filter((step) => step > 0).length
  const fallCount = steps.filter((step) => step < 0).length
  const isCounter =
    riseCount >= MIN_RISES &&
    steps.length - fallCount >= MIN_NON_FALLING_SHARE * steps.length &&
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
