import { QUARTER_MS } from '../time/periods.ts'

/** Counter value at a time. */
export interface Sample {
  /** Epoch ms. */
  timestamp: number
  kwh: number
  /** Whether a person stated that the counter restarts here: the difference from the previous sample is no energy. */
  restarts?: boolean
}

/**
 * Quality of an interval: m measured, b between two readings of a meter that reports less often but on time, e estimated over a silence,
 * c corrected, - unknown, q affected by a quarantined reading or a fallen counter. The energy of a q interval, derived from surrounding
 * readings, is added up but not known until a person decides on the reading or enters the replacement.
 */
export type Quality = 'm' | 'b' | 'e' | 'c' | 'q' | '-'

/** Energy in consecutive 15-minute intervals. */
export interface Intervals {
  /** First interval, in quarter-hours since 1970-01-01 UTC. */
  first: number
  /** kWh of each interval; 0 if unknown. */
  kwh: Float64Array
  quality: Quality[]
  /** Intervals, counted as `first`, in which a falling counter was detected. Ascending; may contain duplicates. */
  resets: number[]
}

/** Quarter-hour that contains a timestamp, counted from 1970-01-01 UTC. */
export const quarterOf = (timestamp: number): number => Math.floor(timestamp / QUARTER_MS)
/** Quarter-hour that a sample ends: one at a full quarter belongs to the interval before it. */
const quarterEnding = (timestamp: number): number => Math.ceil(timestamp / QUARTER_MS) - 1

/** Maximum gap whose energy is distributed, in ms; beyond it, the time of use is unknown. */
export const MAX_GAP_MS = 400 * 86_400_000

/** Number of gaps on either side that determine a meter's cadence at a gap. */
export const CADENCE_NEIGHBORS = 4
/** Minimum number of gaps to determine a cadence; with fewer, the shortest is assumed. */
const MIN_GAPS = 3
/** Maximum cadence in ms: a meter that reports less often than daily is silent in between. The minimum is an interval. */
const MAX_CADENCE_MS = 86_400_000
/** Maximum ratio of a gap to the cadence for a reading on time. */
const ON_TIME = 1.5

/**
 * Tolerance in kWh: a counter whose last digit fluctuates, like sums of rounded phases, has not fallen. Its level is the highest of a
 * reading and the `JITTER_REACH` before it. 100.01 − 100 is slightly more than 0.01 in binary.
 */
export const JITTER_KWH = 0.01 + 1e-6
export const JITTER_REACH = 3

/**
 * Level of a counter at a sample, kWh: that of an earlier sample if it fell by no more than its last digit.
 *
 * at  index of the sample
 */
export function levelAt(samples: readonly Sample[], at: number): number {
  const { kwh } = samples[at] as Sample
  let level = kwh
  for (let i = at; i > 0 && at - i < JITTER_REACH && !(samples[i] as Sample).restarts; i--) {
    const before = (samples[i - 1] as Sample).kwh
    if (before - (samples[i] as Sample).kwh > JITTER_KWH) break
    if (before > level && before - kwh <= JITTER_KWH) level = before
  }
  return level
}

/** Minimum first step from 0 in kW, and its minimum ratio to the next step, at which a counter shows its lifetime total. */
const LIFETIME = { kw: 100, times: 20 } as const

/**
 * Whether a meter that read 0 since it was added or reset now shows its earlier total, which is no energy of this span.
 *
 * at  index of the sample that ends the span
 */
function showsLifetime(samples: readonly Sample[], at: number): boolean {
  const [zero, sample, next] = [samples[at - 1], samples[at], samples[at + 1]]
  if (zero?.kwh !== 0 || !sample || !next || next.restarts || next.timestamp <= sample.timestamp) return false
  const kw = powerOf(zero, sample)
  return kw > LIFETIME.kw && kw > LIFETIME.times * powerOf(sample, next)
}

const powerOf = (from: Sample, to: Sample): number =>
  ((to.kwh - from.kwh) * 3_600_000) / (to.timestamp - from.timestamp)

/**
 * Reporting cadence around a gap, in ms: the median of the gap and its nearest neighbors, the lower middle one of an even number. Derived
 * from the readings alone, so that their order of arrival does not matter.
 *
 * at  index of the sample that ends the gap
 */
function cadenceAt(samples: readonly Sample[], at: number): number {
  const gapAt = (i: number) => (samples[i] as Sample).timestamp - (samples[i - 1] as Sample).timestamp
  const gaps = [gapAt(at)]
  for (const step of [-1, 1])
    for (
      let i = at + step, remaining = CADENCE_NEIGHBORS;
      i > 0 && i < samples.length && remaining > 0;
      i += step
    ) {
      // Two samples at the same time are no gap.
      if (gapAt(i) === 0) continue
      gaps.push(gapAt(i))
      remaining -= 1
    }
  if (gaps.length < MIN_GAPS) return QUARTER_MS
  const median = gaps.sort((a, b) => a - b)[(gaps.length - 1) >> 1] as number
  return Math.min(MAX_CADENCE_MS, Math.max(QUARTER_MS, median))
}

/**
 * Energy of each 15-minute interval, from a counter that only increases.
 *
 * samples   accepted ones, ascending; gaps allowed. Two at the same time are the end of a meter and the beginning of its successor. The
 *           quality of an interval between two readings depends on `CADENCE_NEIGHBORS` more on either side
 * from, to  range of intervals, in quarter-hours since 1970; `to` is exclusive
 * returns   energy distributed between two samples in proportion to time, so that the intervals add up to the counter's increase; an
 *           interval without a sample of its own in (start, end] is between two readings if these are at most 1.5 times the meter's
 *           cadence apart, and estimated over a longer silence; the last one may be known in part only
 * resets    a falling counter means that the meter was replaced or reset: the span counts 0 and is flagged at the time of detection;
 *           intervals within it are missing, and so are its first and last, although their other energy is added up
 * gaps      no energy before the first sample and after the last; a span longer than `MAX_GAP_MS` counts 0 and is missing
 * source    §3 HourlyKwh; protocol, Energy; docs/decisions/0008
 */
export function intervalsOf(samples: readonly Sample[], from: number, to: number): Intervals {
  const count = Math.max(0, to - from)
  const kwh = new Float64Array(count)
  const quality: Quality[] = Array.from({ length: count }, () => '-')
  const resets: number[] = []
  const measured = (quarter: number) => {
    if (quarter >= from && quarter < to && quality[quarter - from] !== 'q') quality[quarter - from] = 'm'
  }
  const partlyUnknown = (quarter: number) => {
    if (quarter >= from && quarter < to) quality[quarter - from] = 'q'
  }
  for (let i = 1; i < samples.length; i++) {
    const [before, sample] = [samples[i - 1] as Sample, samples[i] as Sample]
    if (sample.restarts || sample.timestamp <= before.timestamp || showsLifetime(samples, i)) continue
    const last = quarterEnding(sample.timestamp)
    const level = levelAt(samples, i - 1)
    if (level - sample.kwh > JITTER_KWH) {
      if (last >= from && last < to) resets.push(last)
      if (before.timestamp % QUARTER_MS !== 0) partlyUnknown(quarterOf(before.timestamp))
      partlyUnknown(last)
    } else if (sample.timestamp - before.timestamp <= MAX_GAP_MS) {
      const letter = isOnTime(i) ? 'b' : 'e'
      share(before, sample, Math.max(0, levelAt(samples, i) - level), (quarter, energy) => {
        kwh[quarter - from] = (kwh[quarter - from] as number) + energy
        if (quality[quarter - from] === '-') quality[quarter - from] = letter
      })
      // A sample at a full quarter ends the interval before this span.
      if (before.timestamp % QUARTER_MS !== 0) measured(quarterOf(before.timestamp))
      measured(last)
    }
  }
  return { first: from, kwh, quality, resets }

  function isOnTime(at: number): boolean {
    const gap = (samples[at] as Sample).timestamp - (samples[at - 1] as Sample).timestamp
    return gap <= ON_TIME * QUARTER_MS || gap <= ON_TIME * cadenceAt(samples, at)
  }

  function share(
    before: Sample,
    sample: Sample,
    moved: number,
    add: (quarter: number, energy: number) => void,
  ) {
    const elapsedMs = sample.timestamp - before.timestamp
    const end = Math.min(to, quarterEnding(sample.timestamp) + 1)
    for (let quarter = Math.max(from, quarterOf(before.timestamp)); quarter < end; quarter++) {
      const begin = Math.max(before.timestamp, quarter * QUARTER_MS)
      const until = Math.min(sample.timestamp, (quarter + 1) * QUARTER_MS)
      add(quarter, moved * ((until - begin) / elapsedMs))
    }
  }
}

/**
 * Copy of intervals in which those with a quarantined reading are marked.
 *
 * quarantined  in quarter-hours since 1970
 */
export function markQuarantined(raw: Intervals, quarantined: Iterable<number>): Intervals {
  const quality = raw.quality.slice()
  for (const quarter of quarantined) {
    const currentQuality = quality[quarter - raw.first]
    if (currentQuality !== undefined && currentQuality !== '-') quality[quarter - raw.first] = 'q'
  }
  return { ...raw, quality }
}

/** Energy that a person entered for several whole intervals. */
export interface IntervalCorrection {
  /** In quarter-hours since 1970; `to` is exclusive. */
  from: number
  to: number
  /** Total energy. */
  kwh: number
  /** Equal parts, or in proportion to the readings; equal parts if these are unknown or 0. */
  sharing: 'even' | 'shape'
}

/**
 * Copy of intervals with corrections applied.
 *
 * raw  covers every correction completely
 */
export function applyCorrection(raw: Intervals, corrections: readonly IntervalCorrection[]): Intervals {
  const kwh = raw.kwh.slice()
  const quality = raw.quality.slice()
  for (const { from, to, kwh: energy, sharing } of corrections) {
    const [begin, end] = [from - raw.first, to - raw.first]
    const shape =
      sharing === 'shape' ? raw.kwh.subarray(begin, end).reduce((sum, value) => sum + value, 0) : 0
    for (let i = begin; i < end; i++) {
      kwh[i] = energy * (shape > 0 ? (raw.kwh[i] as number) / shape : 1 / (to - from))
      quality[i] = 'c'
    }
  }
  return { ...raw, kwh, quality }
}
