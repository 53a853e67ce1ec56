import type { OnOff } from '../../contract/devices/capabilities/capability.ts'
import type { Model } from './model.ts'

export interface Siren {
  on: OnOff
  /** Seconds for which it has sounded without a break. */
  seconds: number
}

/** Maximum sounding time; noise regulations require a limit for sirens on buildings. */
const MAX_SECONDS = 180

/** Sounds after a command until the next command or the time limit. */
export const siren: Model<Siren> = {
  make: () => ({ on: 0, seconds: 0 }),
  step(state, passed) {
    if (state.on === 0) return state
    const seconds = state.seconds + passed
    return seconds < MAX_SECONDS ? { ...state, seconds } : { on: 0, seconds: 0 }
  },
  report: ({ on }) => ({ Switch: on }),
  command: (state, { Switch = state.on }) => ({ on: Switch as OnOff, seconds: 0 }),
  draws: () => 0,
}
