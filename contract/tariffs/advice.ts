import { z } from 'zod'
import { formatDay } from '../time/periods.ts'
import type { LackingPeakDays } from '../energy/lacking-peak-days.ts'
import { DateText } from '../time/date-text.ts'

/**
 * Reasons against advice on plans and contracts.
 *
 * computing     energy is still being computed (Have and Needed are percentages)
 * peakDays      announced peak days of a plan with variable peak hours are missing (Have and Needed are days of a year)
 * importMeter   too few months with metered import; otherwise it is estimated from the other terms
 * coverage      too few known months
 * season        too few known summer months
 * quarterHours  too few months with measured quarter-hours in the busy bands, so the demand is unknown
 * hours         too few months with measured hours, so the bands are unknown
 */
export const REFUSALS = [
  'computing',
  'peakDays',
  'importMeter',
  'coverage',
  'season',
  'quarterHours',
  'hours',
] as const

export const AdviceRefusal = z.object({
  Reason: z.enum(REFUSALS),
  /** Months of bills that qualify, and the number required; percentages for `computing`, days for `peakDays`. */
  Have: z.number(),
  Needed: z.number(),
  /** First day on which the data suffices if nothing more is missing; null if it never will at the present reporting rate. */
  EnoughOn: DateText.nullable(),
})
export type AdviceRefusal = z.infer<typeof AdviceRefusal>

/** Refusal while energy is being computed. */
export const refusedWhileComputing = (percent: number): AdviceRefusal => ({
  Reason: 'computing',
  Have: percent,
  Needed: 100,
  EnoughOn: null,
})

/** Refusal while the announced peak days of a plan are incomplete. */
export const refusedWithoutPeakDays = ({ Known, Needed }: LackingPeakDays): AdviceRefusal => ({
  Reason: 'peakDays',
  Have: Known,
  Needed,
  EnoughOn: null,
})

/** Data quality of a billing period. */
export interface KnownPeriod {
  /** End of the period, exclusive, as `dayOf` numbers days. */
  EndDay: number
  /** Billed months: may be 2, or a fraction. */
  Months: number
  /** Share of its intervals with known energy, 0..1. */
  Known: number
  /** Share of its days with metered import, 0..1. */
  Metered: number
  /** Share of the intervals in busy bands that were measured, 0..1. */
  BusyMeasured: number
  /** Share of its hours that are resolved, 0..1 (resolved-hours.ts). */
  HoursMeasured: number
  isSummer: boolean
}

/** Data that a plan needs: seasons if it has a summer, demand if it has contracts, hours if its prices have bands. */
export interface AdviceNeeds {
  season: boolean
  quarterHours: boolean
  hours: boolean
}

/** Minimum known share of a period that counts. */
export const MIN_KNOWN_PERIOD_SHARE = 0.95
/** Minimum number of months out of twelve. */
const MIN_MONTHS = 10
const MIN_SUMMER_MONTHS = 2
/** Tolerance for rounding errors when month shares are added. */
const ROUNDING = 1e-9

const monthsOf = (periods: readonly KnownPeriod[]): number =>
  periods.reduce((sum, { Months }) => sum + Months, 0)

type Lack = Omit<AdviceRefusal, 'EnoughOn'>

/** Data that these periods lack; null if they suffice. */
function lackOf(periods: readonly KnownPeriod[], needs: AdviceNeeds): Lack | null {
  const known = periods.filter(
    ({ Known, Metered }) => Known >= MIN_KNOWN_PERIOD_SHARE && Metered >= MIN_KNOWN_PERIOD_SHARE,
  )
  const measured = known.filter(({ BusyMeasured }) => BusyMeasured >= MIN_KNOWN_PERIOD_SHARE)
  const resolved = known.filter(({ HoursMeasured }) => HoursMeasured >= MIN_KNOWN_PERIOD_SHARE)
  const most = Math.ceil((monthsOf(periods) * MIN_MONTHS) / 12 - ROUNDING)
  const needed = Math.max(MIN_MONTHS, most)
  const lack = (Reason: Lack['Reason'], of: readonly KnownPeriod[], Needed: number): Lack | null => {
    const months = monthsOf(of)
    return months + ROUNDING < Needed
      ? { Reason, Have: Math.floor(months * 10 + ROUNDING) / 10, Needed }
      : null
  }
  const metered = periods.filter(({ Metered }) => Metered >= MIN_KNOWN_PERIOD_SHARE)
  return (
    (metered.length < periods.length ? lack('importMeter', metered, needed) : null) ??
    lack('coverage', known, needed) ??
    (needs.season
      ? lack(
          'season',
          known.filter(({ isSummer }) => isSummer),
          MIN_SUMMER_MONTHS,
        )
      : null) ??
    (needs.quarterHours ? lack('quarterHours', measured, needed) : null) ??
    (needs.hours ? lack('hours', resolved, needed) : null)
  )
}

/**
 * Determines why the periods of a comparison do not allow advice; null if they do.
 *
 * periods  compared periods, oldest first
 * ahead    following periods, assuming that nothing more is missing
 * months   number of months in a comparison
 */
export function adviceRefusalOf(
  periods: readonly KnownPeriod[],
  ahead: readonly KnownPeriod[],
  months: number,
  needs: AdviceNeeds,
): AdviceRefusal | null {
  const lack = lackOf(periods, needs)
  if (!lack) return null
  const all = [...periods, ...ahead]
  const enough = ahead.find((_, i) => {
    const until = all.slice(0, periods.length + i + 1)
    return lackOf(lastOf(until, months), needs) === null
  })
  return { ...lack, EnoughOn: enough ? formatDay(enough.EndDay) : null }
}

/** Last periods that together cover a number of months. */
function lastOf(periods: readonly KnownPeriod[], months: number): readonly KnownPeriod[] {
  let first = periods.length
  for (let count = 0; first > 0 && count < months - ROUNDING;) {
    first -= 1
    count += periods[first]?.Months ?? 0
  }
  return periods.slice(first)
}
