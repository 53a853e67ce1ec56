import { z } from 'zod'
import { formatDay, parseDay, weekdayOf } from '../time/periods.ts'
import { lackingFor, type LackingPeakDays, NO_PEAK_DAYS, type PeakDays } from './peak-days.ts'
import { problemsOfVersion, problemsOfVersions } from './tariff-problems.ts'

/** What an hour of a time-of-use tariff is; `flat` is every hour of a tariff without bands. */
export const BANDS = ['peak', 'semiPeak', 'saturdaySemiPeak', 'offPeak', 'flat'] as const
export const Band = z.enum(BANDS)
export type Band = z.infer<typeof Band>

/** Saturdays, weekdays, and the days that are off-peak as a whole: Sundays and the listed holidays. */
export const DAY_TYPES = ['weekday', 'saturday', 'offPeakDay'] as const
export type DayType = (typeof DAY_TYPES)[number]

/** What a season is: one of Taipower's two, or `allYear` where a tariff has none. */
export const SEASONS = ['summer', 'nonSummer', 'allYear'] as const
export const SeasonName = z.enum(SEASONS)
export type SeasonName = z.infer<typeof SeasonName>

/** What demand is agreed for: in the summer's peak hours, and what is beyond it in other hours. */
export const CAPACITIES = ['regular', 'nonSummer', 'semiPeak', 'saturdaySemiPeak', 'offPeak'] as const
export const Capacity = z.enum(CAPACITIES)
export type Capacity = z.infer<typeof Capacity>

/** What is no day cannot be computed with, so the checks of what it is part of are left out. */
const NO_DAY = { error: 'invalid', abort: true } as const

/** A day of the calendar, `2025-10-01`. */
export const DateText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, NO_DAY)
  .refine((text) => Number.isFinite(parseDay(text)) && formatDay(parseDay(text)) === text, NO_DAY)

/** A day of every year, `06-01`. */
const YearDay = z
  .string()
  .regex(/^\d{2}-\d{2}$/, NO_DAY)
  .refine((text) => DateText.safeParse(`2024-${text}`).success, NO_DAY)

/** NT$ for one kWh, kW or month. */
const Price = z.number().min(0, 'tooSmall').max(100_000, 'tooBig')

/** A part of a day; minutes since midnight of the home's clock, the last exclusive, whole quarters of an hour. */
export const TariffWindow = z.object({
  FromMinute: z.number().int().min(0, 'tooSmall').max(1425, 'tooBig').multipleOf(15, 'quarter'),
  ThroughMinute: z.number().int().min(15, 'tooSmall').max(1440, 'tooBig').multipleOf(15, 'quarter'),
  Band: Band.exclude(['flat']),
})
export type TariffWindow = z.infer<typeof TariffWindow>

/** A step of a progressive tariff: up to so many kWh a month, the last without an end. */
export const TariffTier = z.object({
  ThroughKwh: z.number().positive('tooSmall').max(1e9, 'tooBig').nullable(),
  Price,
})
export type TariffTier = z.infer<typeof TariffTier>

/** A part of the year with its prices. From and Through are inclusive, and may lie on two sides of New Year. */
export const TariffSeason = z.object({
  Season: SeasonName,
  From: YearDay,
  Through: YearDay,
  /** Of a timeOfUse tariff: the windows of each day type cover the day once. */
  Windows: z.object({
    weekday: z.array(TariffWindow).max(24, 'tooBig'),
    saturday: z.array(TariffWindow).max(24, 'tooBig'),
    offPeakDay: z.array(TariffWindow).max(24, 'tooBig'),
    /** Windows of a weekday that Taipower announced as a peak day; only in plans with variable peak hours. */
    announcedDay: z.array(TariffWindow).max(24, 'tooBig').optional(),
  }),
  /** Of a timeOfUse or flat tariff, NT$ per kWh. */
  Prices: z.partialRecord(Band, Price),
  /** Of a tiered tariff, per month. */
  Tiers: z.array(TariffTier).max(12, 'tooBig'),
  /** NT$ per kW and month of what demand is agreed. */
  CapacityRates: z.partialRecord(Capacity, Price),
})
export type TariffSeason = z.infer<typeof TariffSeason>

/** Parts that a year may have. */
export const MOST_SEASONS = 4

const VersionFields = z.object({
  ValidFrom: DateText,
  /** Inclusive; null until further notice. */
  ValidThrough: DateText.nullable(),
  Kind: z.enum(['tiered', 'timeOfUse', 'flat']),
  Seasons: z.array(TariffSeason).min(1, 'required').max(MOST_SEASONS, 'tooBig'),
  /** NT$ per month for being connected, by phases. */
  BasicCharge: z.object({ single: Price, three: Price }),
  /** On each kWh beyond so many a month, as in the simple time-of-use plans. */
  Surcharge: z.object({ OverKwh: z.number().min(0, 'tooSmall').max(1e9, 'tooBig'), Price }).nullable(),
  /** NT$ that a bill comes to at least. */
  MinimumBill: Price,
  /** Whether a power factor below 80 % adds to the bill, and one above takes off. */
  PowerFactor: z.boolean(),
})

/**
 * What a tariff charges while it is valid. Money is NT$ with tax.
 *
 * errors  `hole` and `overlap` at the path of what should be covered once, followed by the span: days of the year
 *         (`06-01/06-30`) or minutes of the day (`09:00-10:00`)
 */
export const TariffVersion = VersionFields.superRefine((version, context) => {
  for (const { path, reason } of problemsOfVersion(version))
    context.addIssue({ code: 'custom', path, message: reason })
})
export type TariffVersion = z.infer<typeof VersionFields> & {
  /** The company's announced peak days, of a version that has hours for them; left out, none is known. */
  PeakDays?: PeakDays
}

/** Versions of one tariff, oldest first, each day in one; `hole` and `overlap` name the days (`2025-01-01/2025-01-31`). */
export const TariffVersions = z
  .array(TariffVersion)
  .min(1, 'required')
  .max(60, 'tooBig')
  .superRefine((versions, context) => {
    for (const { path, reason } of problemsOfVersions(versions))
      context.addIssue({ code: 'custom', path, message: reason })
  })

/** A part of a day of one band. ThroughMinute is exclusive. Price is null where tiers say it by the month. */
export interface BandSpan {
  FromMinute: number
  ThroughMinute: number
  Band: Band
  Price: number | null
}

/** What a version charges, whatever its days: the same text of a price table that was announced again without a change. */
export function chargesOf(version: TariffVersion): string {
  const known = charges.get(version)
  if (known !== undefined) return known
  const { ValidFrom: _from, ValidThrough: _through, ...rest } = version
  const text = JSON.stringify(rest)
  charges.set(version, text)
  return text
}
const charges = new WeakMap<TariffVersion, string>()

/** The version that holds on a day. */
export const versionOn = (versions: readonly TariffVersion[], day: number): TariffVersion | undefined =>
  versions.find(
    ({ ValidFrom, ValidThrough }) =>
      parseDay(ValidFrom) <= day && (ValidThrough === null || day <= parseDay(ValidThrough)),
  )

/** The kinds of days that a tariff may have hours for. */
export const PRICED_DAY_TYPES = [...DAY_TYPES, 'announcedDay'] as const
export type PricedDayType = (typeof PRICED_DAY_TYPES)[number]

/** The kinds of days of a season: announced peak days too if it has hours for them. */
export const daysOfSeason = ({ Windows }: TariffSeason): readonly PricedDayType[] =>
  Windows.announcedDay ? PRICED_DAY_TYPES : DAY_TYPES

/** Data missing to price a day of a version whose peak days are announced; undefined if none is. */
export function lackingPeakDays(version: TariffVersion, day: number): LackingPeakDays | undefined {
  if (!seasonOf(version, day).Windows.announcedDay) return undefined
  return lackingFor(version.PeakDays ?? NO_PEAK_DAYS, day)
}

/** Whether a version has hours for announced peak days. */
export const hasPeakDays = ({ Seasons }: TariffVersion): boolean =>
  Seasons.some(({ Windows }) => Windows.announcedDay !== undefined)

/** A version as far as it can price a day: undefined for a day of which it is not known whether it is an announced peak day. */
export const pricing = (version: TariffVersion | undefined, day: number): TariffVersion | undefined =>
  version && lackingPeakDays(version, day) ? undefined : version

/**
 * The season of a day.
 *
 * errors  RangeError for a version that has not been checked
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
 * What kind of day a day is.
 *
 * offPeakDays  the listed holidays as `dayOf` numbers days; Sundays need not be in it
 */
export function dayTypeOf(day: number, offPeakDays: ReadonlySet<number>): DayType {
  if (weekdayOf(day) === 0 || offPeakDays.has(day)) return 'offPeakDay'
  return weekdayOf(day) === 6 ? 'saturday' : 'weekday'
}

/** The kind of a day whose hours a version gives it: an announced peak day if the season has hours for those. */
export function pricedDayTypeOf(
  version: TariffVersion,
  day: number,
  offPeakDays: ReadonlySet<number>,
): PricedDayType {
  const type = dayTypeOf(day, offPeakDays)
  const hasHours = type === 'weekday' && !!seasonOf(version, day).Windows.announcedDay
  return hasHours && version.PeakDays?.Days.includes(day) ? 'announcedDay' : type
}

/** Days of one class and version have the same bands at the same prices, so their energy may be added up first. */
export const dayClassOf = (version: TariffVersion, day: number, offPeakDays: ReadonlySet<number>): string => {
  const index = version.Seasons.indexOf(seasonOf(version, day))
  return version.Kind === 'timeOfUse' ? `${index}/${pricedDayTypeOf(version, day, offPeakDays)}` : `${index}`
}

/**
 * The bands of a day in order, each minute in one.
 *
 * day      as `dayOf` numbers days
 * returns  one span where the tariff has no bands; neighbours differ in their band
 */
export function bandsOfDay(
  version: TariffVersion,
  day: number,
  offPeakDays: ReadonlySet<number>,
): BandSpan[] {
  return bandsOfType(version, seasonOf(version, day), pricedDayTypeOf(version, day, offPeakDays))
}

/** The same of any day of a kind in a season; an announced peak day is a weekday if the season has no hours for it. */
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
