import type { FindingVerdict } from '../../../../contract/findings/finding-life.ts'
import {
  type Baseline,
  baselineOf,
  type BaselineModel,
  HOURS,
  type HourlyDay,
  isKnownDay,
  MIN_KNOWN_SHARE,
} from './baseline.ts'

/** Days after a measure at whose end its saving is looked at. */
export const SAVING_DAYS = [28, 56, 84] as const
/** Days before a measure that its baseline is made of. */
export const BASELINE_DAYS = 56
/** Of what began later so many at least, one of each weekday: fewer say nothing. */
const LEAST_BASELINE = 7
/** Earlier dates on which nothing was done, of which the range is made: so far apart, and so many at least. */
const APART = 7
export const MIN_BASELINE_DATES = 12
/** More of them are of another time. */
const MOST_DATES = 40
/** The range holds so many of the earlier errors, and is so much wider than they were. */
const QUANTILE = 0.95
const WIDER = 1.1
/** By the hour a baseline that errs by more says nothing (ASHRAE Guideline 14). */
const MOST_CV_RMSE = 0.3

/** Why there is no verdict: the days after the measure, or those of its baseline, are not known; it errs too much; too few dates. */
export const MEASUREMENT_GAPS = ['after', 'before', 'fit', 'dates'] as const
export type MeasurementGap = (typeof MEASUREMENT_GAPS)[number]

export interface SavingAsked {
  /** The smallest meter that holds the measure, day by day in order without gaps. */
  line: readonly HourlyDay[]
  /** Others to which nothing was done, as long as they are known: what they do is no saving. */
  comparison: readonly (readonly HourlyDay[])[]
  /** The first day with the measure, and how many days of it are looked at. */
  doneOn: number
  days: number
  /**
   * The first day on which what was done away with is known to have been there: days before it are not what the load would have gone
   * on to be. Left out where nobody knows.
   */
  since?: number
  /** Days on which something else was done to the line: no date near them says how far off nothing is. */
  otherMeasures?: readonly number[]
  /** kWh a day that it was expected to save; left out where nobody said. */
  expected?: number
}

export interface VerifiedSaving {
  /** kWh of the days looked at: what the load would have been, and was. */
  Baseline: number
  Actual: number
  /** kWh: what was saved, and between what it lies. */
  Saved: number
  Low: number
  High: number
  /** Earlier dates that the range is made of. */
  Dates: number
  BalancePoint: number | null
  Fit: BaselineModel
}

/**
 * What a measure saved: the baseline of the 56 days before it, or of those since what it ended began, adjusted to the days, weather
 * and comparison lines after it, less what was used. How far that may be off is what the same computation comes to at earlier dates on
 * which nothing was done, and nothing began.
 *
 * returns  Saving null where not even that can be computed; Verdict null with what is lacking for one
 */
export function measureSaving(asked: SavingAsked): {
  Saving: VerifiedSaving | null
  Verdict: FindingVerdict | null
  Lack: MeasurementGap | null
} {
  const { doneOn, days, expected, since, otherMeasures = [] } = asked
  const before = since === undefined ? BASELINE_DAYS : Math.min(BASELINE_DAYS, doneOn - since)
  if (before < LEAST_BASELINE) return { Saving: null, Verdict: null, Lack: 'before' }
  const lines = { line: byDay(asked.line), comparison: asked.comparison.map(byDay) }
  const now = compare(lines, doneOn, { before, days })
  if (typeof now === 'string') return { Saving: null, Verdict: null, Lack: now }
  const errors: number[] = []
  const changes = since === undefined ? otherMeasures : [...otherMeasures, since]
  for (let date = doneOn - days; errors.length < MOST_DATES; date -= APART) {
    if (date - before < (asked.line[0]?.day ?? Infinity)) break
    if (changes.some((day) => day > date - before && day < date + days)) continue
    const then = compare(lines, date, { before, days })
    if (typeof then !== 'string') errors.push(Math.abs(then.adjusted - then.actual) / then.adjusted)
  }
  const half = errors.length ? quantileOf(errors) * WIDER * now.adjusted : Infinity
  const Saved = now.adjusted - now.actual
  const fit = now.baseline.fit()
  const Saving: VerifiedSaving = {
    Baseline: now.adjusted,
    Actual: now.actual,
    Saved,
    Low: Saved - half,
    High: Saved + half,
    Dates: errors.length,
    BalancePoint: now.baseline.balancePoint,
    Fit: fit,
  }
  const Lack = errors.length < MIN_BASELINE_DATES ? 'dates' : fit.CvRmse > MOST_CV_RMSE ? 'fit' : null
  return { Saving, Verdict: Lack ? null : savingVerdictOf(Saved, half, expected && expected * days), Lack }
}

/** What a saving is called whose range is so wide to either side; expected, kWh in the same days. */
export function savingVerdictOf(saved: number, half: number, expected?: number): FindingVerdict {
  if (saved - half > 0) return 'verified'
  // A range that is wider than what was hoped for could not have shown it.
  return half >= (expected ?? Math.max(0, saved)) && (expected !== undefined || saved > 0)
    ? 'tooUncertain'
    : 'notSeen'
}

type Days = ReadonlyMap<number, HourlyDay>
const byDay = (days: readonly HourlyDay[]): Days => new Map(days.map((one) => [one.day, one]))

interface Compared {
  adjusted: number
  actual: number
  baseline: Baseline
}

/** So many days before a date, and from it on. */
interface Window {
  before: number
  days: number
}

/** The days from one on against the baseline of those before it; says of what too little is known. */
function compare(
  { line, comparison }: { line: Days; comparison: readonly Days[] },
  date: number,
  window: Window,
): Compared | 'after' | 'before' {
  const own = expectedOf(line, date, window)
  if (typeof own === 'string') return own
  let [other, was] = [0, 0]
  for (const one of comparison) {
    const of = expectedOf(one, date, window)
    // A line that is not known says nothing, here and at the earlier dates.
    if (typeof of === 'string') continue
    other += of.adjusted
    was += of.actual
  }
  const scale = other > 0 && was > 0 ? was / other : 1
  return { ...own, adjusted: own.adjusted * scale }
}

function expectedOf(
  line: Days,
  date: number,
  { before: length, days }: Window,
): Compared | 'after' | 'before' {
  const after = daysOf(line, date, date + days).filter(isKnownDay)
  if (after.length < days * MIN_KNOWN_SHARE) return 'after'
  const before = daysOf(line, date - length, date)
  if (before.filter(isKnownDay).length < length * MIN_KNOWN_SHARE) return 'before'
  const baseline = baselineOf(before)
  if (!baseline) return 'before'
  let [adjusted, actual] = [0, 0]
  for (const day of after)
    for (let hour = 0; hour < HOURS; hour++) {
      const kWh = day.kWh[hour] as number
      if (Number.isNaN(kWh)) continue
      adjusted += baseline.expected(day, hour)
      actual += kWh
    }
  return adjusted > 0 ? { adjusted, actual, baseline } : 'before'
}

function daysOf(line: Days, from: number, end: number): HourlyDay[] {
  const days: HourlyDay[] = []
  for (let day = from; day < end; day++) {
    const one = line.get(day)
    if (one) days.push(one)
  }
  return days
}

/** The value that so many do not exceed, the highest of few. */
function quantileOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = Math.ceil(QUANTILE * (sorted.length + 1)) - 1
  return sorted[Math.min(sorted.length - 1, place)] as number
}
