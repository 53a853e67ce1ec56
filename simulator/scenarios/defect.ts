import type { World } from '../models/model.ts'
import { chance } from './random.ts'
import { isWorkday, localTime } from './taiwan.ts'

const HOUR = 3_600_000

/** What is wrong with a device for a time, in its past and while one watches. Plain data. */
export interface Defect {
  /** Epoch ms at which people live; without an end it stays. */
  from: number
  until?: number
  /** Hours of the day in which it shows; past midnight where the first is the later one. All day if absent. */
  hours?: readonly [from: number, to: number]
  /** The share of the workdays on which it shows, of those on which its hours begin; every day if absent. */
  workdays?: number
  /** W that its load takes beyond what it should. */
  extraWatts?: number
  /** The share of its rated power that its load takes at least. */
  leastShare?: number
  /** What the device sees instead of what is there. */
  sees?: Partial<World>
  /** It says nothing. */
  silent?: true
  /** It is over while this device of the same hub shows this, as somebody has set it. */
  endedBy?: { PeripheralUID: string; field: string; value: number }
}

/** Whether a defect shows at a moment (epoch ms) at which people live; `key` names the device. */
export function shows(defect: Defect, seed: number, key: string, at: number): boolean {
  const { from, until = Infinity, hours, workdays } = defect
  if (at < from || at >= until) return false
  let began = at
  if (hours) {
    const [first, last] = hours
    const { hour } = localTime(at)
    const isIn = first < last ? hour >= first && hour < last : hour >= first || hour < last
    if (!isIn) return false
    // After midnight it goes on since the evening before.
    if (hour < first) began = at - 24 * HOUR
  }
  if (workdays === undefined) return true
  const day = localTime(began)
  return isWorkday(day) && chance(seed, key, 'defect', day.day) < workdays
}

/** A world with what is wrong in it. */
export function withDefect(
  world: World,
  { extraWatts = 0, leastShare = 0, sees }: Defect,
  rated: number,
): World {
  return { ...world, ...sees, watts: Math.max(world.watts, rated * leastShare) + extraWatts }
}
