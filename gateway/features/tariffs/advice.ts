import {
  type BillingCycle,
  type BillingPeriod,
  billingPeriodOn,
} from '../../domain/tariffs/billing-periods.ts'
import {
  type KnownPeriod,
  MIN_KNOWN_PERIOD_SHARE,
  type AdviceRefusal,
  adviceRefusalOf,
  refusedWhileComputing,
  refusedWithoutPeakDays,
} from '../../../contract/tariffs/advice.ts'
import { resolvedShare } from '../../domain/energy/resolved-hours.ts'
import type { LackingPeakDays } from '../../../contract/energy/lacking-peak-days.ts'
import { lackingPeakDays, seasonOf } from '../../../contract/tariffs/tariff-terms.ts'
import type { MeasuredPart, VersionOn } from './bill-parts.ts'
import { hasContracts } from './compare-plans.ts'
import type { ProfileDay } from './ports.ts'

interface Compared {
  profile: ReadonlyMap<number, ProfileDay>
  periods: readonly BillingPeriod[]
  cycles: readonly [BillingCycle, ...BillingCycle[]]
  /** Day number as from `dayOf`. */
  today: number
  months: number
  /** Percentage of the days that is computed; undefined without a backlog. */
  computedPercent: number | undefined
}

/** Number of recent days from which the present quality of measurements is derived. */
const RECENT_DAYS = 28
/** Additional months, so that the coming periods include a full set after the running one. */
const EXTRA_PERIODS = 3

/**
 * Creates a function that returns the reason why a plan allows no advice, by its parts of each period and its versions; null if it does.
 */
export function createAdvice({ profile, periods, cycles, today, months, computedPercent }: Compared) {
  const known = periods.map((period) => energyKnown(period, profile))
  const hours = periods.map(({ FromDay, EndDay }) => resolvedShare(daysIn(profile, FromDay, EndDay)))
  const metered = periods.map(({ FromDay, EndDay }) => meteredShare(profile, FromDay, EndDay))
  // If a meter measures the import now, it is assumed to continue.
  const isMetered = profile.get(today - 1)?.isUnmetered !== true
  const future = periodsFrom(periods.at(-1)?.EndDay ?? today, months + EXTRA_PERIODS, cycles).map(
    (period) => ({
      ...period,
      Known: possibleKnownShare(period, profile, today),
      Metered: isMetered ? meteredShare(profile, period.FromDay, period.EndDay) : 0,
    }),
  )
  const measured = recentlyMeasured(profile, today)
  // Intervals that meters have not measured lately are not expected to be measured later: such meters report too rarely.
  const BusyMeasured = measured >= MIN_KNOWN_PERIOD_SHARE ? 1 : measured
  const resolved = recentlyResolved(profile, today)
  const HoursMeasured = resolved >= MIN_KNOWN_PERIOD_SHARE ? 1 : resolved
  return (parts: readonly MeasuredPart[][], on: VersionOn): AdviceRefusal | null => {
    if (computedPercent !== undefined) return refusedWhileComputing(computedPercent)
    const lacking = lackingIn(periods, on)
    if (lacking) return refusedWithoutPeakDays(lacking)
    const compared = periods.map(({ FromDay, EndDay, Months }, i): KnownPeriod => ({
      EndDay,
      Months,
      Known: known[i] ?? 0,
      Metered: metered[i] ?? 0,
      BusyMeasured: busyMeasured(parts[i] ?? []),
      HoursMeasured: hours[i] ?? 0,
      isSummer: isSummer(FromDay, EndDay, on),
    }))
    const upcoming = future.map(({ FromDay, ...period }): KnownPeriod => ({
      ...period,
      BusyMeasured,
      HoursMeasured,
      isSummer: isSummer(FromDay, period.EndDay, on),
    }))
    return adviceRefusalOf(compared, upcoming, months, {
      season: [...compared, ...upcoming].some((period) => period.isSummer),
      quarterHours: hasContracts({ parts }),
      hours: parts.some((of) => of.some(({ version }) => version.Kind === 'timeOfUse')),
    })
  }
}

/** Announced peak days missing to price some periods; undefined if none is. `on` returns the version of a day. */
export function lackingIn(
  periods: readonly Pick<BillingPeriod, 'FromDay' | 'EndDay'>[],
  on: VersionOn,
): LackingPeakDays | undefined {
  for (const { FromDay, EndDay } of periods)
    for (let day = FromDay; day < EndDay; day++) {
      const version = on(day)
      const lacking = version && lackingPeakDays(version, day)
      if (lacking) return lacking
    }
  return undefined
}

/** Share (0..1) of days on which a meter measured the import; days without data, such as future ones, count as metered. */
function meteredShare(profile: Compared['profile'], from: number, end: number): number {
  let unmetered = 0
  for (let day = from; day < end; day++) if (profile.get(day)?.isUnmetered) unmetered += 1
  return 1 - unmetered / (end - from)
}

function daysIn(profile: Compared['profile'], from: number, end: number): ProfileDay[] {
  const days: ProfileDay[] = []
  for (let day = from; day < end; day++) {
    const load = profile.get(day)
    if (load) days.push(load)
  }
  return days
}

/** Share (0..1) of a period's intervals with known energy. */
function energyKnown(
  { FromDay, EndDay }: Pick<BillingPeriod, 'FromDay' | 'EndDay'>,
  profile: Compared['profile'],
): number {
  const days = daysIn(profile, FromDay, EndDay)
  const total = days.reduce((sum, day) => sum + day.total, 0)
  return total ? days.reduce((sum, day) => sum + day.known, 0) / total : 0
}

/** Periods from a day on that together have at least some number of months. */
function periodsFrom(day: number, months: number, cycles: Compared['cycles']): BillingPeriod[] {
  const periods: BillingPeriod[] = []
  for (let count = 0; count < months;) {
    const period = billingPeriodOn(periods.at(-1)?.EndDay ?? day, cycles)
    periods.push(period)
    count += period.Months
  }
  return periods
}

/** Share (0..1) of measured intervals in bands that are not off-peak; 0 without such intervals. */
function busyMeasured(parts: readonly MeasuredPart[]): number {
  const due = parts.reduce((sum, { busy }) => sum + busy.due, 0)
  return due === 0 ? 0 : parts.reduce((sum, { busy }) => sum + busy.measured, 0) / due
}

/** Whether at least half of the days are in summer. */
function isSummer(from: number, end: number, on: VersionOn): boolean {
  let days = 0
  for (let day = from; day < end; day++) {
    const version = on(day)
    if (version && seasonOf(version, day).Season === 'summer') days += 1
  }
  return days * 2 >= end - from
}

/** Share (0..1) of a period that will be known if nothing more is missing. */
function possibleKnownShare(
  { FromDay, EndDay }: BillingPeriod,
  profile: Compared['profile'],
  today: number,
): number {
  const elapsedDays = Math.max(0, Math.min(EndDay, today) - FromDay)
  if (elapsedDays === 0) return 1
  const Known = energyKnown({ FromDay, EndDay: FromDay + elapsedDays }, profile)
  return (Known * elapsedDays + (EndDay - FromDay - elapsedDays)) / (EndDay - FromDay)
}

/** Share (0..1) of the intervals of the last weeks that were measured; 1 without data. */
function recentlyMeasured(profile: Compared['profile'], today: number): number {
  let [measured, total] = [0, 0]
  for (let day = today - RECENT_DAYS; day < today; day++) {
    const load = profile.get(day)
    if (!load) continue
    total += load.total
    for (let i = 0; i < load.measured.length; i++) measured += load.measured[i] ?? 0
  }
  return total === 0 ? 1 : measured / total
}

/** Share (0..1) of the hours of the last weeks that are resolved; 1 without data. */
function recentlyResolved(profile: Compared['profile'], today: number): number {
  const days = daysIn(profile, today - RECENT_DAYS, today)
  return days.some(({ total }) => total > 0) ? resolvedShare(days) : 1
}
