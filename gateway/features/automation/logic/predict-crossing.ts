import { nextStart, type Resolution, startOf } from '../../../../contract/time/periods.ts'
import type { MeterSum } from '../../../../contract/automation/condition.ts'

/** Period of a sum, and the time in ms that must have passed before the rest of it is predicted. */
const PERIODS: Record<MeterSum, { period: Resolution; least: number }> = {
  HourlyKwh: { period: 'hour', least: 6 * 60_000 },
  DailyKwh: { period: 'day', least: 3_600_000 },
  MonthlyKwh: { period: 'month', least: 24 * 3_600_000 },
}

/** Start and end of the present hour, day or month of a sum, epoch ms. */
export function sumPeriodOf(field: MeterSum, at: number, zone: string): { from: number; to: number } {
  const { period } = PERIODS[field]
  const from = startOf(period, at, zone)
  return { from, to: nextStart(period, from, zone) }
}

/** A sum and its limit, kWh. pace: energy of the last 60 minutes. clear: predicted total below which a notified crossing is withdrawn. */
export interface RisingSum {
  field: MeterSum
  sum: number | null
  pace: number | null
  limit: number
  clear: number
  isNotified: boolean
}

/**
 * Time at which a sum crosses its limit if it continues at the pace of the last hour.
 *
 * now      epoch ms
 * returns  epoch ms within the period; null if it does not cross before the period ends, or already has; undefined while unknown:
 *          the sum is null, too little of the period has passed, or a notified crossing has become only slightly less likely
 */
export function predictCrossing(
  { field, sum, pace, limit, clear, isNotified }: RisingSum,
  now: number,
  zone: string,
): number | null | undefined {
  const { from, to } = sumPeriodOf(field, now, zone)
  if (sum === null) return undefined
  if (sum > limit) return null
  if (pace === null || now - from < PERIODS[field].least) return undefined
  const total = sum + (pace * (to - now)) / 3_600_000
  if (total <= limit || pace <= 0) return isNotified && total > clear ? undefined : null
  return Math.round(now + ((limit - sum) / pace) * 3_600_000)
}
