import { type Db, sql } from '../../../store/db.ts'
import type { DayPlan } from '../query/day-plans.ts'
import type { MembershipPeriod } from '../meters/meter-groups.ts'
import type { EnergySums } from '../query/sums.ts'

/** A home by its keys. */
export interface HomeKey {
  tenant: string
  HomeID: string
}

/**
 * A day of a home as a whole. Everything runs on from the day's beginning to the end of each interval: kWh, and how many
 * intervals of its meters are known and how, and in how many a counter fell; empty where there is nothing.
 */
export interface HomeDay {
  kWh: Float64Array
  measured: Int32Array
  between: Int32Array
  estimated: Int32Array
  corrected: Int32Array
  resets: Int32Array
}

/** What counts intervals in a day of a home. */
export const COUNTS = ['measured', 'between', 'estimated', 'corrected', 'resets'] as const

/** What a running sum comes to before an interval; after its end nothing more comes. */
export const sumBefore = (sums: Float64Array | Int32Array, interval: number): number =>
  interval <= 0 || sums.length === 0 ? 0 : (sums[Math.min(interval, sums.length) - 1] as number)

/** Adds up what the parts of days hold; what removed meters left out is not in it. */
export function addHomeDays(
  sums: EnergySums,
  plans: readonly DayPlan[],
  days: ReadonlyMap<number, HomeDay>,
): void {
  for (const { day, ended, windows } of plans) {
    const one = days.get(day)
    if (!one) continue
    for (const { slot, from, to } of windows) {
      ;(sums.kwh[slot] as number) += sumBefore(one.kWh, to) - sumBefore(one.kWh, from)
      for (const name of COUNTS)
        (sums[name][slot] as number) += sumBefore(one[name], to) - sumBefore(one[name], from)
      const begin = Math.max(from, ended)
      if (begin < to) (sums.ahead[slot] as number) += knownBefore(one, to) - knownBefore(one, begin)
    }
  }
}

/** How many intervals are known before one. */
export const knownBefore = (day: HomeDay, interval: number): number =>
  sumBefore(day.measured, interval) +
  sumBefore(day.between, interval) +
  sumBefore(day.estimated, interval) +
  sumBefore(day.corrected, interval)

/** The energy of whole months of a home, with how it is known; months without any are absent. */
export async function readHomeMonths(
  db: Db,
  { tenant, HomeID }: HomeKey,
  months: readonly number[],
  part = 0,
): Promise<(Record<'kwh' | (typeof COUNTS)[number], number> & { month: number })[]> {
  return db.query(sql`select month, kwh, measured, m.between, estimated, corrected, resets from home_months m
    where tenant = ${tenant} and home_id = ${HomeID} and part = ${part}::int and month = any(${months as number[]}::int[])`)
}

/**
 * The time in which a day lies as a whole; undefined where meters change their place within it: such a day is not kept.
 *
 * start, next  of the day, epoch ms
 */
export const epochOf = (
  epochs: readonly MembershipPeriod[],
  start: number,
  next: number,
): MembershipPeriod | undefined => epochs.find(({ from, to }) => from <= start && next <= to)
