import { oneOf, type Capability, type Choices } from './capability.ts'

/** Values as in §4. */
export const SHOCK_STATES: Choices = [
  [1, 'noShock'],
  [2, 'shock', 'warning'],
]

export const shock: Capability = {
  name: 'shock',
  status: { ShockState: oneOf(SHOCK_STATES) },
  command: {},
  units: {},
  choices: { ShockState: SHOCK_STATES },
}
