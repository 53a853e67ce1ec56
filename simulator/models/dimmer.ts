import type { OnOff } from '../../contract/devices/capabilities/capability.ts'
import type { Model } from './model.ts'

export interface Dimmer {
  on: OnOff
  /** Percent of full light, kept while the lamp is off. */
  brightness: number
  /** What the people in the room last wanted, in percent; null before anybody has come by. */
  wanted: number | null
  lampWatts: number
}

/** People turn it only when they change their mind, as with a light switch. */
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
