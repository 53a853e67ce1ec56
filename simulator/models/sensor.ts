import type { Model } from './model.ts'

export interface Sensor {
  /** CO₂ of the surrounding air in ppm. */
  co2: number
  battery: number
}

/** ppm outdoors, and in an occupied room. */
const FRESH = 420
const USED = 1_100
/** Half-life in seconds of the difference between a room's air and its goal. */
const HALF_SECONDS = 900

/** A CO₂ sensor: the value rises while the room is occupied, and falls afterwards. */
export const sensor: Model<Sensor> = {
  make: (_type, { battery = 80 }) => ({ co2: FRESH, battery }),
  step(state, seconds, { occupied }) {
    const target = occupied ? USED : FRESH
    return { ...state, co2: target + (state.co2 - target) * 0.5 ** (seconds / HALF_SECONDS) }
  },
  report: ({ co2, battery }) => ({
    // Such sensors report in steps of 10.
    Value: Math.round(co2 / 10) * 10,
    Unit: 'ppm',
    Quantity: 'co2',
    Battery: Math.round(battery),
    LinkQuality: 96,
  }),
  command: (state) => state,
  draws: () => 0,
}
