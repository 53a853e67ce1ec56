import { chance, wander } from './random.ts'
import { localTime, outdoor, ramp } from './taiwan.ts'

const MINUTE = 60_000

/** Work force of each shift, as a share of the day shift's: 08-16, 16-24, 00-08. */
const SHIFTS = [0.5, 1, 0.8]

/**
 * Share of its full crew at work in the factory: three shifts, twenty minutes of hand-over at each change, a meal
 * in the middle of every shift; Saturday without the night shift, Sunday only maintenance.
 */
export function shift(at: number): number {
  const { hour, weekday, holiday } = localTime(at)
  if (weekday === 0 || holiday) return hour > 9 && hour < 15 ? 0.08 : 0.02
  const number = Math.floor(hour / 8) % 3
  if (weekday === 6 && number === 0) return 0.05
  const crew = SHIFTS[number] as number
  const into = hour % 8
  const transferOwnership = 0.4 + 0.6 * Math.min(ramp(into, 0, 1 / 3), ramp(8 - into, 0, 1 / 6))
  const meal = into > 4 && into < 4.5 ? 0.45 : 1
  return crew * transferOwnership * meal
}

/**
 * Share of its rated power that a machine draws: off, idling between parts, or running cycles of its own length
 * with a peak at the start of each cut.
 */
export function machine(seed: number, key: string, at: number): number {
  const { day, hour } = localTime(at)
  const staffed = chance(seed, key, day, Math.floor(hour / 8)) < shift(at) + 0.15 && shift(at) > 0.1
  if (!staffed) return 0.02
  const period = (45 + 90 * chance(seed, key, 'cycle')) * 1000
  const into = (at % period) / period
  const fedOnTime = chance(seed, key, Math.floor(at / period)) < 0.55 + 0.4 * shift(at)
  if (!fedOnTime || into > 0.78) return 0.15
  return 0.6 + 0.3 * Math.exp(-into * 8) + 0.08 * wander(seed, key, at, 5_000)
}

/** A screw compressor loads at full power and unloads at a third; with more crew it is loaded longer. */
export function compressor(seed: number, key: string, at: number): number {
  const crew = shift(at)
  if (crew < 0.04) return 0.01
  const period = (240 + 120 * chance(seed, key, 'cycle')) * 1000
  const loaded = (at % period) / period < 0.25 + 0.65 * crew
  return loaded ? 0.95 + 0.05 * wander(seed, key, at, 20_000) : 0.35
}

/** A second compressor that runs by day only. */
export const dayCompressor = (seed: number, key: string, at: number): number =>
  localTime(at).hour < 8 ? 0.01 : compressor(seed, key, at)

/** Cold store: follows the outdoor temperature, defrosts every six hours, never stops. */
export function coldStore(seed: number, key: string, at: number): number {
  const { hour } = localTime(at)
  if (hour % 6 < 0.4) return 0.9
  return 0.3 + 0.4 * ramp(outdoor(seed, at), 12, 34) + 0.1 * wander(seed, key, at, 8 * MINUTE)
}

/** Air conditioning of a hall: rises with the crew and the outdoor temperature, cycles at part load. */
export function hallCooling(seed: number, key: string, at: number): number {
  const heat = ramp(outdoor(seed, at), 21, 34)
  const cycle = 0.75 + 0.5 * wander(seed, key, at, 6 * MINUTE)
  return Math.min(1, 0.015 + ramp(shift(at), 0.05, 0.5) * (0.1 + 0.85 * heat * cycle))
}

/** Sockets and chargers of the crew: standby without it. */
export const hallSockets = (seed: number, key: string, at: number): number =>
  Math.min(1, 0.12 + 0.7 * shift(at) + 0.1 * wander(seed, key, at, 3 * MINUTE))

/** Hall lights: on while people work, all of them with a full crew. */
export const hallLights = (at: number): number =>
  shift(at) > 0.6 ? 1 : shift(at) > 0.15 ? 0.67 : shift(at) > 0.04 ? 0.34 : 0

/** Motion in a hall: more likely with more people on shift; decided for each half minute. */
export const hallMotion = (seed: number, key: string, at: number): boolean =>
  chance(seed, key, 'walk', Math.floor(at / (MINUTE / 2))) < shift(at) * 0.85

/** A dock door opens for trucks: slots of twenty minutes from seven in the morning to eight in the evening, open for most of a slot. */
export function dockDoor(seed: number, key: string, at: number): boolean {
  const { hour, day, weekday, holiday } = localTime(at)
  if (weekday === 0 || holiday || hour < 7 || hour > 20) return false
  const slot = Math.floor(hour * 3)
  return (
    chance(seed, key, day, slot) < 0.4 && (hour * 3) % 1 < 0.5 + 0.4 * chance(seed, key, day, slot, 'stay')
  )
}

/**
 * The signal tower of a machine, from its top red, amber, green: green while it works, amber while it waits for parts, dark
 * without its crew. Sometimes red flashes until somebody comes, faster the more urgent it is.
 */
export function signalTower(
  seed: number,
  key: string,
  at: number,
): { tower: readonly (0 | 1 | 2)[]; blinkRate: number } {
  const call = chance(seed, key, 'call', Math.floor(at / (7 * MINUTE)))
  const share = machine(seed, key, at)
  if (call < 0.12 && share > 0.05) return { tower: [2, 1, 0], blinkRate: call < 0.06 ? 180 : 60 }
  return { tower: share > 0.5 ? [0, 0, 1] : share > 0.05 ? [0, 1, 0] : [], blinkRate: 0 }
}
