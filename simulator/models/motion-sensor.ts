import type { Model } from './model.ts'

export interface MotionSensor {
  /** Seconds for which the last movement still counts as motion. */
  hold: number
}

/** Hold time in seconds of a passive infrared sensor after the last movement. */
export const HOLD_SECONDS = 60

export const motionSensor: Model<MotionSensor> = {
  make: () => ({ hold: 0 }),
  step: ({ hold }, seconds, { moving }) => ({ hold: moving ? HOLD_SECONDS : Math.max(0, hold - seconds) }),
  report: ({ hold }) => ({ MotionState: hold > 0 ? 1 : 0 }),
  command: (state) => state,
  draws: () => 0,
}
