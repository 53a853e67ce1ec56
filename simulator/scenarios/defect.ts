import type { World } from '../models/model.ts'
import { chance } from './random.ts'
import { isWorkday, localTime } from './taiwan.ts'

const HOUR = 3_600_000

/** A defect of a device for a period, in its past and while the demo is watched. Plain data. */
export interface Defect {
  /** World time, epoch ms; without an end the defect stays. */
  from: number
  until?: number
  /** Hours of the day in which it is active; past midnight if the first is the later one. All day if absent. */
  hours?: readonly [from: number, to: number]
  /** Share of the workdays on which it is active, counting the day on which its hours begin; every day if absent. */
  workdays?: number
  /** Additional power of its load in W. */
  extraWatts?: number
  /** Minimum power of its load, as a share of its rated power. */
  leastShare?: number
  /** Values that the device senses instead of the real ones. */
  sees?: Partial<World>
  /** The device reports nothing. */
  silent?: true
  /** The defect ends while this device of the same hub has this value. */
  endedBy?: { PeripheralUID: string; field: string; value: number }
}

/** Whether a defect is active at a world time (epoch ms); `key` identifies the device. */
export function shows(defect: Defect, seed: number, key: string, at: number): boolean {
  const { from, until = Infinity, hours, workdays } = defect
  if (at < from || at >= until) return false
  let began = at
  if (hours) {
    const [first, last] = hours
    const { hour } = localTime(at)
    const isIn = first < last ? hour >= first && hour < last : hour >= first || hour < last
    if (!isIn) return false
    // After midnight it continues from the evening before.
    if (hour < first) began = at - 24 * HOUR
  }
  if (workdays === undefined) return true
  const day = localTime(began)
  return isWorkday(day) && chance(seed, key, 'defect', day.day) < workdays
}

/** A world with active defects applied. */
export function withDefect(
  world: World,
  { extraWatts = 0, leastShare = 0, sees }: Defect,
  rated: number,
): World {
  return { ...world, ...sees, watts: Math.max(world.watts, rated * leastShare) + extraWatts }
}
