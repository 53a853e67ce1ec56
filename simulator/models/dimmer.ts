import type { OnOff } from '../../contract/devices/capabilities/capability.ts'
import type { Model } from './model.ts'

export interface Dimmer {
  on: OnOff
  /** Brightness in percent, kept while the lamp is off. */
  brightness: number
  /** Last level that the people in the room wanted, in percent; null before the first visit. */
  wanted: number | null
  lampWatts: number
}

/** People change it only when the wanted level changes, as with a light switch. */
export const dimmer: Model<Dimmer> = {
  make: (_type, { lampWatts = 60 }) => ({ on: 0, brightness: 80, wanted: null, lampWatts }),
  step(state, _seconds, { lit }) {
    const wanted = Math.round(Math.min(1, Math.max(0, lit)) * 100)
    if (wanted === state.wanted) return state
    return { ...state, wanted, on: wanted > 0 ? 1 : 0, brightness: wanted || state.brightness }
  },
  report: ({ on, brightness }) => ({ Switch: on, Brightness: brightness }),
  command: (state, { Switch = state.on, Brightness = state.brightness }) => ({
    ...state,
    on: Switch as OnOff,
    brightness: Brightness as number,
  }),
  draws: ({ on, brightness, lampWatts }) => (on * lampWatts * brightness) / 100,
}
