import { switchFields } from '../../contract/devices/capabilities/switches.ts'
import type { OnOff } from '../../contract/devices/capabilities/capability.ts'
import type { Model } from './model.ts'

export interface LightSwitch {
  gangs: OnOff[]
  /** Last state of each gang that the people in the room wanted; null before the first visit. */
  wanted: OnOff[] | null
  lampWatts: number
}

const gangCount = (type: string) => (type === '534' ? 2 : type === '535' ? 3 : 1)

/**
 * People press a gang only when the wanted state changes: a light that was switched from elsewhere stays as it is until
 * the next person arrives or leaves.
 */
export const lightSwitch: Model<LightSwitch> = {
  make: (type, { lampWatts = 60 }) => ({
    gangs: Array.from({ length: gangCount(type) }, () => 0 as const),
    wanted: null,
    lampWatts,
  }),
  step(state, _seconds, world) {
    const count = Math.ceil(Math.min(1, Math.max(0, world.lit)) * state.gangs.length)
    const wanted = state.gangs.map((_, i): OnOff => (i < count ? 1 : 0))
    const gangs = state.gangs.map((gang, i) =>
      state.wanted?.[i] === wanted[i] ? gang : (wanted[i] as OnOff),
    )
    return { ...state, gangs, wanted }
  },
  report: ({ gangs }) => Object.fromEntries(switchFields(gangs.length).map((field, i) => [field, gangs[i]])),
  command: (state, values) => ({
    ...state,
    gangs: switchFields(state.gangs.length).map((field, i) => (values[field] ?? state.gangs[i]) as OnOff),
  }),
  draws: ({ gangs, lampWatts }) => gangs.filter(Boolean).length * lampWatts,
}
