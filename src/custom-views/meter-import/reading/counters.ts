import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import { DAY_MS } from '../../../../contract/time/periods.ts'

/** Likely kind of the figures of a series, by time. */
export interface Classification {
  /** Undefined if there are too few figures, or none that differ. */
  kind: ImportKind | undefined
  /** Whether no other kind is possible. */
  isSure: boolean
  /** Whether the figures only rise, slowly for their level: a counter, or a coincidence. */
  isCounterLike: boolean
  /** Whether the figures fall so often that no word makes them a counter. */
  fallsOften: boolean
  /** Whether the figures fall around midnight only, as a counter of the day does. */
  isDaily: boolean
  /** Whether a counter begins at zero again and again: every day, month or year. */
  hasRestarts: boolean
}

/** Maximum share of falls in a counter, which only falls at a replacement, and of returns to about zero. */
const MAX_FALLING_SHARE = 0.02
/** Minimum share of its value by which a counter falls that begins at zero again. */
const RESET_SHARE = 0.9
const MIN_RISES = 6
/** Minimum number of rising values that are a counter without any word that says so. */
const MIN_SURE_RISES = 48
/** The same of a counter that is high above its steps. */
const MIN_HIGH_RISES = 20
const MIN_HIGH_RATIO = 100
/** Minimum number of rises, or of figures that never fall, that contradict a word for energy of intervals. */
const MIN_CONTRADICTING_RISES = 4
const MIN_CONTRADICTING_FIGURES = 10
/** Minimum ratio of a counter's value to its steps. */
const MIN_LEVEL_TO_STEP_RATIO = 5
/** Maximum share of readings that may be false in a counter. */
const MAX_GLITCH_SHARE = 0.05

/**
 * Judges figures in the order of their times.
 *
 * walls  local times of the figures, as epoch ms of a clock in UTC
 */
export function classifyFigures(values: readonly number[], walls: readonly number[]): Classification {
  if (isDailyCounter(values, walls))
    return {
      kind: 'counter',
      isSure: false,
      isCounterLike: true,
      fallsOften: false,
      isDaily: true,
      hasRestarts: true,
    }
  if (isPeriodCounter(values, walls))
    return {
      kind: 'counter',
      isSure: false,
      isCounterLike: true,
      fallsOften: false,
      isDaily: false,
      hasRestarts: true,
    }
  const glitches = findGlitches(values)
  const clean =
    glitches.size <= MAX_GLITCH_SHARE * values.length ? values.filter((_, at) => !glitches.has(at)) : values
  return {
    ...classifySteps(clean),
    fallsOften: fallsOften(clean),
    isDaily: false,
    hasRestarts: fallsToZero(clean),
  }
}

/** Minimum share and number of falls, other than to about zero, that no counter has. */
const MIN_FALLING_SHARE = 0.2
const MIN_FALLS = 4

function fallsOften(values: readonly number[]): boolean {
  const falls = values.filter((value, at) => {
    const before = values[at - 1] ?? 0
    return value < before && value > before * (1 - RESET_SHARE)
  }).length
  return falls >= MIN_FALLS && falls >= MIN_FALLING_SHARE * values.length
}

function classifySteps(values: readonly number[]): Pick<Classification, 'kind' | 'isSure' | 'isCounterLike'> {
  const steps = values.slice(1).map((value, at) => value - (values[at] as number))
  const rises = steps.filter((step) => step > 0)
  // A counter falls when it is replaced, or passes its highest figure: then by most of its value.
  const resets = steps.filter((step, at) => step < (values[at] as number) * -RESET_SHARE).length
  const falls = steps.filter((step) => step < 0).length - resets
  const level = median(values)
  const isRising = falls === 0 && resets <= 1 && level > 0
  const isConstant = rises.length === 0 && falls + resets === 0 && level > 0
  if (isConstant && level < MIN_COUNTER_LEVEL && significantDigits(level) < MIN_COUNTER_DIGITS)
    return { kind: 'interval', isSure: true, isCounterLike: false }
  const isSlow = isRising && level >= MIN_LEVEL_TO_STEP_RATIO * Math.max(0, ...rises)
  const isHigh = rises.length >= MIN_HIGH_RISES && level >= MIN_HIGH_RATIO * Math.max(0, ...rises)
  const isCounterLike =
    isSlow && (rises.length >= MIN_CONTRADICTING_RISES || values.length >= MIN_CONTRADICTING_FIGURES)
  // Energy falls to zero again and again.
  if (resets > 1 && resets * 10 >= values.length)
    return { kind: 'interval', isSure: true, isCounterLike: false }
  const isCounter =
    rises.length >= MIN_RISES &&
    falls <= Math.max(1, MAX_FALLING_SHARE * steps.length) &&
    resets <= Math.max(1, MAX_FALLING_SHARE * steps.length) &&
    level >= MIN_LEVEL_TO_STEP_RATIO * median(steps)
  if (isCounter)
    return {
      kind: 'counter',
      isSure: isRising && (rises.length >= MIN_SURE_RISES || isHigh),
      isCounterLike,
    }
  // Without a rise, or with a few small ones, the figures may be a counter that hardly moves, or energy that hardly changes.
  if (isSlow || steps.length < MIN_RISES) return { kind: undefined, isSure: false, isCounterLike }
  // Values that fall often are no readings of a counter.
  return { kind: 'interval', isSure: falls >= 2 && falls * 10 >= values.length, isCounterLike: false }
}

/** Level, and number of digits, of a constant figure from which it may be a counter that stands still: `1.5` is energy, `812.4` is open. */
const MIN_COUNTER_LEVEL = 100
const MIN_COUNTER_DIGITS = 4

const significantDigits = (value: number): number =>
  value.toExponential().replace(/e.*$/, '').replace('.', '').length

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middleIndex = sorted.length >> 1
  return sorted.length % 2
    ? (sorted[middleIndex] ?? 0)
    : ((sorted[middleIndex - 1] ?? 0) + (sorted[middleIndex] ?? 0)) / 2
}

/** Minimum number of falls of a counter that begins at zero again and again: a single one is a replacement. */
const MIN_RESETS = 2

/** Whether figures fall several times, and each time to about zero, as those of counters of a month or a year do. */
function fallsToZero(values: readonly number[]): boolean {
  let resets = 0
  for (let at = 1; at < values.length; at++) {
    const [before, value] = [values[at - 1] as number, values[at] as number]
    if (value >= before) continue
    if (value > before * (1 - RESET_SHARE)) return false
    resets++
  }
  return resets >= MIN_RESETS
}

/** Minimum number of rows per day of a counter that begins at zero every day. */
const MIN_ROWS_PER_DAY = 4
/** A counter of the day may show the total of the day before in its first rows. */
const MAX_RESET_DELAY_MS = 3_600_000

/** Whether figures fall only around midnight, as those of inverters do that count the energy of the day. */
function isDailyCounter(values: readonly number[], walls: readonly number[]): boolean {
  let [resets, rises, risesOfDay, days] = [0, 0, 0, 0]
  for (let at = 1; at < values.length; at++) {
    const step = (values[at] as number) - (values[at - 1] as number)
    if (isNewDay(walls, at)) {
      days++
      if (risesOfDay >= 2) rises++
      risesOfDay = 0
    }
    if (step > 0) risesOfDay++
    if (step >= 0) continue
    if (!isAroundMidnight(walls, at)) return false
    resets++
  }
  // Most days have several rises, and end above where the next one begins.
  return resets >= MIN_RESETS && rises * 2 >= days && values.length >= MIN_ROWS_PER_DAY * days
}

/** Minimum number of rises between two falls of a counter that begins at zero every week, month or year. */
const MIN_RISES_OF_PERIOD = 4
/** Maximum share of the figure before a fall that the figure behind it has. */
const MAX_FIRST_SHARE = 0.5
/** Number of the week of a local time, from Monday or from Sunday (1970 began on a Thursday), of the month, and of the year. */
const PERIODS: readonly ((wall: number) => number)[] = [
  (wall) => Math.floor((wall / DAY_MS + 3) / 7),
  (wall) => Math.floor((wall / DAY_MS + 4) / 7),
  (wall) => new Date(wall).getUTCFullYear() * 12 + new Date(wall).getUTCMonth(),
  (wall) => new Date(wall).getUTCFullYear(),
]

/** Whether figures fall at the beginning of each week, month or year only, as energy since then does. */
const isPeriodCounter = (values: readonly number[], walls: readonly number[]): boolean =>
  PERIODS.flatMap((periodOf) => [periodOf, (end: number) => periodOf(end - 1)]).some((periodOf) => {
    let [resets, rises] = [0, 0]
    for (let at = 1; at < values.length; at++) {
      const [before, value] = [values[at - 1] as number, values[at] as number]
      if (value > before) rises++
      if (value >= before) continue
      // The first period may have begun before the file.
      const isWhole = resets === 0 || rises >= MIN_RISES_OF_PERIOD
      const isNew = periodOf(walls[at] as number) !== periodOf(walls[at - 1] as number)
      if (!isWhole || !isNew || value > before * MAX_FIRST_SHARE) return false
      resets++
      rises = 0
    }
    return resets >= MIN_RESETS
  })

const isNewDay = (walls: readonly number[], at: number): boolean =>
  Math.floor((walls[at] as number) / DAY_MS) !== Math.floor((walls[at - 1] as number) / DAY_MS)

const isAroundMidnight = (walls: readonly number[], at: number): boolean =>
  isNewDay(walls, at) || (walls[at] as number) % DAY_MS <= MAX_RESET_DELAY_MS

/** Values of a counter that begins at zero again and again, continued over its resets. */
export function continueRestarts(values: ArrayLike<number>, glitches: ReadonlySet<number>): Float64Array {
  const continued = new Float64Array(values.length)
  let [before, offset] = [0, 0]
  for (let at = 0; at < values.length; at++) {
    if (glitches.has(at)) continue
    const value = values[at] as number
    if (value < before) offset += before
    continued[at] = value + offset
    before = value
  }
  return continued
}

/** Maximum number of false readings in a row. */
const MAX_GLITCH_LENGTH = 50
/** Minimum ratio of a false rise to what the counter has really risen meanwhile. */
const MIN_GLITCH_RATIO = 10
/** Minimum ratio of the rise from a leading zero, or to a last reading, to the largest other one. */
const MIN_EDGE_RATIO = 50

/** Indexes of readings at which a counter jumps away and comes back, such as a zero, 999999, or a missing digit. */
export function findGlitches(values: ArrayLike<number>): ReadonlySet<number> {
  const glitches = new Set<number>()
  const mark = (from: number, to: number) => {
    for (let at = from; at < to; at++) glitches.add(at)
  }
  for (let at = 1; at < values.length; at++) {
    const [before, value] = [values[at - 1] as number, values[at] as number]
    if (value >= before) continue
    const back = returnOf(values, at)
    const start = startOfSpike(values, at)
    if (start !== undefined) mark(start, at)
    else if (back !== undefined) {
      mark(at, back)
      at = back
    }
  }
  markEdges(values, mark)
  return glitches
}

/** Index at which a counter that has fallen is back where it was. */
function returnOf(values: ArrayLike<number>, at: number): number | undefined {
  const [before, value] = [values[at - 1] as number, values[at] as number]
  for (let next = at + 1; next < Math.min(values.length, at + MAX_GLITCH_LENGTH); next++) {
    const rise = (values[next] as number) - before
    if (rise < 0) continue
    // A counter that begins at zero again gets there step by step.
    const jump = (values[next] as number) - (values[next - 1] as number)
    const isBack = rise <= before - value && jump * 2 >= before - value
    return isBack ? next : undefined
  }
  return undefined
}

/** Index of the first of the readings before this one that are above it, if the rise to it was false. */
function startOfSpike(values: ArrayLike<number>, at: number): number | undefined {
  const value = values[at] as number
  let start = at - 1
  while (start > 0 && at - start <= MAX_GLITCH_LENGTH && (values[start - 1] as number) > value) start--
  const before = values[start - 1]
  if (before === undefined || before > value || before === 0) return undefined
  const rise = (values[start] as number) - before
  // A counter that begins at zero again has got there step by step.
  const isJump = rise * 2 >= (values[at - 1] as number) - value
  return isJump && rise > MIN_GLITCH_RATIO * (value - before) ? start : undefined
}

/** Marks zeros before the first reading, and a last reading that is far off: nothing comes back after them. */
function markEdges(values: ArrayLike<number>, mark: (from: number, to: number) => void): void {
  const last = values.length - 1
  let first = 0
  while (first < last && values[first] === 0) first++
  let largest = 0
  for (let at = first + 1; at < last; at++)
    largest = Math.max(largest, (values[at] as number) - (values[at - 1] as number))
  if (largest <= 0 || last - first < MIN_RISES) return
  if (first > 0 && (values[first] as number) > MIN_EDGE_RATIO * largest) mark(0, first)
  const [before, end] = [values[last - 1] as number, values[last] as number]
  if (end - before > MIN_EDGE_RATIO * largest && end >= MIN_GLITCH_RATIO * before) mark(last, last + 1)
}

/** Ratio of figures in kWh and in Wh, and its tolerance in both directions. */
const THOUSAND = 1_000
const THOUSAND_TOLERANCE = 1.25
/** Minimum ratio of two figures in succession at a change of unit. */
const MIN_UNIT_JUMP = 100
/** Number of figures on both sides that are compared, and their maximum ratio to most of them. */
const LEVEL_FIGURES = 24
const MAX_LEVEL_SPREAD = 20

/**
 * Index from which energy or power is a thousand times as high, or as low, once and to the end: its unit has changed. Zeros do not count.
 */
export function findUnitChange(values: ArrayLike<number>): number | undefined {
  const filled: number[] = []
  for (let at = 0; at < values.length; at++) if ((values[at] as number) > 0) filled.push(at)
  const figures = (from: number, to: number) => filled.slice(from, to).map((at) => values[at] as number)
  const isJump = (place: number) => {
    const jump = (values[filled[place] as number] as number) / (values[filled[place - 1] as number] as number)
    return jump >= MIN_UNIT_JUMP || jump <= 1 / MIN_UNIT_JUMP
  }
  const jumps = Array.from({ length: Math.max(0, filled.length - 1) }, (_, at) => at + 1).filter(isJump)
  // A machine that is switched on and off jumps more than once.
  for (const place of jumps.length === 1 ? jumps : []) {
    if (place < LEVEL_FIGURES || place > filled.length - LEVEL_FIGURES) continue
    const [before, after] = [figures(place - LEVEL_FIGURES, place), figures(place, place + LEVEL_FIGURES)]
    const ratio = median(after) / median(before)
    const isThousand = isNear(Math.max(ratio, 1 / ratio), THOUSAND, THOUSAND_TOLERANCE)
    if (isThousand && isLevel(before) && isLevel(after)) return filled[place]
  }
  return undefined
}

const isLevel = (figures: readonly number[]): boolean => {
  const usual = median(figures)
  return figures.every((figure) => isNear(figure, usual, MAX_LEVEL_SPREAD))
}
const isNear = (value: number, other: number, ratio: number): boolean =>
  value <= other * ratio && value * ratio >= other

/** Figures that devices and databases write for "no value". */
const SENTINELS = new Set([
  999, 9_999, 99_999, 999_999, 9_999_999, 99_999_999, 99.9, 999.9, 9_999.9, 99_999.9, 999.99, 9_999.99,
  99_999.99, 32_767, 65_535, 2_147_483_647, 4_294_967_295,
])
/** Such a figure from which one alone is enough; a smaller one may be real. */
const MIN_SINGLE_SENTINEL = 9_999
/** Minimum ratio of such a figure to the largest other one. */
const MIN_SENTINEL_RATIO = 5

/** Indexes of energy or power values that mean "no value" and are far above all others. */
export function findSentinels(values: ArrayLike<number>): ReadonlySet<number> {
  const found = new Set<number>()
  let largest = 0
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    if (SENTINELS.has(value)) found.add(at)
    else if (value > largest) largest = value
  }
  if (found.size === 0 || found.size === values.length) return new Set()
  const isSure = (value: number) =>
    value >= MIN_SINGLE_SENTINEL || [...found].filter((at) => values[at] === value).length > 1
  return new Set(
    [...found].filter((at) => {
      const value = values[at] as number
      return value > MIN_SENTINEL_RATIO * largest && isSure(value)
    }),
  )
}
