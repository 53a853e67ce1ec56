import { shift } from './factory.ts'
import { presence } from './office.ts'
import { wander } from './random.ts'
import { localTime, outdoor } from './taiwan.ts'

const MINUTE = 60_000

/** Air values that a sensor reads from its world. */
export interface Air {
  dust: number
  temperature: number
  humidity: number
}

/** Outdoor fine dust in µg/m³: more in the rush hours and on still winter nights; the weather changes every few hours. */
function outdoorDust(seed: number, at: number): number {
  const { hour } = localTime(at)
  const rush = (peak: number) => Math.exp(-((hour - peak) ** 2) / 3)
  return 8 + 22 * wander(seed, 'dust', at, 240 * MINUTE) + 14 * (rush(8) + 0.8 * rush(18.5))
}

/** Air of an office: filtered, warmed a little by its people, kept near 25 °C while it is occupied. */
export function officeAir(seed: number, key: string, at: number): Air {
  const people = presence(seed, key, at)
  const out = outdoor(seed, at)
  return {
    dust: 3 + 0.45 * outdoorDust(seed, at) + 4 * people,
    temperature: people > 0 ? 24.5 + people + 0.12 * (out - 26) : 25 + 0.5 * (out - 25),
    humidity: 52 + 12 * wander(seed, key, at, 180 * MINUTE) + 4 * people,
  }
}

/** Air of a production hall: slightly warmer than outdoors, dustier the more machines run. */
export function hallAir(seed: number, key: string, at: number): Air {
  const crew = shift(at)
  return {
    dust: 0.8 * outdoorDust(seed, at) + 28 * crew * (0.7 + 0.6 * wander(seed, key, at, 15 * MINUTE)),
    temperature: outdoor(seed, at) + 1.5 + 3 * crew,
    humidity: 58 + 16 * wander(seed, key, at, 180 * MINUTE),
  }
}
