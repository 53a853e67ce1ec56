import type { ImportKind } from '../../../../contract/meters/meter-import.ts'

/** Headings of what a counter showed. */
const COUNTER_HEAD = /累計|指數|讀數|讀值|counter|cumulative|accumulat|reading/i
/** Headings of what was used. */
const USAGE_HEAD = /用電|耗電|usage|consum|energy/i

/** A counter rises or stays in so many of its steps: it falls where the meter was replaced. */
const SELDOM_FALLS = 0.98
const LEAST_RISES = 6
/** A counter stands far above what it moves by from one reading to the next. */
const ABOVE_ITS_STEPS = 5

/** What the figures of one meter look like, and what their heading says. */
export interface KindGuess {
  /** Null where nothing decides it: a person must. */
  kind: ImportKind | null
  /** What the figures look like. */
  likely: ImportKind
}

/**
 * What figures are: by their headings, unless the figures contradict them.
 *
 * series  figures of one meter each, in the order of their time
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

/** A total such as 累計用電量 is what a counter shows. */
function kindOfHead(head: string): ImportKind | undefined {
  if (COUNTER_HEAD.test(head)) return 'counter'
  return USAGE_HEAD.test(head) ? 'interval' : undefined
}

/** Undefined where there are too few figures to tell. */
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
