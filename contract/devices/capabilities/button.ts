import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

export const PRESSES: Choices = [
  [1, 'singlePress'],
  [2, 'doublePress'],
  [3, 'longPress'],
]

/** A button: how it was pressed last, and how often in all, by which two equal presses are told apart. */
export const buttonCapability: Capability = {
  name: 'button',
  status: { Press: oneOf(PRESSES), Presses: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) },
  command: {},
  // A count has none; it is sampled, so that the history tells when a button was pressed.
  units: { Presses: '' },
  counters: ['Presses'],
  choices: { Press: PRESSES },
}
