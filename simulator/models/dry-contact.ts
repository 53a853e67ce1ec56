import type { Model } from './model.ts'

export interface DryContact {
  mode: 0 | 1 | 2
  closed: boolean
  pulseSeconds: number
  /** Seconds until a pulse ends; 0 without a pulse. */
  remaining: number
}

const set = (state: DryContact, closed: boolean): DryContact => ({
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
    if (pressed) return set(state, state.mode === 0 || !state.closed)
    if (state.remaining === 0) return state
    const remaining = Math.max(0, state.remaining - seconds)
    return { ...state, remaining, closed: remaining > 0 }
  },
  report: ({ closed, mode }) => ({ Switch: closed ? 1 : 0, ContactMode: mode }),
  command: (state, { Switch }) => (Switch === undefined ? state : set(state, Switch === 1)),
  configure: (state, { PulseDuration }) =>
    PulseDuration === null ? state : { ...state, pulseSeconds: PulseDuration },
  draws: () => 0,
}
