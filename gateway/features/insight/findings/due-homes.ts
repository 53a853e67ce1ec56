import { dayOf } from '../../../../contract/time/periods.ts'
import { idArray, numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { HomeClock } from '../ports.ts'

/** When a day is looked at: minutes after its end, by the home's clock. By then its last readings have come. */
export const LOOK_AT = 250
const MINUTE = 60_000

/** A home that is to be looked at, and up to which day. */
export interface DueHome extends HomeClock {
  tenant: string
  day: number
}

/** The last day of a zone that is to be looked at by now. */
export const dayToLookAt = (now: number, zone: string): number => dayOf(now - LOOK_AT * MINUTE, zone) - 1

/** Some homes whose findings are not those of their last day, or whose energy has changed since; those that waited longest first. */
export async function dueHomes(db: Db, now: number, limit: number): Promise<DueHome[]> {
  const zones = (await db.query<{ zone: string }>(sql`select distinct time_zone as zone from homes`)).map(
    ({ zone }) => zone,
  )
  await db.query(sql`delete from insight_due d where not exists (
    select from homes h where h.tenant = d.tenant and h.home_id = d.home_id)`)
  return db.query<DueHome>(sql`
    select h.tenant, h.home_id as "HomeID", h.time_zone as zone, w.day
    from homes h join unnest(${idArray(zones)}::text[], ${numberArray(zones.map((zone) => dayToLookAt(now, zone)))}::int[])
      as w (zone, day) on w.zone = h.time_zone
    left join home_savings s on s.tenant = h.tenant and s.home_id = h.home_id
    where s.day is distinct from w.day
      or exists (select from insight_due d where d.tenant = h.tenant and d.home_id = h.home_id)
    order by s.computed_at nulls first, h.home_id limit ${limit}::int`)
}
