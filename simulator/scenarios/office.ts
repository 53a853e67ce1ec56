import { chance, wander } from './random.ts'
import { isWorkday, localTime, outdoor, ramp } from './taiwan.ts'

const MINUTE = 60_000

/**
 * Share of an office room's people who are there: they come around nine, go out or nap at noon, leave between six and
 * eight; on weekends now and then somebody is in for some hours.
 *
 * key      the room; each has days and habits of its own
 * returns  0 to 1
 */
export function presence(seed: number, key: string, at: number): number {
  const time = localTime(at)
  const luck = (what: string) => chance(seed, key, time.day, what)
  if (!isWorkday(time)) {
    if (luck('weekend') > 0.12) return 0
    const from = 10 + 3 * luck('from')
    return time.hour > from && time.hour < from + 3 ? 0.15 : 0
  }
  const arrive = 8.5 + 0.8 * luck('arrive')
  const leave = 18 + 1.5 * luck('leave')
  const there = ramp(time.hour, arrive, arrive + 0.75) * (1 - ramp(time.hour, leave, leave + 0.75))
  const lunch = 0.6 * ramp(time.hour, 12, 12.2) * (1 - ramp(time.hour, 13.2, 13.5))
  const share = there * (1 - lunch) * (0.8 + 0.2 * wander(seed, key, at, 20 * MINUTE))
  return share < 0.03 ? 0 : share
}

/** Whether a meeting room is in use: half-hour slots of a workday, the popular ones in mid-morning and mid-afternoon. */
export function meeting(seed: number, key: string, at: number): boolean {
  const time = localTime(at)
  if (!isWorkday(time) || time.hour < 9 || time.hour >= 18 || (time.hour >= 12 && time.hour < 13.5))
    return false
  const popular = (time.hour >= 10 && time.hour < 12) || (time.hour >= 14 && time.hour < 16.5)
  return chance(seed, key, time.day, 'slot', Math.floor(time.hour * 2)) < (popular ? 0.65 : 0.3)
}

/** Lights go on with the first person; at noon most rooms go dark for the nap. */
export function officeLights(seed: number, key: string, at: number): number {
  const people = presence(seed, key, at)
  if (people === 0) return 0
  const { hour } = localTime(at)
  if (hour > 12.3 && hour < 13.3) return chance(seed, key, 'naps') < 0.7 ? 0 : 0.5
  return people < 0.3 ? 0.5 : 1
}

/** Cleaners before eight, then whoever walks past; nobody in an empty room. */
export function officeMotion(seed: number, key: string, at: number): boolean {
  const { hour } = localTime(at)
  const cleaning = hour > 7 && hour < 7.6 ? 0.3 : 0
  const likely = Math.max(cleaning, presence(seed, key, at) * 0.8)
  return chance(seed, key, 'walk', Math.floor(at / (MINUTE / 2))) < likely
}

/** An entrance opens for some seconds as people pass; most at the hours when they come, eat and leave. */
export function entrance(seed: number, key: string, at: number): boolean {
  const { hour } = localTime(at)
  const rush = (peak: number) => Math.exp(-((hour - peak) ** 2) / 0.18)
  const likely =
    presence(seed, 'building', at) > 0 || (hour > 8 && hour < 19)
      ? 0.08 + 0.5 * (rush(9) + rush(12.1) + rush(13.3) + rush(18.4))
      : 0.005
  return chance(seed, key, 'door', Math.floor(at / 15_000)) < likely
}

/**
 * Share of its rated power that an air-conditioner takes: the fans on a workday from eight to seven, the compressors as
 * the outdoor temperature asks, cycling every dozen minutes at part load.
 */
export function airConditioning(seed: number, key: string, at: number): number {
  const time = localTime(at)
  const on = isWorkday(time)
    ? ramp(time.hour, 8, 8.3) * (1 - ramp(time.hour, 18.8, 19.2))
    : presence(seed, key, at) > 0
      ? 0.4
      : 0
  const heat = ramp(outdoor(seed, at), 21, 34)
  const cycle = 0.75 + 0.5 * wander(seed, key, at, 6 * MINUTE)
  return Math.min(1, 0.015 + on * (0.1 + 0.85 * heat * cycle))
}

/** Sockets: refrigerators and standby at night, computers and the copier by day. */
export const sockets = (seed: number, key: string, at: number): number =>
  Math.min(1, 0.12 + 0.75 * presence(seed, key, at) + 0.1 * wander(seed, key, at, 3 * MINUTE))

/** A server room hardly knows the time of day. */
export const servers = (seed: number, key: string, at: number): number =>
  0.78 + 0.1 * wander(seed, key, at, 30 * MINUTE) + 0.08 * presence(seed, 'building', at)

/** A lift stands still at 3 % and travels in bursts of half a minute. */
export function lift(seed: number, key: string, at: number): number {
  const travels =
    chance(seed, key, 'ride', Math.floor(at / (MINUTE / 2))) < 0.02 + 0.5 * presence(seed, 'building', at)
  return travels ? 0.5 + 0.5 * wander(seed, key, at, 15_000) : 0.03
}
