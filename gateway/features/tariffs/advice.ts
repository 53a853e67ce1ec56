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
import type { LackingPeakDays } from '../../../contract/tariffs/peak-days.ts'
import { lackingPeakDays, seasonOf } from '../../../contract/tariffs/tariff-terms.ts'
import type { MeasuredPart, VersionOn } from './bill-parts.ts'
import { hasContracts } from './compare-plans.ts'
import type { ProfileDay } from './ports.ts'

interface Compared {
  profile: ReadonlyMap<number, ProfileDay>
  periods: readonly BillingPeriod[]
  cycles: readonly [BillingCycle, ...BillingCycle[]]
  /** As `dayOf` numbers days. */
  today: number
  months: number
  /** Percent of the days that is computed; undefined if nothing of them waits. */
  computedPercent: number | undefined
}

/** Days that say how the meters report by now. */
const LATELY = 28
/** Months beyond those compared after which all that is compared is still to come, with what is left of a running period. */
const BEYOND = 3

/** Says of a plan, by its parts of each period and its versions, why there can be no advice; null where there can. */
export function createAdvice({ profile, periods, cycles, today, months, computedPercent }: Compared) {
  const known = periods.map((period) => energyKnown(period, profile))
  const hours = periods.map(({ FromDay, EndDay }) => resolvedShare(daysIn(profile, FromDay, EndDay)))
  const metered = periods.map(({ FromDay, EndDay }) => meteredShare(profile, FromDay, EndDay))
  // A meter that sees the import by now goes on to.
  const isMetered = profile.get(today - 1)?.isUnmetered !== true
  const ahead = periodsFrom(periods.at(-1)?.EndDay ?? today, months + BEYOND, cycles).map((period) => ({
    ...period,
    Known: knownIfAllComes(period, profile, today),
    Metered: isMetered ? meteredShare(profile, period.FromDay, period.EndDay) : 0,
  }))
  const measured = measuredLately(profile, today)
  // What was not measured lately will not be: such meters report too seldom.
  const BusyMeasured = measured >= MIN_KNOWN_PERIOD_SHARE ? 1 : measured
  const resolved = resolvedLately(profile, today)
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
    const coming = ahead.map(({ FromDay, ...period }): KnownPeriod => ({
      ...period,
      BusyMeasured,
      HoursMeasured,
      isSummer: isSummer(FromDay, period.EndDay, on),
    }))
    return adviceRefusalOf(compared, coming, months, {
      season: [...compared, ...coming].some((period) => period.isSummer),
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

/** 0..1 of some days on which a meter saw what was bought; days of which nothing is known, as those to come, may be. */
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

/** 0..1 of the intervals of a period of which the energy is known. */
function energyKnown(
  { FromDay, EndDay }: Pick<BillingPeriod, 'FromDay' | 'EndDay'>,
  profile: Compared['profile'],
): number {
  const days = daysIn(profile, FromDay, EndDay)
  const total = days.reduce((sum, day) => sum + day.total, 0)
  return total ? days.reduce((sum, day) => sum + day.known, 0) / total : 0
}

/** The periods from a day on that together have so many months. */
function periodsFrom(day: number, months: number, cycles: Compared['cycles']): BillingPeriod[] {
  const periods: BillingPeriod[] = []
  for (let count = 0; count < months;) {
    const period = billingPeriodOn(periods.at(-1)?.EndDay ?? day, cycles)
    periods.push(period)
    count += period.Months
  }
  return periods
}

/** 0..1 of the intervals of busy bands that were measured; 0 where there are none. */
function busyMeasured(parts: readonly MeasuredPart[]): number {
  const due = parts.reduce((sum, { busy }) => sum + busy.due, 0)
  return due === 0 ? 0 : parts.reduce((sum, { busy }) => sum + busy.measured, 0) / due
}

/** Whether most of its days are summer. */
function isSummer(from: number, end: number, on: VersionOn): boolean {
  let days = 0
  for (let day = from; day < end; day++) {
    const version = on(day)
    if (version && seasonOf(version, day).Season === 'summer') days += 1
  }
  return days * 2 >= end - from
}

/** 0..1 that will be known of a period if nothing more is missing. */
function knownIfAllComes(
  { FromDay, EndDay }: BillingPeriod,
  profile: Compared['profile'],
  today: number,
): number {
  const over = Math.max(0, Math.min(EndDay, today) - FromDay)
  if (over === 0) return 1
  const Known = energyKnown({ FromDay, EndDay: FromDay + over }, profile)
  return (Known * over + (EndDay - FromDay - over)) / (EndDay - FromDay)
}

/** 0..1 of the intervals of the last weeks that were measured; 1 where nothing is known of them. */
function measuredLately(profile: Compared['profile'], today: number): number {
  let [measured, total] = [0, 0]
  for (let day = today - LATELY; day < today; day++) {
    const load = profile.get(day)
    if (!load) continue
    total += load.total
    for (let i = 0; i < load.measured.length; i++) measured += load.measured[i] ?? 0
  }
  return total === 0 ? 1 : measured / total
}

/** 0..1 of the hours of the last weeks that are resolved; 1 where nothing is known of them. */
function resolvedLately(profile: Compared['profile'], today: number): number {
  const days = daysIn(profile, today - LATELY, today)
  return days.some(({ total }) => total > 0) ? resolvedShare(days) : 1
}
