import { oneOf, type Capability, type Choices } from './capability.ts'

/** Values as in §4. */
export const DOOR_STATES: Choices = [
  [1, 'doorClosed'],
  [2, 'doorOpen', 'warning'],
]

export const door: Capability = {
  name: 'door',
  status: { DoorState: oneOf(DOOR_STATES) },
  command: {},
  units: {},
  choices: { DoorState: DOOR_STATES },
}
