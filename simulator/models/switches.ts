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
    const desired = state.gangs.map((_, i): OnOff => (i < count ? 1 : 0))
    const gangs = state.gangs.map((gang, i) =>
      state.wanted?.[i] === desired[i] ? gang : (desired[i] as OnOff),
    )
    return { ...state, gangs, wanted: desired }
  },
  report: ({ gangs }) => Object.fromEntries(switchFields(gangs.length).map((field, i) => [field, gangs[i]])),
  command: (state, values) => ({
    ...state,
    gangs: switchFields(state.gangs.length).map((field, i) => (values[field] ?? state.gangs[i]) as OnOff),
  }),
  draws: ({ gangs, lampWatts }) => gangs.filter(Boolean).length * lampWatts,
}

interface Dimmer {
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
    const desired = Math.round(Math.min(1, Math.max(0, lit)) * 100)
    if (desired === state.wanted) return state
    return { ...state, wanted: desired, on: desired > 0 ? 1 : 0, brightness: desired || state.brightness }
  },
  report: ({ on, brightness }) => ({ Switch: on, Brightness: brightness }),
  command: (state, { Switch = state.on, Brightness = state.brightness }) => ({
    ...state,
    on: Switch as OnOff,
    brightness: Brightness as number,
  }),
  draws: ({ on, brightness, lampWatts }) => (on * lampWatts * brightness) / 100,
}

interface DryContact {
  mode: 0 | 1 | 2
  closed: boolean
  pulseSeconds: number
  /** Seconds until a pulse ends; 0 without a pulse. */
  remaining: number
}

const setContact = (state: DryContact, closed: boolean): DryContact => ({
  ...state,
  closed,
  remaining: closed && state.mode === 0 ? state.pulseSeconds : 0,
})

/**
 * A potential-free output. A command states the target state, so a repeated command has no effect in any mode.
 * The local button closes it in pulse mode and toggles it in the other two.
 */
export const dryContact: Model<DryContact> = {
  make: (_type, { contactMode = 1, pulseSeconds = 60 }) => ({
    mode: contactMode,
    closed: false,
    pulseSeconds,
    remaining: 0,
  }),
  step(state, seconds, { pressed }) {
    if (pressed) return setContact(state, state.mode === 0 || !state.closed)
    if (state.remaining === 0) return state
    const remaining = Math.max(0, state.remaining - seconds)
    return { ...state, remaining, closed: remaining > 0 }
  },
  report: ({ closed, mode }) => ({ Switch: closed ? 1 : 0, ContactMode: mode }),
  command: (state, { Switch }) => (Switch === undefined ? state : setContact(state, Switch === 1)),
  configure: (state, { PulseDuration }) =>
    PulseDuration === null ? state : { ...state, pulseSeconds: PulseDuration },
  draws: () => 0,
}
