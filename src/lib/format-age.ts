import { formatClock } from '../../contract/time/format-time.ts'

const formats = new Map<string, Intl.RelativeTimeFormat>()
const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
] as const

/**
 * Age in words, up to 24 hours: "3 分鐘前", "3 minutes ago"; the time if it is longer ago: "11/23（一）09:30".
 *
 * zone     time zone; that of this device if undefined
 * special  less than ten seconds, or a future time, is "now"
 */
export function formatAge(timestamp: number, now: number, language: string, zone?: string): string {
  let format = formats.get(language)
  if (!format) {
    format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
    formats.set(language, format)
  }
  let amount = Math.floor((now - timestamp) / 1000)
  if (amount < 10) return format.format(0, 'second')
  for (const [unit, size] of STEPS) {
    if (amount < size) return format.format(-amount, unit)
    amount = Math.floor(amount / size)
  }
  return formatClock(timestamp, now, language, zone)
}
