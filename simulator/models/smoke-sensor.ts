import type { Model } from './model.ts'

export interface SmokeSensor {
  /** Seconds for which it has seen smoke without a break. */
  seconds: number
  loose: boolean
  faulty: boolean
}

/** Duration of smoke in seconds after which it counts as a fire. */
const FIRE_SECONDS = 120

/** 1 normal, 2 smoke, 3 fire, 4 installation abnormal, 5 fault (§4); one that is faulty or loose sees no smoke. */
export const smokeSensor: Model<SmokeSensor> = {
  make: () => ({ seconds: 0, loose: false, faulty: false }),
  step: ({ seconds }, passed, { smoky, loose, faulty }) => ({
    seconds: smoky && !loose && !faulty ? seconds + Math.max(passed, 1) : 0,
    loose,
    faulty,
  }),
  report: ({ seconds, loose, faulty }) => ({
    SmokeState: faulty ? 5 : loose ? 4 : seconds === 0 ? 1 : seconds < FIRE_SECONDS ? 2 : 3,
  }),
  command: (state) => state,
  draws: () => 0,
}
