import type { OnOff } from '../../contract/devices/capabilities/capability.ts'
import type { Model } from './model.ts'

export interface Siren {
  on: OnOff
  /** Seconds it has sounded without a break. */
  seconds: number
}

/** Sirens fall silent by themselves, as rules against noise ask of those on buildings. */
const MOST_SECONDS = 180

/** Sounds when it is told to, until it is told otherwise or has sounded long enough. */
export const siren: Model<Siren> = {
  make: () => ({ on: 0, seconds: 0 }),
  step(state, passed) {
    if (state.on === 0) return state
    const seconds = state.seconds + passed
    return seconds < MOST_SECONDS ? { ...state, seconds } : { on: 0, seconds: 0 }
  },
  report: ({ on }) => ({ Switch: on }),
  command: (state, { Switch = state.on }) => ({ on: Switch as OnOff, seconds: 0 }),
  draws: () => 0,
}
