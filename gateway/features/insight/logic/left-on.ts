import { quantile } from '../../../../contract/energy/load-shape.ts'
import { medianOf } from './robust-statistics.ts'

/** A day of a place: energy of its meters by interval, and 1 for each interval in which it is open. */
export interface OpenDay {
  day: number
  kWh: ArrayLike<number>
  isKnown: ArrayLike<number>
  isOpen: ArrayLike<number>
}

/** Minimum power above the base, as part of the working level above the base. */
const LEVEL = 0.25
/** Minimum number of consecutive intervals, and of days within the last two weeks. */
const MAX_LENGTH = 12
const MIN_DAYS = 3
const LATELY = 14
/** Minimum ratio of working level to base: below it, the load does not follow the hours of use. */
const FOLLOWS = 1.3

/** A load that is on while its place is closed, kW. */
export interface LeftOn {
  working: number
  base: number
  /** Number of affected days within the last two weeks, and their mean hours. */
  days: number
  hours: number
  /** kWh of each interval of each day above the base, and the part of it that is certain. */
  kWh: Float64Array[]
  low: number
  /** Hours of each day. */
  hoursByDay: number[]
}

/**
 * Detects a place that draws more than a quarter of its working level for at least 3 hours while closed, on at least
 * 3 of the last 14 days.
 *
 * days    in order, the last 28
 * factor  multiplies the level
 */
export function leftOnOf(days: readonly OpenDay[], factor: number): LeftOn | undefined {
  const [open, closed]: [number[], number[]] = [[], []]
  for (const { kWh, isKnown, isOpen } of days)
    for (let i = 0; i < kWh.length; i++)
      if (isKnown[i]) (isOpen[i] ? open : closed).push((kWh[i] as number) * 4)
  const [working, base, usual] = [medianOf(open), quantile(closed, 0.1), medianOf(closed)]
  if (working === undefined || base === null || usual === undefined || working <= base * FOLLOWS)
    return undefined
  const line = base + LEVEL * factor * (working - base)
  let [sure, all] = [0, 0]
  const found = days.map(({ kWh, isKnown, isOpen }) => {
    const taken = new Float64Array(kWh.length)
    const isOn = (i: number) => isKnown[i] && !isOpen[i] && (kWh[i] as number) * 4 > line
    for (let i = 0; i < kWh.length;) {
      let end = i
      while (end < kWh.length && isOn(end)) end += 1
      if (end - i >= MAX_LENGTH)
        for (let at = i; at < end; at++) {
          const above = (kWh[at] as number) - base / 4
          taken[at] = above
          all += above
          sure += Math.max(0, (kWh[at] as number) - Math.min(usual, line) / 4)
        }
      i = Math.max(end, i + 1)
    }
    return taken
  })
  const hoursByDay = found.map((dayKwh) => dayKwh.filter((one) => one > 0).length / 4)
  const recentHours = hoursByDay.slice(-LATELY).filter((hours) => hours > 0)
  if (recentHours.length < MIN_DAYS) return undefined
  return {
    working,
    base,
    days: recentHours.length,
    hours: recentHours.reduce((sum, one) => sum + one, 0) / recentHours.length,
    kWh: found,
    low: all > 0 ? Math.min(1, sure / all) : 1,
    hoursByDay,
  }
}
