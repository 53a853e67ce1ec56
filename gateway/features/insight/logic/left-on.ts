import { quantile } from '../../../../contract/energy/load-shape.ts'
import { medianOf } from './robust-statistics.ts'

/** A day of a place: what its meters drew by interval, and 1 for each in which it is open. */
export interface OpenDay {
  day: number
  kWh: ArrayLike<number>
  isKnown: ArrayLike<number>
  isOpen: ArrayLike<number>
}

/** Part of the working level, above what always runs. */
const LEVEL = 0.25
/** Intervals in a row, and days of the last fortnight. */
const LONGEST = 12
const LEAST_DAYS = 3
const LATELY = 14
/** A place whose load does not follow its hours says nothing. */
const FOLLOWS = 1.3

/** A load that is on when its place is closed, kW. */
export interface LeftOn {
  working: number
  base: number
  /** Days of the last fortnight on which it was, and hours of them in the mean. */
  days: number
  hours: number
  /** kWh of each interval of each day above the base, and the part of it that is sure. */
  kWh: Float64Array[]
  low: number
  /** Hours of each day. */
  hoursByDay: number[]
}

/**
 * Whether a place draws more than a quarter of its working level for at least 3 hours when it is closed, on at least 3 of the last
 * 14 days.
 *
 * days    in order, the last 28
 * factor  by which the level is raised
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
      if (end - i >= LONGEST)
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
  const hoursByDay = found.map((taken) => taken.filter((one) => one > 0).length / 4)
  const lately = hoursByDay.slice(-LATELY).filter((hours) => hours > 0)
  if (lately.length < LEAST_DAYS) return undefined
  return {
    working,
    base,
    days: lately.length,
    hours: lately.reduce((sum, one) => sum + one, 0) / lately.length,
    kWh: found,
    low: all > 0 ? Math.min(1, sure / all) : 1,
    hoursByDay,
  }
}
