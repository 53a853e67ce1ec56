import type { Place } from '../../../../contract/automation/home-calendar.ts'
import { parseDay } from '../../../../contract/time/periods.ts'
import { offPeakSet } from '../../../../contract/tariffs/peak-days.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import type { EngineHomeKey } from '../rules/ports.ts'

/** Sun of a home; coordinates in degrees, null if not configured. */
export type SunOf = (home: {
  TimeZone: string
  Latitude: number | null
  Longitude: number | null
}) => Place['sun']

/** Data that the clock and calendar of a home are built from. */
export interface PlaceRow {
  zone: string
  latitude: number | null
  longitude: number | null
  days: { date: string; off: boolean }[] | null
}

/** Columns of PlaceRow for homes as h. */
export const PLACE_COLUMNS = raw(`h.time_zone as zone, h.latitude, h.longitude`)
export const DAYS =
  raw(`(select jsonb_agg(jsonb_build_object('date', d.date, 'off', d.is_off_peak)) from off_peak_days d
  where d.tenant = h.tenant)`)

/** Reads clocks and calendars of homes, by `tenant/homeId`. */
export async function readPlaces(
  db: Db,
  homes: readonly EngineHomeKey[],
  sunOf: SunOf,
): Promise<Map<string, Place>> {
  if (homes.length === 0) return new Map()
  const rows = await db.query<PlaceRow & EngineHomeKey>(sql`
    select h.tenant, h.home_id as "homeId", ${PLACE_COLUMNS}, ${DAYS} as days
    from homes h where (h.tenant, h.home_id) in (select * from unnest(
      ${homes.map(({ tenant }) => tenant)}::uuid[], ${homes.map(({ homeId }) => homeId)}::text[]))`)
  return new Map(rows.map((row) => [homeKeyOf(row), placeOf(row, sunOf)]))
}

/** Key of a home across companies. */
export const homeKeyOf = ({ tenant, homeId }: EngineHomeKey): string => `${tenant}/${homeId}`

/** Builds the clock and calendar of a home. */
export const placeOf = ({ zone, latitude, longitude, days }: PlaceRow, sunOf: SunOf): Place => ({
  zone,
  offPeak: offPeakSet((days ?? []).map(({ date, off }) => ({ Day: parseDay(date), IsOffPeak: off }))),
  sun: sunOf({ TimeZone: zone, Latitude: latitude, Longitude: longitude }),
})
