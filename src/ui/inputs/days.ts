import dayjs, { type Dayjs } from 'dayjs'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { dayOf, formatDay, parseDay, startOfDay } from '../../../contract/time/periods.ts'

const DAY = 'YYYY-MM-DD'

/** Day from an address; undefined if it is invalid. */
export function readDay(text: string): Dayjs | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const day = dayjs(text)
  return day.isValid() ? day : undefined
}

export const writeDay = (day: Dayjs): string => day.format(DAY)

/** Today in a time zone, as in an address. */
export const today = (zone: string): string => formatDay(dayOf(gatewayNow(), zone))

/** Range of whole days of a zone, epoch ms, the end exclusive; an absent or invalid day leaves its end open. */
export const daySpanOf = (from: string, to: string, zone: string): { From?: number; Until?: number } => {
  const [first, last] = [readDay(from), readDay(to)]
  const startOf = (day: Dayjs, after: number) => startOfDay(parseDay(writeDay(day)) + after, zone)
  return {
    ...(first && { From: startOf(first, 0) }),
    ...(last && { Until: startOf(last, 1) }),
  }
}
