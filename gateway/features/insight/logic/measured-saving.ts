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

/** Numbers of days after a measure at which its saving is measured. */
export const SAVING_DAYS = [28, 56, 84] as const
/** Number of days before a measure that its baseline is derived from. */
export const BASELINE_DAYS = 56
/** Minimum number of days of a shorter baseline: one of each weekday. */
const MIN_BASELINE = 7
/** Earlier dates without a measure, which determine the range: their distance in days, and their minimum number. */
const APART = 7
export const MIN_BASELINE_DATES = 12
/** Maximum number of earlier dates; older ones are not comparable. */
const MAX_DATES = 40
/** Quantile of the earlier errors that is the range, and the factor that widens it. */
const QUANTILE = 0.95
const WIDER = 1.1
/** Maximum hourly error of a usable baseline (ASHRAE Guideline 14). */
const MAX_CV_RMSE = 0.3

/** Reasons for a missing verdict: unknown days after the measure, or before; the baseline's error is too large; too few earlier dates. */
export const MEASUREMENT_GAPS = ['after', 'before', 'fit', 'dates'] as const
export type MeasurementGap = (typeof MEASUREMENT_GAPS)[number]

export interface SavingInput {
  /** The smallest meter that includes the measure, day by day in order without gaps. */
  line: readonly HourlyDay[]
  /** Other lines without a measure, as long as they are known: their changes are not savings. */
  comparison: readonly (readonly HourlyDay[])[]
  /** The first day with the measure, and the number of days measured. */
  doneOn: number
  days: number
  /**
   * The first day on which the removed cause is known to have existed: days before it do not represent the load
   * without the measure. Unset if unknown.
   */
  since?: number
  /** Days of other measures on the line: dates near them do not count toward the range. */
  otherMeasures?: readonly number[]
  /** Expected saving in kWh a day; unset if there is none. */
  expected?: number
}

export interface VerifiedSaving {
  /** kWh of the measured days: expected load, and actual load. */
  Baseline: number
  Actual: number
  /** kWh: saving, and its range. */
  Saved: number
  Low: number
  High: number
  /** Number of earlier dates that the range is derived from. */
  Dates: number
  BalancePoint: number | null
  Fit: BaselineModel
}

/**
 * Saving of a measure: the baseline of the 56 days before it, or of those since its cause began, adjusted to the
 * days, weather and comparison lines after it, less the actual energy. The range follows from the same computation at
 * earlier dates on which nothing changed.
 *
 * returns  Saving null if it cannot be computed; Verdict null with the missing data in Lack
 */
export function measureSaving(input: SavingInput): {
  Saving: VerifiedSaving | null
  Verdict: FindingVerdict | null
  Lack: MeasurementGap | null
} {
  const { doneOn, days, expected, since, otherMeasures = [] } = input
  const before = since === undefined ? BASELINE_DAYS : Math.min(BASELINE_DAYS, doneOn - since)
  if (before < MIN_BASELINE) return { Saving: null, Verdict: null, Lack: 'before' }
  const lines = { line: byDay(input.line), comparison: input.comparison.map(byDay) }
  const now = compare(lines, doneOn, { before, days })
  if (typeof now === 'string') return { Saving: null, Verdict: null, Lack: now }
  const errors: number[] = []
  const changes = since === undefined ? otherMeasures : [...otherMeasures, since]
  for (let date = doneOn - days; errors.length < MAX_DATES; date -= APART) {
    if (date - before < (input.line[0]?.day ?? Infinity)) break
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
  const Lack = errors.length < MIN_BASELINE_DATES ? 'dates' : fit.CvRmse > MAX_CV_RMSE ? 'fit' : null
  return { Saving, Verdict: Lack ? null : savingVerdictOf(Saved, half, expected && expected * days), Lack }
}

/** Verdict on a saving by the half width of its range; expected, kWh in the same days. */
export function savingVerdictOf(saved: number, half: number, expected?: number): FindingVerdict {
  if (saved - half > 0) return 'verified'
  // A range wider than the expected saving could not have shown it.
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

/** Number of days before a date, and from it on. */
interface Window {
  before: number
  days: number
}

/** Compares the days from a date on with the baseline of those before it; returns which of them is insufficiently known. */
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
    // A comparison line without enough data is ignored, here and at the earlier dates.
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

/** Quantile of the values; the highest if there are few. */
function quantileOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = Math.ceil(QUANTILE * (sorted.length + 1)) - 1
  return sorted[Math.min(sorted.length - 1, place)] as number
}
