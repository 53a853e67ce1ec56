import type { ImportKind } from '../../../../contract/meters/meter-import.ts'

/** Headings of counter readings. */
const COUNTER_HEAD = /累計|指數|讀數|讀值|counter|cumulative|accumulat|reading/i
/** Headings of consumption. */
const USAGE_HEAD = /用電|耗電|usage|consum|energy/i

/** Minimum share of steps without a decrease in a counter, which only falls at a replacement. */
const SELDOM_FALLS = 0.98
const LEAST_RISES = 6
/** Minimum ratio of a counter's value to its steps. */
const ABOVE_ITS_STEPS = 5

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
  const judged = series.map(looksLike).filter((found) => found !== undefined)
  const counters = judged.filter((found) => found === 'counter').length
  const likely = judged.length > 0 && counters * 2 > judged.length ? 'counter' : 'interval'
  const said = heads.map(kindOfHead)
  const [first] = said
  const agree = first !== undefined && said.every((one) => one === first)
  return { kind: agree && (judged.length === 0 || first === likely) ? first : null, likely }
}

/** A heading such as 累計用電量 names a counter, although it contains 用電. */
function kindOfHead(head: string): ImportKind | undefined {
  if (COUNTER_HEAD.test(head)) return 'counter'
  return USAGE_HEAD.test(head) ? 'interval' : undefined
}

/** Undefined if there are too few values. */
function looksLike(figures: readonly number[]): ImportKind | undefined {
  const steps = figures.slice(1).map((figure, i) => figure - (figures[i] as number))
  if (steps.length < LEAST_RISES) return undefined
  const rises = steps.filter((step) => step > 0).length
  const falls = steps.filter((step) => step < 0).length
  const isCounter =
    rises >= LEAST_RISES &&
    steps.length - falls >= SELDOM_FALLS * steps.length &&
    median(figures) >= ABOVE_ITS_STEPS * median(steps)
  return isCounter ? 'counter' : 'interval'
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
