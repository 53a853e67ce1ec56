import type { DayKind } from '../automation/schedule.ts'
import { isDayOf, type Place } from '../automation/home-calendar.ts'
import { type DatedValue, valueOn } from '../meters/meter-facts.ts'
import { QUARTER_MS, quartersOfDay, startOfDay, weekdayOf, toEpoch } from '../time/periods.ts'

/** Facts about a home or one of its rooms that are valid from a day on. Each has its own history. */
export const PLACE_FACTS = ['area', 'hours'] as const
export type PlaceFactName = (typeof PLACE_FACTS)[number]

/** Weekly working hours in minutes since local midnight. If To is not after From, the window ends on the next day. */
export interface OpeningWindow {
  /** 0 is Sunday. */
  Weekdays: number[]
  From: number
  To: number
  Days: DayKind
}

export interface PlaceFactValues {
  /** m² without parking. */
  area: number
  /** Empty: never open. Null: for a room, the hours of its home; for a home, unknown. */
  hours: OpeningWindow[] | null
}

/** Histories of one place; a fact without entries is omitted. */
export type FactsOfPlace = { [F in PlaceFactName]?: DatedValue<PlaceFactValues[F]>[] }

/** Facts of a home (null) and its rooms (RoomID). */
export type PlaceFacts = ReadonlyMap<number | null, FactsOfPlace>

/** Area of a place on a day, m²; undefined if not entered. */
export const areaOn = (facts: PlaceFacts, RoomID: number | null, day: number): number | undefined =>
  valueOn(facts.get(RoomID)?.area ?? [], day)

/**
 * Mean area of a place over a range of days, m², weighted equally.
 *
 * fromDay, endDay  as `dayOf` numbers days, the last exclusive
 * returns          undefined if unknown on any of the days
 */
export function meanArea(
  facts: PlaceFacts,
  RoomID: number | null,
  fromDay: number,
  endDay: number,
): number | undefined {
  const history = facts.get(RoomID)?.area ?? []
  let [sum, known] = [0, 0]
  for (const [i, { from, value }] of history.entries()) {
    const days = Math.min(endDay, history[i + 1]?.from ?? Infinity) - Math.max(fromDay, from)
    if (days <= 0) continue
    sum += value * days
    known += days
  }
  return endDay > fromDay && known === endDay - fromDay ? sum / known : undefined
}

/** Opening hours of a place on a day; a room without its own uses its home's. Undefined if unknown. */
export const hoursOn = (
  facts: PlaceFacts,
  RoomID: number | null,
  day: number,
): readonly OpeningWindow[] | undefined =>
  valueOn(facts.get(RoomID)?.hours ?? [], day) ?? valueOn(facts.get(null)?.hours ?? [], day) ?? undefined

/**
 * Quarter-hours of a day in which a place is open, including partly. A window that began on the previous day and passes midnight is
 * included.
 *
 * day      as `dayOf` numbers days
 * returns  1 for each open quarter-hour, 92 or 100 elements if clocks change; undefined if unknown
 */
export function openQuarters(
  facts: PlaceFacts,
  RoomID: number | null,
  day: number,
  place: Pick<Place, 'zone' | 'offPeak'>,
): Uint8Array | undefined {
  const hours = hoursOn(facts, RoomID, day)
  if (!hours) return undefined
  const [start, quarters] = [startOfDay(day, place.zone), quartersOfDay(day, place.zone)]
  const open = new Uint8Array(quarters)
  for (const [began, windows] of [
    [day - 1, hoursOn(facts, RoomID, day - 1) ?? []],
    [day, hours],
  ] as const)
    for (const { Weekdays, From, To, Days } of windows) {
      if (!Weekdays.includes(weekdayOf(began)) || !isDayOf(Days, began, place)) continue
      const from = toEpoch(began, From, place.zone)
      const to = toEpoch(To > From ? began : began + 1, To, place.zone)
      const first = Math.max(0, Math.floor((from - start) / QUARTER_MS))
      const end = Math.min(quarters, Math.ceil((to - start) / QUARTER_MS))
      if (first < end) open.fill(1, first, end)
    }
  return open
}
