import { oneOf, type Capability, type Choices } from './capability.ts'

/** Values as in §4. */
export const MOTION_STATES: Choices = [
  [1, 'motion', 'on'],
  [0, 'noMotion'],
]

export const motion: Capability = {
  name: 'motion',
  status: { MotionState: oneOf(MOTION_STATES) },
  command: {},
  units: {},
  choices: { MotionState: MOTION_STATES },
}
