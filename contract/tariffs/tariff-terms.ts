import { DateText, NO_DAY } from '../time/date-text.ts'
import { z } from 'zod'
import { formatDay, parseDay, weekdayOf, DAY_TYPES, type DayType } from '../time/periods.ts'
import { lackingFor, NO_PEAK_DAYS, type PeakDays } from './peak-days.ts'
import type { LackingPeakDays } from '../energy/lacking-peak-days.ts'
import { problemsOfVersion, problemsOfVersions } from './tariff-problems.ts'

/** Bands of a time-of-use tariff; `flat` is every hour of a tariff without bands. */
export const BANDS = ['peak', 'semiPeak', 'saturdaySemiPeak', 'offPeak', 'flat'] as const
export const Band = z.enum(BANDS)
export type Band = z.infer<typeof Band>

/** Seasons: Taipower's two, or `allYear` for a tariff without seasons. */
export const SEASONS = ['summer', 'nonSummer', 'allYear'] as const
export const SeasonName = z.enum(SEASONS)
export type SeasonName = z.infer<typeof SeasonName>

/** Kinds of contract capacity: for the summer's peak hours, and additional capacity in other hours. */
export const CAPACITIES = ['regular', 'nonSummer', 'semiPeak', 'saturdaySemiPeak', 'offPeak'] as const
export const Capacity = z.enum(CAPACITIES)
export type Capacity = z.infer<typeof Capacity>

/** Day of every year, `06-01`. */
const YearDay = z
  .string()
  .regex(/^\d{2}-\d{2}$/, NO_DAY)
  .refine((text) => DateText.safeParse(`2024-${text}`).success, NO_DAY)

/** NT$ for one kWh, kW or month. */
const Price = z.number().min(0, 'tooSmall').max(100_000, 'tooBig')

/** Part of a day in minutes since midnight of the home's clock, end exclusive, in whole quarter-hours. */
export const TariffWindow = z.object({
  FromMinute: z.number().int().min(0, 'tooSmall').max(1425, 'tooBig').multipleOf(15, 'quarter'),
  ThroughMinute: z.number().int().min(15, 'tooSmall').max(1440, 'tooBig').multipleOf(15, 'quarter'),
  Band: Band.exclude(['flat']),
})
export type TariffWindow = z.infer<typeof TariffWindow>

/** Step of a progressive tariff, up to ThroughKwh a month; null for the last one. */
export const TariffTier = z.object({
  ThroughKwh: z.number().positive('tooSmall').max(1e9, 'tooBig').nullable(),
  Price,
})
export type TariffTier = z.infer<typeof TariffTier>

/** Part of the year with its prices. `From` and `Through` are inclusive and may span New Year. */
export const TariffSeason = z.object({
  Season: SeasonName,
  From: YearDay,
  Through: YearDay,
  /** For a timeOfUse tariff: the windows of each day type cover the day exactly once. */
  Windows: z.object({
    weekday: z.array(TariffWindow).max(24, 'tooBig'),
    saturday: z.array(TariffWindow).max(24, 'tooBig'),
    offPeakDay: z.array(TariffWindow).max(24, 'tooBig'),
    /** Windows of a weekday that Taipower announced as a peak day; only in plans with variable peak hours. */
    announcedDay: z.array(TariffWindow).max(24, 'tooBig').optional(),
  }),
  /** For a timeOfUse or flat tariff, NT$ per kWh. */
  Prices: z.partialRecord(Band, Price),
  /** For a tiered tariff, per month. */
  Tiers: z.array(TariffTier).max(12, 'tooBig'),
  /** NT$ per kW and month of contract capacity. */
  CapacityRates: z.partialRecord(Capacity, Price),
})
export type TariffSeason = z.infer<typeof TariffSeason>

/** Maximum number of seasons in a year. */
export const MOST_SEASONS = 4

const VersionFields = z.object({
  ValidFrom: DateText,
  /** Inclusive; null if open-ended. */
  ValidThrough: DateText.nullable(),
  Kind: z.enum(['tiered', 'timeOfUse', 'flat']),
  Seasons: z.array(TariffSeason).min(1, 'required').max(MOST_SEASONS, 'tooBig'),
  /** Basic charge in NT$ per month, by phases. */
  BasicCharge: z.object({ single: Price, three: Price }),
  /** Surcharge on each kWh above a monthly limit, as in the simple time-of-use plans. */
  Surcharge: z.object({ OverKwh: z.number().min(0, 'tooSmall').max(1e9, 'tooBig'), Price }).nullable(),
  /** Minimum total of a bill, NT$. */
  MinimumBill: Price,
  /** Whether a power factor below 80 % raises the bill, and one above lowers it. */
  PowerFactor: z.boolean(),
})

/**
 * Charges of a tariff during its validity. Money is NT$ with tax.
 *
 * errors  `hole` and `overlap` at the path of the gap or overlap, followed by the span: days of the year (`06-01/06-30`) or minutes of
 *         the day (`09:00-10:00`)
 */
export const TariffVersion = VersionFields.superRefine((version, context) => {
  for (const { path, reason } of problemsOfVersion(version))
    context.addIssue({ code: 'custom', path, message: reason })
})
export type TariffVersion = z.infer<typeof VersionFields> & {
  /** Announced peak days of the company, for a version that has hours for them; if omitted, none is known. */
  PeakDays?: PeakDays
}

/** Versions of one tariff, oldest first, without gaps; `hole` and `overlap` name the days (`2025-01-01/2025-01-31`). */
export const TariffVersions = z
  .array(TariffVersion)
  .min(1, 'required')
  .max(60, 'tooBig')
  .superRefine((versions, context) => {
    for (const { path, reason } of problemsOfVersions(versions))
      context.addIssue({ code: 'custom', path, message: reason })
  })

/** Part of a day in one band. ThroughMinute is exclusive. Price is null for tiers, which are priced by the month. */
export interface BandSpan {
  FromMinute: number
  ThroughMinute: number
  Band: Band
  Price: number | null
}

/** Key of a version's charges without its dates: equal for a price table that was announced again unchanged. */
export function chargesOf(version: TariffVersion): string {
  const known = charges.get(version)
  if (known !== undefined) return known
  const { ValidFrom: _from, ValidThrough: _through, ...rest } = version
  const text = JSON.stringify(rest)
  charges.set(version, text)
  return text
}
const charges = new WeakMap<TariffVersion, string>()

export const versionOn = (versions: readonly TariffVersion[], day: number): TariffVersion | undefined =>
  versions.find(
    ({ ValidFrom, ValidThrough }) =>
      parseDay(ValidFrom) <= day && (ValidThrough === null || day <= parseDay(ValidThrough)),
  )

/** Types of days that a tariff may have hours for. */
export const PRICED_DAY_TYPES = [...DAY_TYPES, 'announcedDay'] as const
export type PricedDayType = (typeof PRICED_DAY_TYPES)[number]

/** Day types of a season: includes announced peak days if it has hours for them. */
export const daysOfSeason = ({ Windows }: TariffSeason): readonly PricedDayType[] =>
  Windows.announcedDay ? PRICED_DAY_TYPES : DAY_TYPES

/** Data missing to price a day of a version with announced peak days; undefined if none is. */
export function lackingPeakDays(version: TariffVersion, day: number): LackingPeakDays | undefined {
  if (!seasonOf(version, day).Windows.announcedDay) return undefined
  return lackingFor(version.PeakDays ?? NO_PEAK_DAYS, day)
}

export const hasPeakDays = ({ Seasons }: TariffVersion): boolean =>
  Seasons.some(({ Windows }) => Windows.announcedDay !== undefined)

/** Version that can price a day: undefined if it is unknown whether the day is an announced peak day. */
export const pricing = (version: TariffVersion | undefined, day: number): TariffVersion | undefined =>
  version && lackingPeakDays(version, day) ? undefined : version

/**
 * Season of a day.
 *
 * errors  RangeError for a version that has not been validated
 */
export function seasonOf(version: TariffVersion, day: number): TariffSeason {
  const date = formatDay(day).slice(5)
  const season = version.Seasons.find(({ From, Through }) =>
    From <= Through ? From <= date && date <= Through : date >= From || date <= Through,
  )
  if (!season) throw new RangeError(`No season on ${date}`)
  return season
}

/**
 * Type of a day.
 *
 * offPeakDays  listed holidays as `dayOf` numbers days; may omit Sundays
 */
export function dayTypeOf(day: number, offPeakDays: ReadonlySet<number>): DayType {
  if (weekdayOf(day) === 0 || offPeakDays.has(day)) return 'offPeakDay'
  return weekdayOf(day) === 6 ? 'saturday' : 'weekday'
}

/** Type of a day by which a version prices it: announced peak day if the season has hours for those. */
export function pricedDayTypeOf(
  version: TariffVersion,
  day: number,
  offPeakDays: ReadonlySet<number>,
): PricedDayType {
  const type = dayTypeOf(day, offPeakDays)
  const hasHours = type === 'weekday' && !!seasonOf(version, day).Windows.announcedDay
  return hasHours && version.PeakDays?.Days.includes(day) ? 'announcedDay' : type
}

/** Class of a day: days of one class and version have the same bands at the same prices, so their energy can be summed first. */
export const dayClassOf = (version: TariffVersion, day: number, offPeakDays: ReadonlySet<number>): string => {
  const index = version.Seasons.indexOf(seasonOf(version, day))
  return version.Kind === 'timeOfUse' ? `${index}/${pricedDayTypeOf(version, day, offPeakDays)}` : `${index}`
}

/**
 * Bands of a day in order, covering each minute once.
 *
 * day      as `dayOf` numbers days
 * returns  one span for a tariff without bands; adjacent spans differ in their band
 */
export function bandsOfDay(
  version: TariffVersion,
  day: number,
  offPeakDays: ReadonlySet<number>,
): BandSpan[] {
  return bandsOfType(version, seasonOf(version, day), pricedDayTypeOf(version, day, offPeakDays))
}

/** Bands of a day type in a season; an announced peak day counts as a weekday if the season has no hours for it. */
export function bandsOfType(
  { Kind }: TariffVersion,
  { Windows, Prices }: TariffSeason,
  type: PricedDayType,
): BandSpan[] {
  if (Kind !== 'timeOfUse')
    return [{ FromMinute: 0, ThroughMinute: 1440, Band: 'flat', Price: Prices.flat ?? null }]
  const spans: BandSpan[] = []
  const windows = (Windows[type] ?? Windows.weekday).toSorted((a, b) => a.FromMinute - b.FromMinute)
  for (const window of windows) {
    const before = spans.at(-1)
    if (before?.Band === window.Band) before.ThroughMinute = window.ThroughMinute
    else spans.push({ ...window, Price: Prices[window.Band] ?? null })
  }
  return spans
}
