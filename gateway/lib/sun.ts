import { getTimes } from 'suncalc'
import type { Place, SunTimes } from '../../contract/automation/home-calendar.ts'
import { toEpoch } from '../../contract/time/periods.ts'

/** Default position for the sun of a home without coordinates: Taipei. Degrees. */
export const DEFAULT_COORDINATES = { Latitude: 25.03, Longitude: 121.56 } as const

const NOON_MINUTES = 720

/**
 * Times of sunrise and sunset.
 *
 * day                  as `dayOf` numbers days, in `zone`: selects the solar day whose noon is on that day
 * latitude, longitude  degrees, north and east positive
 * returns              epoch ms, or null if the sun does not rise or does not set on that day
 */
export function sunAt(day: number, latitude: number, longitude: number, zone = 'UTC'): SunTimes | null {
  const { sunrise, sunset } = getTimes(new Date(toEpoch(day, NOON_MINUTES, zone)), latitude, longitude)
  return sunrise && sunset ? { sunrise: sunrise.getTime(), sunset: sunset.getTime() } : null
}

/** Sun times of a home, for its `Place`; caches requested days. */
export function sunOf(home: {
  TimeZone: string
  Latitude: number | null
  Longitude: number | null
}): Place['sun'] {
  const { Latitude, Longitude } =
    home.Latitude === null || home.Longitude === null
      ? DEFAULT_COORDINATES
      : { Latitude: home.Latitude, Longitude: home.Longitude }
  const timesByDay = new Map<number, SunTimes | null>()
  return (day) => {
    let times = timesByDay.get(day)
    if (times === undefined) timesByDay.set(day, (times = sunAt(day, Latitude, Longitude, home.TimeZone)))
    return times
  }
}
