import type { Model } from './model.ts'

export interface SmokeSensor {
  /** Seconds for which it has seen smoke without a break. */
  seconds: number
}

/** Smoke that stays so long is a fire. */
const FIRE_SECONDS = 120

/** 1 normal, 2 smoke, 3 fire (§4). */
export const smokeSensor: Model<SmokeSensor> = {
  make: () => ({ seconds: 0 }),
  step: ({ seconds }, passed, { smoky }) => ({ seconds: smoky ? seconds + Math.max(passed, 1) : 0 }),
  report: ({ seconds }) => ({ SmokeState: seconds === 0 ? 1 : seconds < FIRE_SECONDS ? 2 : 3 }),
  command: (state) => state,
  draws: () => 0,
}
