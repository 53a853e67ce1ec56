import type { Place, SunTimes } from '../../../../contract/rules/automation/place.ts'
import { parseDay } from '../../../../contract/rules/energy/periods.ts'
import { offPeakSet } from '../../../../contract/rules/tariff/off-peak-days.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { HomeKey } from './ports.ts'

/** When the sun rises and sets on a day at a place, epoch ms; null where it does not. */
export type SunAt = (day: number, latitude: number, longitude: number) => SunTimes | null

/** Where a home is when nobody has said: Taipei. */
export const DEFAULT_PLACE = { latitude: 25.03, longitude: 121.56 }

interface Row {
  tenant: string
  homeId: string
  zone: string
  latitude: number | null
  longitude: number | null
  days: { date: string; off: boolean }[] | null
}

/** What the clocks and calendars of homes say, by `tenant/homeId`. */
export async function readPlaces(db: Db, homes: readonly HomeKey[], sunAt: SunAt): Promise<Map<string, Place>> {
  if (homes.length === 0) return new Map()
  const rows = await db.query<Row>(sql`
    select h.tenant, h.home_id as "homeId", h.time_zone as zone, h.latitude, h.longitude,
      (select jsonb_agg(jsonb_build_object('date', d.date, 'off', d.is_off_peak)) from off_peak_days d
        where d.tenant = h.tenant) as days
    from homes h where (h.tenant, h.home_id) in (select * from unnest(
      ${homes.map(({ tenant }) => tenant)}::uuid[], ${homes.map(({ homeId }) => homeId)}::text[]))`)
  return new Map(rows.map((row) => [homeKeyOf(row), placeOf(row, sunAt)]))
}

/** Names a home across companies. */
export const homeKeyOf = ({ tenant, homeId }: HomeKey): string => `${tenant}/${homeId}`

function placeOf({ zone, latitude, longitude, days }: Row, sunAt: SunAt): Place {
  const at = {
    latitude: latitude ?? DEFAULT_PLACE.latitude,
    longitude: longitude ?? DEFAULT_PLACE.longitude,
  }
  return {
    zone,
    offPeak: offPeakSet((days ?? []).map(({ date, off }) => ({ Day: parseDay(date), IsOffPeak: off }))),
    sun: (day) => sunAt(day, at.latitude, at.longitude),
  }
}
