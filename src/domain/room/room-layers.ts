import type { RoomFigure, RoomSummary, RoomTally } from './room-summary.ts'

/** Layers that color the room tiles, one at a time; without one, tiles show the state. */
export const LAYERS = ['temperature', 'people', 'light', 'power', 'air', 'booking'] as const
export type Layer = (typeof LAYERS)[number]

/** One of five steps, from low to high. */
export type LayerStep = 1 | 2 | 3 | 4 | 5

/** Step of a room in a layer. `none`: the room has no device for it; `unknown`: its devices report no value. */
export type RoomPlacement = LayerStep | 'unknown' | 'none'

/** Upper limits of steps 1 to 4 in °C; Taiwan's rule for offices is air conditioning at 26 °C. */
const WARMTH_STEPS = [20, 23, 26, 28] as const
/**
 * Upper limits of steps 1 to 4 in ppm CO2. 1,000 is the limit of Taiwan's Indoor Air Quality Standards (室內空氣品質標準 of
 * 2012-11-23), a mean of 8 hours, whereas a room shows the current value. The other steps divide the ranges below and above it.
 */
const CO2 = [600, 800, 1_000, 1_500] as const
/**
 * Upper limits of steps 1 to 4 in µg/m³ PM2.5. 35 is the limit of the same standards, a mean of 24 hours. The other steps divide the ranges
 * below and above it; they differ from the Air Quality Index, which applies outdoors.
 */
const PM25 = [12, 25, 35, 55] as const
/** Time before a booking at which the room counts as booked soon, ms. */
const BOOKED_SOON_MS = 15 * 60_000
const NEXT_HOUR = 60 * 60_000

/** Period of a booking, epoch ms. */
export interface BookedPeriod {
  StartTimestamp: number
  EndTimestamp: number
}

/**
 * Step of a room in a layer.
 *
 * highest   power in W of the site's room that uses most; power is shown as a share of it
 * bookings  bookings of the room in the next 24 hours that have not ended, by start; undefined for a room that cannot be booked, null
 * while loading
 */
export function placeInLayer(
  layer: Layer,
  room: RoomSummary,
  {
    highest,
    bookings,
    now,
  }: { highest: number; bookings: readonly BookedPeriod[] | null | undefined; now: number },
): RoomPlacement {
  switch (layer) {
    case 'temperature':
      return ofFigure(room.temperature, (value) => stepWithin(WARMTH_STEPS, value))
    case 'people':
      return ofTally(room.people)
    case 'light':
      return ofTally(room.lights)
    case 'power':
      // A sum with a missing part is unknown.
      return room.watts.unknown > 0
        ? 'unknown'
        : ofFigure(room.watts, (value) => stepOfShare(highest > 0 ? value / highest : 0))
    case 'air':
      return worseOf(
        ofFigure(room.co2, (value) => stepWithin(CO2, value)),
        ofFigure(room.pm25, (value) => stepWithin(PM25, value)),
      )
    case 'booking':
      return bookings === undefined ? 'none' : bookings === null ? 'unknown' : stepOfBookings(bookings, now)
  }
}

const stepWithin = (limits: readonly number[], value: number): LayerStep =>
  (limits.filter((limit) => value >= limit).length + 1) as LayerStep

const stepOfShare = (share: number): LayerStep => Math.min(5, Math.max(1, Math.ceil(share * 5))) as LayerStep

const ofFigure = ({ value, total }: RoomFigure, step: (value: number) => LayerStep): RoomPlacement =>
  total === 0 ? 'none' : value === null ? 'unknown' : step(value)

/** One sensor suffices to count as on; all must report for the result "none". */
function ofTally({ count, total, unknown }: RoomTally): RoomPlacement {
  if (total === 0) return 'none'
  if (unknown > 0 && count === 0) return 'unknown'
  return count === 0 ? 1 : (Math.max(2, stepOfShare(count / total)) as LayerStep)
}

/** First step above the limit. */
const OVER_LIMIT = 4

/** The worse of two steps. One value above its limit suffices; otherwise both must be known. */
function worseOf(a: RoomPlacement, b: RoomPlacement): RoomPlacement {
  const steps = [a, b].filter((limit) => typeof limit === 'number')
  const worstStep = Math.max(0, ...steps) as LayerStep | 0
  if ((a === 'unknown' || b === 'unknown') && worstStep < OVER_LIMIT) return 'unknown'
  return worstStep === 0 ? 'none' : worstStep
}

function stepOfBookings(bookings: readonly BookedPeriod[], now: number): LayerStep {
  const next = bookings.find(({ EndTimestamp }) => EndTimestamp > now)
  if (!next) return 1
  const waitMs = next.StartTimestamp - now
  return waitMs <= 0 ? 5 : waitMs <= BOOKED_SOON_MS ? 4 : waitMs <= NEXT_HOUR ? 3 : 2
}
