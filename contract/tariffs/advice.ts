import { z } from 'zod'
import { formatDay } from '../time/periods.ts'
import type { LackingPeakDays } from './peak-days.ts'
import { DateText } from './tariff-terms.ts'

/**
 * What stands against advice on plans and contracts: the energy is being computed (Have and Needed are per cent); of a plan with variable peak hours the announced days are not
 * known (Have and Needed are days of a year); in too few months a meter saw what was bought, which else is estimated from what
 * the others leave; too few months are known, too few of them summer; in too few were the quarter-hours of the busy bands measured,
 * without which the demand is unknown, or the hours, without which the bands are.
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

/** Why there is no advice. */
export const AdviceRefusal = z.object({
  Reason: z.enum(REFUSALS),
  /** Months of bills that suffice, and how many must; per cent for `computing`. */
  Have: z.number(),
  Needed: z.number(),
  /** The day from which on it is enough if nothing more is missing; null where it will not be as the meters report now. */
  EnoughOn: DateText.nullable(),
})
export type AdviceRefusal = z.infer<typeof AdviceRefusal>

/** No advice while energy is computed, as nothing is known of how it will turn out. */
export const refusedWhileComputing = (percent: number): AdviceRefusal => ({
  Reason: 'computing',
  Have: percent,
  Needed: 100,
  EnoughOn: null,
})

/** No advice on a plan while it is not known which days were announced as its peak days. */
export const refusedWithoutPeakDays = ({ Known, Needed }: LackingPeakDays): AdviceRefusal => ({
  Reason: 'peakDays',
  Have: Known,
  Needed,
  EnoughOn: null,
})

/** How well a billing period is known. */
export interface KnownPeriod {
  /** Its last day, exclusive, as `dayOf` numbers days. */
  EndDay: number
  /** As a bill counts them, also 2 or a part of one. */
  Months: number
  /** 0..1 of its intervals of which energy is known. */
  Known: number
  /** 0..1 of its days on which a meter saw what was bought. */
  Metered: number
  /** 0..1 of the intervals of its busy bands that were measured. */
  BusyMeasured: number
  /** 0..1 of its hours that are resolved (resolved-hours.ts). */
  HoursMeasured: number
  isSummer: boolean
}

/** Data that a plan needs: seasons if it has a summer, demand if it has contracts, hours if its prices have bands. */
export interface AdviceNeeds {
  season: boolean
  quarterHours: boolean
  hours: boolean
}

/** A period of which less is known does not count. */
export const MIN_KNOWN_PERIOD_SHARE = 0.95
/** Of twelve months. */
const LEAST_MONTHS = 10
const LEAST_SUMMER = 2
/** What adding shares of months may leave. */
const ROUNDING = 1e-9

const monthsOf = (periods: readonly KnownPeriod[]): number =>
  periods.reduce((sum, { Months }) => sum + Months, 0)

type Lack = Omit<AdviceRefusal, 'EnoughOn'>

/** What these periods lack; null where they suffice. */
function lackOf(periods: readonly KnownPeriod[], needs: AdviceNeeds): Lack | null {
  const known = periods.filter(
    ({ Known, Metered }) => Known >= MIN_KNOWN_PERIOD_SHARE && Metered >= MIN_KNOWN_PERIOD_SHARE,
  )
  const measured = known.filter(({ BusyMeasured }) => BusyMeasured >= MIN_KNOWN_PERIOD_SHARE)
  const resolved = known.filter(({ HoursMeasured }) => HoursMeasured >= MIN_KNOWN_PERIOD_SHARE)
  const most = Math.ceil((monthsOf(periods) * LEAST_MONTHS) / 12 - ROUNDING)
  const needed = Math.max(LEAST_MONTHS, most)
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
          LEAST_SUMMER,
        )
      : null) ??
    (needs.quarterHours ? lack('quarterHours', measured, needed) : null) ??
    (needs.hours ? lack('hours', resolved, needed) : null)
  )
}

/**
 * Why the periods of a comparison do not allow advice; null where they do.
 *
 * periods  that are compared, oldest first
 * ahead    that follow them, as they will be if nothing more is missing
 * months   that a comparison has
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

/** The last periods that together have so many months. */
function lastOf(periods: readonly KnownPeriod[], months: number): readonly KnownPeriod[] {
  let first = periods.length
  for (let count = 0; first > 0 && count < months - ROUNDING;) {
    first -= 1
    count += periods[first]?.Months ?? 0
  }
  return periods.slice(first)
}
