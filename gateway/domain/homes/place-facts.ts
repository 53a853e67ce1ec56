import type { DatedValue } from '../../../contract/meters/meter-facts.ts'
import type { FactsOfPlace, PlaceFactName, PlaceFacts } from '../../../contract/homes/place-facts.ts'
import { type Db, sql } from '../../kernel/db.ts'

/**
 * Reads the dated facts of a home (null) and its rooms (RoomID): area and opening hours. contract/homes/place-facts.ts evaluates them for
 * a day or a range of days.
 */
export async function readPlaceFacts(db: Db, tenant: string, HomeID: string): Promise<PlaceFacts> {
  const rows = await db.query<{
    RoomID: number | null
    fact: PlaceFactName
    from: number
    value: unknown
  }>(sql`
    select room_id as "RoomID", fact, from_day as from, value from place_facts
    where tenant = ${tenant} and home_id = ${HomeID} order by room_id, fact, from_day`)
  const places = new Map<number | null, FactsOfPlace>()
  for (const { RoomID, fact, from, value } of rows) {
    const factsOfPlace = places.get(RoomID) ?? {}
    places.set(RoomID, factsOfPlace)
    const history = (factsOfPlace[fact] ??= []) as DatedValue<unknown>[]
    history.push({ from, value })
  }
  return places
}
