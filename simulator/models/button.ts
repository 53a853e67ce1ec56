import type { Model } from './model.ts'

export interface Button {
  presses: number
  /** 1 single, 2 double, 3 long; null before the first. */
  press: 1 | 2 | 3 | null
  /** Battery level in percent. */
  battery: number
}

/** Battery use of a press, in percent. */
const PRESS_COSTS = 0.001

/** A button that is pressed in turn once, twice and long. */
export const button: Model<Button> = {
  make: (_type, { battery = 90 }) => ({ presses: 0, press: null, battery }),
  step: (state, _seconds, { pressed }) =>
    pressed
      ? {
          presses: state.presses + 1,
          press: ((state.presses % 3) + 1) as 1 | 2 | 3,
          battery: Math.max(0, state.battery - PRESS_COSTS),
        }
      : state,
  report: ({ presses, press, battery }) => ({
    Presses: presses,
    ...(press && { Press: press }),
    Battery: Math.round(battery),
    LinkQuality: 120,
  }),
  command: (state) => state,
  draws: () => 0,
}
