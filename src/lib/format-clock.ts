const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: string, timeZone: string | undefined, dated: boolean): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${dated}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, {
      timeZone,
      ...(dated && { month: 'numeric', day: 'numeric' }),
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(key, format)
  }
  return format
}

/** A moment on the clock of a time zone, with its day unless that is today: "02:14", "11/23 02:14". */
export function formatClock(
  timestamp: number,
  now: number,
  language: string,
  timeZone: string | undefined,
): string {
  const day = (at: number) => new Date(at).toLocaleDateString('en', { timeZone })
  return formatOf(language, timeZone, day(timestamp) !== day(now)).format(timestamp)
}
