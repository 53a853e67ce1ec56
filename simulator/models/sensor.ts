import type { Model } from './model.ts'

export interface Sensor {
  /** ppm of CO₂ in the air around. */
  co2: number
  battery: number
}

/** ppm outdoors, and in a room with people in it. */
const FRESH = 420
const USED = 1_100
/** Seconds in which the air of a room comes halfway to what it tends to. */
const HALF_SECONDS = 900

/** A sensor of CO₂: the air is used up while somebody is in the room, and freshens when they have left. */
export const sensor: Model<Sensor> = {
  make: (_type, { battery = 80 }) => ({ co2: FRESH, battery }),
  step(state, seconds, { occupied }) {
    const target = occupied ? USED : FRESH
    return { ...state, co2: target + (state.co2 - target) * 0.5 ** (seconds / HALF_SECONDS) }
  },
  report: ({ co2, battery }) => ({
    // As such sensors do, in steps.
    Value: Math.round(co2 / 10) * 10,
    Unit: 'ppm',
    Quantity: 'co2',
    Battery: Math.round(battery),
    LinkQuality: 96,
  }),
  command: (state) => state,
  draws: () => 0,
}
