import { type Db, sql } from '../../../kernel/db.ts'
import type { MembershipPeriod } from '../meters/meter-groups.ts'

/** Key of a home. */
export interface HomeKey {
  tenant: string
  HomeID: string
}

/**
 * A day of a home as a whole, as running sums from the start of the day to the end of each interval: kWh, the number of known intervals of
 * its meters by quality, and the number of intervals with a counter reset; an empty array means zeros.
 */
export interface HomeDay {
  kWh: Float64Array
  measured: Int32Array
  between: Int32Array
  estimated: Int32Array
  corrected: Int32Array
  resets: Int32Array
}

/** Fields of a home's day that count intervals. */
export const COUNTS = ['measured', 'between', 'estimated', 'corrected', 'resets'] as const

/** Running sum before an interval; intervals after the end add nothing. */
export const sumBefore = (sums: Float64Array | Int32Array, interval: number): number =>
  interval <= 0 || sums.length === 0 ? 0 : (sums[Math.min(interval, sums.length) - 1] as number)

/** Number of known intervals before an interval. */
export const knownBefore = (day: HomeDay, interval: number): number =>
  sumBefore(day.measured, interval) +
  sumBefore(day.between, interval) +
  sumBefore(day.estimated, interval) +
  sumBefore(day.corrected, interval)

/** Energy of whole months of a home with quality counts; months without any are absent. */
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
 * Membership period that contains the whole day; undefined if meters change their place within it: such a day is not stored.
 *
 * start, next  start of the day and of the following one, epoch ms
 */
export const epochOf = (
  epochs: readonly MembershipPeriod[],
  start: number,
  next: number,
): MembershipPeriod | undefined => epochs.find(({ from, to }) => from <= start && next <= to)
