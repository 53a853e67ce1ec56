import { toEpoch } from '../time/wall-time.ts'
import type { DayKind } from '../automation/schedule.ts'
import { isDayOf, type Place } from '../automation/home-calendar.ts'
import { type DatedValue, valueOn } from '../meters/meter-facts.ts'
import { QUARTER_MS, quartersOfDay, startOfDay, weekdayOf } from '../time/periods.ts'

/** What people say of a home, or of a room in it, from a day on. Each has a history of its own. */
export const PLACE_FACTS = ['area', 'hours'] as const
export type PlaceFactName = (typeof PLACE_FACTS)[number]

/** A part of a week in which people work; minutes since midnight of the home's clock. One whose To is not after its From ends on the next day. */
export interface OpeningWindow {
  /** 0 is Sunday. */
  Weekdays: number[]
  From: number
  To: number
  Days: DayKind
}

/** What each fact says. */
export interface PlaceFactValues {
  /** m² without parking. */
  area: number
  /** Empty: never open. Null: of a room, that it is open as its home is; of a home, that nobody knows. */
  hours: OpeningWindow[] | null
}

/** The histories of one place; a fact of which nothing is said is absent. */
export type FactsOfPlace = { [F in PlaceFactName]?: DatedValue<PlaceFactValues[F]>[] }

/** What holds of a home (null) and its rooms (RoomID). */
export type PlaceFacts = ReadonlyMap<number | null, FactsOfPlace>

/** The area of a place on a day, m²; undefined where nobody said. */
export const areaOn = (facts: PlaceFacts, RoomID: number | null, day: number): number | undefined =>
  valueOn(facts.get(RoomID)?.area ?? [], day)

/**
 * The mean area of a place over some days, m², each day alike.
 *
 * fromDay, endDay  as `dayOf` numbers days, the last exclusive
 * returns          undefined where it is not known of each of them
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

/** When a place is open on a day; of a room of which nobody says so, when its home is. Undefined where nobody knows. */
export const hoursOn = (
  facts: PlaceFacts,
  RoomID: number | null,
  day: number,
): readonly OpeningWindow[] | undefined =>
  valueOn(facts.get(RoomID)?.hours ?? [], day) ?? valueOn(facts.get(null)?.hours ?? [], day) ?? undefined

/**
 * In which quarters of an hour of a day a place is open, 1 also where it is open for a part of one. What begins on the day before
 * and passes midnight is part of it.
 *
 * day      as `dayOf` numbers days
 * returns  one a quarter, 92 or 100 where clocks change; undefined where nobody knows
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
