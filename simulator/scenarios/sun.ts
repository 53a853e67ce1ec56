import { getPosition } from 'suncalc'
import { wander } from './random.ts'
import { ramp } from './taiwan.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** Tainan, degrees. */
const LATITUDE = 23.1
const LONGITUDE = 120.3

/** Performance ratio of a plant: dust, warm modules, cables and inverter cause the losses. */
const PERFORMANCE = 0.8

/** Irradiance on a roof under a clear sky as a share of 1 kW/m², by the height of the sun in degrees (Meinel's air mass). */
function clearSky(height: number): number {
  if (height <= 0) return 0
  const up = Math.sin((height * Math.PI) / 180)
  const airMass = 1 / (up + 0.505_72 * (height + 6.079_95) ** -1.636_4)
  return 1.353 * 1.1 * 0.7 ** (airMass ** 0.678) * up
}

/** Share of the light that passes the clouds: dull days alternate within a week, and on mixed days clouds pass within minutes. */
function throughClouds(seed: number, at: number): number {
  const dull = ramp(wander(seed, 'overcast', at, 1.5 * DAY), 0.3, 0.95)
  const mixed = 1 - Math.abs(2 * dull - 1)
  const passing = ramp(wander(seed, 'cloud', at, 7 * MINUTE), 0.45, 0.8)
  return (1 - 0.8 * dull) * (1 - 0.55 * mixed * passing)
}

/** Share of its rated power that a photovoltaic plant in Taiwan generates at a time, epoch ms. */
export const sunshine = (seed: number, at: number): number =>
  Math.min(
    1,
    PERFORMANCE * clearSky(getPosition(new Date(at), LATITUDE, LONGITUDE).altitude) * throughClouds(seed, at),
  )
