export const DEFAULT_TIME_ZONE = 'Asia/Taipei'

export interface ZoneName {
  zone: string
  /** Long name in the requested language. */
  name: string
  /** "GMT+08:00" at the requested time. */
  offset: string
}

/** Name and offset of a time zone. */
export function zoneName(zone: string, language: string, now = Date.now()): ZoneName {
  const part = (lng: string, style: 'long' | 'longOffset') =>
    new Intl.DateTimeFormat(lng, { timeZone: zone, timeZoneName: style })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value ?? zone
  const offset = part('en-US', 'longOffset')
  return { zone, name: part(language, 'long'), offset: offset === 'GMT' ? 'GMT+00:00' : offset }
}

/** All time zones of this browser, Asia/Taipei first, then by offset and name. Takes some 400 ms the first time. */
export function timeZones(language: string, now = Date.now()): ZoneName[] {
  const zones = Intl.supportedValuesOf('timeZone')
  if (!zones.includes('UTC')) zones.push('UTC')
  return zones
    .map((zone) => zoneName(zone, language, now))
    .sort((a, b) => rank(a) - rank(b) || (a.zone < b.zone ? -1 : 1))
}

/** Whether this browser knows a time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const rank = ({ zone, offset }: ZoneName) => {
  if (zone === DEFAULT_TIME_ZONE) return -Infinity
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
