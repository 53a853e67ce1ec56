import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

/** §4, presence sensor. */
export const PRESENCE_STATES: Choices = [
  [1, 'human', 'on'],
  [0, 'noHuman'],
]

/**
 * Detection parameters of a radar sensor. Distances in metres from the sensor, HoldTime in seconds from the last
 * movement to "no human", sensitivities 1 (dull) to 10 (keen): of movement, and of people who sit still.
 */
export const MmWaveConfig = z
  .object({
    MinDistance: z.number().min(0).max(10).multipleOf(0.1),
    MaxDistance: z.number().min(0).max(10).multipleOf(0.1),
    MotionSensitivity: z.number().int().min(1).max(10),
    StaticSensitivity: z.number().int().min(1).max(10),
    HoldTime: z.number().int().min(1).max(3600),
  })
  .refine(({ MinDistance, MaxDistance }) => MinDistance < MaxDistance, {
    path: ['MaxDistance'],
    message: 'upperBelowLower',
  })
export type MmWaveConfig = z.infer<typeof MmWaveConfig>

/** A radar that also sees people who sit still. */
export const presence: Capability = {
  name: 'presence',
  status: { MotionState: oneOf(PRESENCE_STATES), mmWaveConfig: MmWaveConfig },
  command: { mmWaveConfig: MmWaveConfig },
  units: {},
  choices: { MotionState: PRESENCE_STATES },
}
