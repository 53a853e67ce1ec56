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
