import type { Model } from './model.ts'

export interface ShockSensor {
  /** Seconds for which the last shock is still reported. */
  hold: number
}

/** Hold time in seconds, so that no poll misses a shock. */
const HOLD_SECONDS = 30

/** 1 no shock, 2 shock (§4). */
export const shockSensor: Model<ShockSensor> = {
  make: () => ({ hold: 0 }),
  step: ({ hold }, seconds, { shaken }) => ({ hold: shaken ? HOLD_SECONDS : Math.max(0, hold - seconds) }),
  report: ({ hold }) => ({ ShockState: hold > 0 ? 2 : 1 }),
  command: (state) => state,
  draws: () => 0,
}
