import type { LackingPeakDays } from '../energy/lacking-peak-days.ts'
import { formatDay, parseDay, weekdayOf } from '../time/periods.ts'

/** Number of days a year that Taipower announces for plans with variable peak hours (高壓三段式尖峰時間可變動). */
export const PEAK_DAYS_A_YEAR = 30
/** Season of the announcements: the high-voltage summer, both inclusive. */
export const PEAK_DAYS_FROM = '05-16'
export const PEAK_DAYS_THROUGH = '10-15'

/** Announced peak days of a company; days as `dayOf` numbers them. */
export interface PeakDays {
  /** Ascending. */
  Days: readonly number[]
  /** Last day up to which every announced day is entered, by year. */
  CompleteThrough: Readonly<Record<number, number>>
}

export const NO_PEAK_DAYS: PeakDays = { Days: [], CompleteThrough: {} }

/** Whether Taipower may announce a day: one from Monday to Friday in its summer. */
export function mayBePeakDay(day: number): boolean {
  const date = formatDay(day).slice(5)
  return ![0, 6].includes(weekdayOf(day)) && PEAK_DAYS_FROM <= date && date <= PEAK_DAYS_THROUGH
}

const yearOf = (day: number): number => Number(formatDay(day).slice(0, 4))

/** Data missing to decide whether a day was announced; undefined if none is. */
export function lackingFor({ Days, CompleteThrough }: PeakDays, day: number): LackingPeakDays | undefined {
  if (!mayBePeakDay(day)) return undefined
  const year = yearOf(day)
  if ((CompleteThrough[year] ?? -Infinity) >= day) return undefined
  const [first, last] = [parseDay(`${year}-01-01`), parseDay(`${year}-12-31`)]
  const Known = Days.filter((one) => first <= one && one <= last).length
  return Known >= PEAK_DAYS_A_YEAR ? undefined : { Year: year, Known, Needed: PEAK_DAYS_A_YEAR }
}

export const HOLIDAYS = [
  'foundingDay',
  'lunarNewYear',
  'peaceDay',
  'childrensDay',
  'tombSweeping',
  'labourDay',
  'dragonBoat',
  'midAutumn',
  'teachersDay',
  'nationalDay',
  'retrocessionDay',
  'constitutionDay',
] as const
type Holiday = (typeof HOLIDAYS)[number]

/**
 * Days of each year that depend on the lunar or solar calendar: lunar 1/1, tomb sweeping, lunar 5/5 and 8/15. New moons near midnight
 * decide 2027 and 2030 by minutes (23:56 on 6 February 2027, 00:07 on 3 February 2030, UTC+8).
 */
const MOVABLE: Record<
  number,
  readonly [newYear: string, tombs: string, dragonBoat: string, midAutumn: string]
> = {
  2022: ['02-01', '04-05', '06-03', '09-10'],
  2023: ['01-22', '04-05', '06-22', '09-29'],
  2024: ['02-10', '04-04', '06-10', '09-17'],
  2025: ['01-29', '04-04', '05-31', '10-06'],
  2026: ['02-17', '04-05', '06-19', '09-25'],
  2027: ['02-06', '04-05', '06-09', '09-15'],
  2028: ['01-26', '04-04', '05-28', '10-03'],
  2029: ['02-13', '04-04', '06-16', '09-22'],
  2030: ['02-03', '04-05', '06-05', '09-12'],
  2031: ['01-23', '04-05', '06-24', '10-01'],
  2032: ['02-11', '04-04', '06-12', '09-19'],
  2033: ['01-31', '04-04', '06-01', '09-08'],
  2034: ['02-19', '04-05', '06-20', '09-27'],
  2035: ['02-08', '04-05', '06-10', '09-16'],
}

export const OFF_PEAK_YEARS = Object.keys(MOVABLE).map(Number)

/** From this date on, the second day before New Year, 28 September, 25 October and 25 December are off-peak too. */
const HOLIDAY_ACT = parseDay('2025-05-30')

/** Day that is off-peak as a whole; Day as `dayOf` numbers days. */
interface OffPeakDay {
  Day: number
  Holiday: Holiday
}

/** Off-peak days of a year by Taipower's list (detailed tariff table, 2025-11-17), in order; empty for unknown years. */
export function offPeakDaysOf(year: number): OffPeakDay[] {
  const movable = MOVABLE[year]
  if (!movable) return []
  const at = (date: string): number => parseDay(`${year}-${date}`)
  const [newYear, tombs, dragonBoat, midAutumn] = movable
  const days: [number, Holiday][] = [[at('01-01'), 'foundingDay']]
  const first = at(newYear)
  for (let day = first - (first > HOLIDAY_ACT ? 2 : 1); day < first + 5; day++)
    days.push([day, 'lunarNewYear'])
  days.push([at('02-28'), 'peaceDay'], [at('04-04'), 'childrensDay'], [at(tombs), 'tombSweeping'])
  days.push([at('05-01'), 'labourDay'], [at(dragonBoat), 'dragonBoat'], [at(midAutumn), 'midAutumn'])
  days.push([at('10-10'), 'nationalDay'])
  for (const [date, holiday] of [
    ['09-28', 'teachersDay'],
    ['10-25', 'retrocessionDay'],
    ['12-25', 'constitutionDay'],
  ] as const)
    if (at(date) >= HOLIDAY_ACT) days.push([at(date), holiday])
  const known = new Map<number, Holiday>()
  for (const [day, holiday] of days) if (!known.has(day)) known.set(day, holiday)
  return [...known].map(([Day, Holiday]) => ({ Day, Holiday })).toSorted((a, b) => a.Day - b.Day)
}

/** Company override of one day: off-peak although not listed, or the reverse. */
export interface OffPeakOverride {
  Day: number
  IsOffPeak: boolean
}

/** All off-peak days of the known years, with a company's overrides. */
export function offPeakSet(overrides: readonly OffPeakOverride[]): Set<number> {
  const days = new Set(OFF_PEAK_YEARS.flatMap((year) => offPeakDaysOf(year).map(({ Day }) => Day)))
  for (const { Day, IsOffPeak } of overrides) {
    if (IsOffPeak) days.add(Day)
    else days.delete(Day)
  }
  return days
}
