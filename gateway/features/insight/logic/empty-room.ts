import { quantile } from '../../../../contract/energy/load-shape.ts'

const MINUTE = 60_000
/** Minutes without presence after which a room counts as empty; also for the lower and the upper end of the claim. */
const EMPTY_AFTER = 30
const SURELY_AFTER = 60
const SOON_AFTER = 15

/** Reports of a presence sensor: times of changes to present (1) or absent (0), and times at which the state was unknown. */
export interface PresenceSeries {
  /** Ascending, epoch ms. */
  at: readonly number[]
  value: readonly number[]
  unknown: readonly { from: number; to: number }[]
}

/**
 * Minutes for which a room has been empty at the beginning of each interval; null if a person is present during the
 * interval, or a sensor's state is unknown.
 *
 * starts  epoch ms of each interval, ascending
 * length  of an interval, ms
 */
export function emptyMinutes(
  sensors: readonly PresenceSeries[],
  starts: readonly number[],
  length: number,
): (number | null)[] {
  if (sensors.length === 0) return starts.map(() => null)
  const bySensor = sensors.map((sensor) => emptyOfOne(sensor, starts, length))
  return starts.map((_, i) => {
    let minimum = Infinity
    for (const of of bySensor) {
      const minutes = of[i]
      if (minutes === null || minutes === undefined) return null
      minimum = Math.min(minimum, minutes)
    }
    return minimum
  })
}

function emptyOfOne(
  { at, value, unknown }: PresenceSeries,
  starts: readonly number[],
  length: number,
): (number | null)[] {
  let [next, gap] = [0, 0]
  let since: number | undefined
  let known = false
  return starts.map((start) => {
    const end = start + length
    let seen = known && since === undefined
    while (next < at.length && (at[next] as number) < end) {
      known = true
      const isThere = value[next] !== 0
      // Presence at any time in the interval counts; presence that ended before its beginning does not.
      if (isThere) {
        since = undefined
        seen = true
      } else {
        if (since === undefined && (at[next] as number) > start) seen = true
        else if (since === undefined) seen = false
        since ??= at[next] as number
      }
      next += 1
    }
    while (gap < unknown.length && (unknown[gap] as { to: number }).to <= start) gap += 1
    const hole = unknown[gap]
    if (!known || (hole && hole.from < end)) return null
    if (seen || since === undefined) return null
    return Math.max(0, (start - since) / MINUTE)
  })
}

/** A day of the cooling of a room. */
export interface CooledDay {
  kWh: ArrayLike<number>
  isKnown: ArrayLike<number>
  /** Result of `emptyMinutes`. */
  empty: readonly (number | null)[]
}

/** Minimum power of running equipment, as part of its high level; less is standby. */
const RUNS = 0.2
/** Minimum hours of a day, and minimum number of such days within the last two weeks. */
const MIN_HOURS = 1
const MIN_DAYS = 3
const LATELY = 14
/** Minimum known share of the time for more than low confidence. */
const KNOWN = 0.5

/** Cooling of an empty room. */
export interface CooledEmpty {
  /** Hours within the 28 days, and their share of all cooling energy. */
  hours: number
  share: number
  /** Days of the last two weeks with at least an hour. */
  days: number
  /** Share of the time in which presence is known. */
  known: number
  kWh: Float64Array[]
  low: number
  high: number
  hoursByDay: number[]
}

/**
 * Detects cooling of a room that has been empty for 30 minutes: at least an hour on 3 of the last 14 days.
 *
 * days    in order, the last 28
 * factor  multiplies the hours
 */
export function cooledEmptyOf(days: readonly CooledDay[], factor: number): CooledEmpty | undefined {
  const powers = days.flatMap(({ kWh, isKnown }) => Array.from(kWh).filter((one, i) => isKnown[i] && one > 0))
  const line = RUNS * (quantile(powers, 0.9) ?? 0)
  if (line <= 0) return undefined
  let [all, mid, sure, soonCount, known, intervals] = [0, 0, 0, 0, 0, 0]
  const kWh = days.map(({ kWh: counted, isKnown, empty }) =>
    Float64Array.from({ length: counted.length }, (_, i) => {
      intervals += 1
      const used = counted[i] as number
      const minutes = empty[i]
      if (minutes !== null && minutes !== undefined) known += 1
      if (!isKnown[i] || used <= line) return 0
      all += used
      if (minutes === null || minutes === undefined) return 0
      if (minutes >= SOON_AFTER) soonCount += used
      if (minutes >= SURELY_AFTER) sure += used
      if (minutes < EMPTY_AFTER) return 0
      mid += used
      return used
    }),
  )
  const hoursByDay = kWh.map((dayKwh) => dayKwh.filter((one) => one > 0).length / 4)
  const recentHours = hoursByDay.slice(-LATELY).filter((hours) => hours >= MIN_HOURS * factor)
  if (recentHours.length < MIN_DAYS || mid <= 0) return undefined
  return {
    hours: hoursByDay.reduce((sum, one) => sum + one, 0),
    share: mid / all,
    days: recentHours.length,
    known: known / Math.max(1, intervals),
    kWh,
    low: sure / mid,
    high: soonCount / mid,
    hoursByDay,
  }
}

/** Whether presence is known for enough of the time for more than low confidence. */
export const isWellKnown = ({ known }: Pick<CooledEmpty, 'known'>): boolean => known >= KNOWN
