export const DEFAULT_TIME_ZONE = 'Asia/Taipei'

export interface ZoneName {
  zone: string
  /** Long name in the requested language. */
  name: string
  /** "GMT+08:00" at the requested time. */
  offset: string
}

/** All time zones of this browser, Asia/Taipei first, then by offset and name. */
export function timeZones(language: string, now = Date.now()): ZoneName[] {
  const zones = Intl.supportedValuesOf('timeZone')
  if (!zones.includes('UTC')) zones.push('UTC')
  const part = (zone: string, lng: string, style: 'long' | 'longOffset') =>
    new Intl.DateTimeFormat(lng, { timeZone: zone, timeZoneName: style })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value ?? zone
  return zones
    .map((zone) => {
      const offset = part(zone, 'en-US', 'longOffset')
      return { zone, name: part(zone, language, 'long'), offset: offset === 'GMT' ? 'GMT+00:00' : offset }
    })
    .sort((a, b) => rank(a) - rank(b) || (a.zone < b.zone ? -1 : 1))
}

const rank = ({ zone, offset }: ZoneName) => {
  if (zone === DEFAULT_TIME_ZONE) return -Infinity
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
