import { describe, expect, it } from 'vitest'
import { parseDay } from '../../../contract/time/periods.ts'
import { sunOf } from '../../../gateway/lib/sun.ts'

const home = (TimeZone: string, Latitude: number | null = null, Longitude: number | null = null) =>
  sunOf({ TimeZone, Latitude, Longitude })
/** Sunrise and sunset in the home's local time. */
const shown = (sun: ReturnType<typeof sunOf>, date: string, timeZone: string) => {
  const times = sun(parseDay(date))
  const text = (at: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
  return times && [text(times.sunrise), text(times.sunset)]
}

describe('the sun of a home', () => {
  // To within two minutes of the almanacs of the Central Weather Administration and of the US Naval Observatory.
  it.each([
    ['Asia/Taipei', 25.03, 121.56, '2026-06-21', ['05:04', '18:47']],
    ['Asia/Taipei', 25.03, 121.56, '2026-12-21', ['06:34', '17:09']],
    ['Europe/Berlin', 52.52, 13.405, '2026-06-21', ['04:43', '21:33']],
    ['America/New_York', 40.71, -74.01, '2026-03-20', ['06:59', '19:09']],
  ] as const)('in %s at %d, %d on %s', (zone, latitude, longitude, date, [rises, sets]) => {
    const [sunrise, sunset] = shown(home(zone, latitude, longitude), date, zone)!
    const minutes = (text: string) => Number(text.slice(-5, -3)) * 60 + Number(text.slice(-2))
    expect(Math.abs(minutes(sunrise!) - minutes(rises))).toBeLessThanOrEqual(2)
    expect(Math.abs(minutes(sunset!) - minutes(sets))).toBeLessThanOrEqual(2)
    expect([sunrise!.slice(0, 10), sunset!.slice(0, 10)]).toEqual([date, date])
  })

  it('uses Taipei if no location is configured', () =>
    expect(home('Asia/Taipei')(20_000)).toEqual(home('Asia/Taipei', 25.03, 121.56)(20_000)))

  it('uses the local date, on either side of the date line', () => {
    const kiribati = shown(home('Pacific/Kiritimati', 1.87, -157.4), '2026-03-20', 'Pacific/Kiritimati')
    expect(kiribati!.map((text) => text.slice(0, 10))).toEqual(['2026-03-20', '2026-03-20'])
  })

  it('neither rises nor sets during polar day or night', () => {
    const tromso = home('Europe/Oslo', 69.65, 18.96)
    expect(tromso(parseDay('2026-06-21'))).toBeNull()
    expect(tromso(parseDay('2026-12-21'))).toBeNull()
    expect(tromso(parseDay('2026-03-20'))).not.toBeNull()
  })
})
