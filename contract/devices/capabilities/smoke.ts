import { oneOf, type Capability, type Choices } from './capability.ts'

/** Values as in §4. */
export const SMOKE_STATES: Choices = [
  [1, 'smokeNormal'],
  [2, 'smoke', 'alarm'],
  [3, 'fire', 'alarm'],
  [4, 'smokeInstallation', 'warning'],
  [5, 'smokeFault', 'warning'],
]

export const smoke: Capability = {
  name: 'smoke',
  status: { SmokeState: oneOf(SMOKE_STATES) },
  command: {},
  units: {},
  choices: { SmokeState: SMOKE_STATES },
  lifeSafety: true,
}
