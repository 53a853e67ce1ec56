const formats = new Map<string, Intl.RelativeTimeFormat>()
const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
] as const

/**
 * Age in words: "3 分鐘前", "3 minutes ago".
 *
 * special  less than ten seconds, or a future time, is "now"
 */
export function formatAge(timestamp: number, now: number, language: string): string {
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
  return ''
}
