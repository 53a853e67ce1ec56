import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

export const PRESSES: Choices = [
  [1, 'singlePress'],
  [2, 'doublePress'],
  [3, 'longPress'],
]

/** Button: type of the last press, and the total number of presses, which distinguishes equal consecutive presses. */
export const buttonCapability: Capability = {
  name: 'button',
  status: { Press: oneOf(PRESSES), Presses: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) },
  command: {},
  // The empty unit makes the count a sampled figure, so that the history shows presses.
  units: { Presses: '' },
  counters: ['Presses'],
  choices: { Press: PRESSES },
}
