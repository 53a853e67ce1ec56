import { nextStart, type Resolution, startOf } from '../../../../contract/time/periods.ts'
import type { MeterSum } from '../../../../contract/automation/condition.ts'

/** The period of a sum, and how much of it, ms, must be over before anything is told of the rest. */
const PERIODS: Record<MeterSum, { period: Resolution; least: number }> = {
  HourlyKwh: { period: 'hour', least: 6 * 60_000 },
  DailyKwh: { period: 'day', least: 3_600_000 },
  MonthlyKwh: { period: 'month', least: 24 * 3_600_000 },
}

/** When the hour, day or month of a sum began that runs at a moment, and when it ends, epoch ms. */
export function sumPeriodOf(field: MeterSum, at: number, zone: string): { from: number; to: number } {
  const { period } = PERIODS[field]
  const from = startOf(period, at, zone)
  return { from, to: nextStart(period, from, zone) }
}

/** A sum and its limit, kWh: pace is what was counted in the last 60 minutes, clear what makes a told crossing unlikely again. */
export interface RisingSum {
  field: MeterSum
  sum: number | null
  pace: number | null
  limit: number
  clear: number
  isTold: boolean
}

/**
 * When a sum crosses its limit if it goes on as in the last hour.
 *
 * now      epoch ms
 * returns  epoch ms within the period; null when it does not before the period ends, or has already; undefined while that is not
 *          known: of null, before a tenth of an hour, an hour of a day or a day of a month is over, and of one that was told and is
 *          only a little less likely
 */
export function predictCrossing(
  { field, sum, pace, limit, clear, isTold }: RisingSum,
  now: number,
  zone: string,
): number | null | undefined {
  const { from, to } = sumPeriodOf(field, now, zone)
  if (sum === null) return undefined
  if (sum > limit) return null
  if (pace === null || now - from < PERIODS[field].least) return undefined
  const total = sum + (pace * (to - now)) / 3_600_000
  if (total <= limit || pace <= 0) return isTold && total > clear ? undefined : null
  return Math.round(now + ((limit - sum) / pace) * 3_600_000)
}
