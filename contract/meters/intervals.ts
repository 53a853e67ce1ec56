import { QUARTER_MS } from '../time/periods.ts'

/** A counter at a moment. */
export interface Sample {
  /** Epoch ms. */
  timestamp: number
  kwh: number
  /** The counter starts again here, because a person says so: what lies between it and the sample before is no energy. */
  restarts?: boolean
}

/**
 * What is known of an interval: m measured, b between two readings of a meter that reports less often but on time, e estimated over a
 * silence, c corrected, - nothing, q that a reading of it is quarantined, or that the counter fell in it: until a person decides on the
 * reading, or enters the replacement, what the readings around it say of the interval is added up but not known.
 */
export type Quality = 'm' | 'b' | 'e' | 'c' | 'q' | '-'

/** Energy in 15-minute intervals that follow each other. */
export interface Intervals {
  /** The first, counted in quarters of an hour since 1970-01-01 UTC. */
  first: number
  /** Of each interval, in kWh; 0 where nothing is known. */
  kwh: Float64Array
  quality: Quality[]
  /** The intervals, counted as `first` is, in which a counter was seen to have fallen. Ascending; an interval may stand twice. */
  resets: number[]
}

/** The quarter of an hour that a moment lies in, counted from 1970-01-01 UTC. */
export const quarterOf = (timestamp: number): number => Math.floor(timestamp / QUARTER_MS)
/** The quarter that a sample ends: one at a full quarter belongs to the interval that ends there. */
const quarterEnding = (timestamp: number): number => Math.ceil(timestamp / QUARTER_MS) - 1

/** What a meter counted in a longer silence than this, in ms, belongs to no interval: nobody could say when it was. */
export const MAX_GAP_MS = 400 * 86_400_000

/** A meter's cadence at a gap is told from so many gaps on either side of it. */
export const CADENCE_NEIGHBORS = 4
/** From fewer gaps than this nobody can tell a cadence: it is taken as the shortest. */
const LEAST_GAPS = 3
/** The longest cadence, in ms: whoever reports less often than once a day is silent in between. The shortest is an interval. */
const MAX_CADENCE_MS = 86_400_000
/** A gap of up to so many times the cadence is on time. */
const ON_TIME = 1.5

/**
 * A counter whose last digit goes back and forth, as sums of rounded phases do, has not fallen, in kWh. It shows the highest of a
 * reading and the `JITTER_REACH` before it. 100.01 less 100 is a little more than 0.01 in binary.
 */
export const JITTER_KWH = 0.01 + 1e-6
export const JITTER_REACH = 3

/**
 * The figure that a counter has reached with a sample, kWh: that of an earlier one where it fell by no more than its last digit.
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

/** Minimum first step from 0, in kW, and its minimum ratio to the next step, at which a counter shows its whole life. */
const LIFETIME = { kw: 100, times: 20 } as const

/**
 * Whether a meter that had read 0 since it was added, or since it was reset, now shows what it counted before: no energy of this span.
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
 * How often a meter reports around a gap, in ms: the median of the gap and the nearest on either side, of an even number the smaller
 * middle one; told from the readings alone, so the order in which they arrived does not matter.
 *
 * at  index of the sample that ends the gap
 */
function cadenceAt(samples: readonly Sample[], at: number): number {
  const gapAt = (i: number) => (samples[i] as Sample).timestamp - (samples[i - 1] as Sample).timestamp
  const gaps = [gapAt(at)]
  for (const step of [-1, 1])
    for (let i = at + step, left = CADENCE_NEIGHBORS; i > 0 && i < samples.length && left > 0; i += step) {
      // Two samples at one moment are no gap.
      if (gapAt(i) === 0) continue
      gaps.push(gapAt(i))
      left -= 1
    }
  if (gaps.length < LEAST_GAPS) return QUARTER_MS
  const median = gaps.sort((a, b) => a - b)[(gaps.length - 1) >> 1] as number
  return Math.min(MAX_CADENCE_MS, Math.max(QUARTER_MS, median))
}

/**
 * Energy used in each 15-minute interval, from a meter that only counts up.
 *
 * samples   accepted ones, ascending; gaps allowed. Two at one moment are a meter's end and its successor's beginning. How an interval
 *           between two readings is known depends on `CADENCE_REACH` more on either side
 * from, to  which intervals, in quarters since 1970; `to` is exclusive
 * returns   energy between two samples shared in proportion to time, so that the intervals add up to what the counter moved;
 *           an interval without a sample of its own in (start, end] is between two readings where these are at most 1.5 times the
 *           meter's cadence apart, and estimated over a longer silence; the last may be known in part only
 * resets    a falling counter means the meter was replaced or reset: that span counts 0 and is flagged where it was seen; intervals
 *           wholly inside it are missing, and so are those that it begins and ends in, though the rest of them is added up
 * gaps      nothing before the first sample and after the last; a span longer than MAX_SILENCE counts 0 and is missing
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
    const took = sample.timestamp - before.timestamp
    const end = Math.min(to, quarterEnding(sample.timestamp) + 1)
    for (let quarter = Math.max(from, quarterOf(before.timestamp)); quarter < end; quarter++) {
      const begin = Math.max(before.timestamp, quarter * QUARTER_MS)
      const until = Math.min(sample.timestamp, (quarter + 1) * QUARTER_MS)
      add(quarter, moved * ((until - begin) / took))
    }
  }
}

/**
 * Intervals with those marked of which a reading is quarantined; the originals are left as they are.
 *
 * quarantined  in quarters since 1970
 */
export function markQuarantined(raw: Intervals, quarantined: Iterable<number>): Intervals {
  const quality = raw.quality.slice()
  for (const quarter of quarantined) {
    const known = quality[quarter - raw.first]
    if (known !== undefined && known !== '-') quality[quarter - raw.first] = 'q'
  }
  return { ...raw, quality }
}

/** A person's word on some whole intervals. */
export interface IntervalCorrection {
  /** In quarters since 1970; `to` is exclusive. */
  from: number
  to: number
  /** Energy of all of them together. */
  kwh: number
  /** In equal parts, or in proportion to what the readings say; evenly where they say nothing or 0. */
  sharing: 'even' | 'shape'
}

/**
 * Intervals as people corrected them; the originals are left as they are.
 *
 * raw  reaches over the whole of every correction
 */
export function applyCorrection(raw: Intervals, corrections: readonly IntervalCorrection[]): Intervals {
  const kwh = raw.kwh.slice()
  const quality = raw.quality.slice()
  for (const { from, to, kwh: energy, sharing } of corrections) {
    const [begin, end] = [from - raw.first, to - raw.first]
    const shape = sharing === 'shape' ? raw.kwh.subarray(begin, end).reduce((sum, one) => sum + one, 0) : 0
    for (let i = begin; i < end; i++) {
      kwh[i] = energy * (shape > 0 ? (raw.kwh[i] as number) / shape : 1 / (to - from))
      quality[i] = 'c'
    }
  }
  return { ...raw, kwh, quality }
}
