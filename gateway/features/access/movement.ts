import { type Db, sql } from '../../store/db.ts'
import type { PassHolder } from './find-person.ts'

interface Movement {
  tenant: string
  homeId: string
  thingName: string
  /** Epoch ms. */
  now: number
  person: PassHolder
  way: 'in' | 'out'
}

/**
 * What follows when somebody passes a door: who is inside, and a visitor's check-in and check-out.
 *
 * special  a visitor who goes out before the last day of the visit comes back tomorrow: the pass stays good
 */
export async function recordMovement(
  tx: Db,
  { tenant, homeId, thingName, now, person, way }: Movement,
): Promise<void> {
  const { kind, id } = person
  if (way === 'in') {
    await tx.query(sql`insert into people_inside (tenant, person_kind, person_id, since, thing_name, home_id)
      values (${tenant}, ${kind}, ${id}, ${now}, ${thingName}, ${homeId})
      on conflict (tenant, person_kind, person_id) do nothing`)
    if (kind === 'visitor')
      await tx.query(sql`update visitors set checked_in_at = coalesce(checked_in_at, ${now}::bigint), away_at = null
        where tenant = ${tenant} and visitor_id = ${id}`)
    return
  }
  await tx.query(sql`delete from people_inside
    where tenant = ${tenant} and person_kind = ${kind} and person_id = ${id}`)
  if (person.known.kind !== 'visitor' || person.known.visit.CheckedInAt === null) return
  const [home] = await tx.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${tenant} and home_id = ${homeId}`,
  )
  const ended = isLastDay(now, person.known.visit.ValidUntil, home?.zone)
  await tx.query(sql`update visitors set ${ended ? sql`checked_out_at` : sql`away_at`} = ${now}
    where tenant = ${tenant} and visitor_id = ${id}`)
}

/** Whether the visit ends on the day it is at the site, or is over. */
function isLastDay(now: number, until: number, timeZone = 'Asia/Taipei'): boolean {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone })
  return now >= until || day.format(now) === day.format(until)
}
