import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

/** Values as in §4, presence sensor. */
export const PRESENCE_STATES: Choices = [
  [1, 'human', 'on'],
  [0, 'noHuman'],
]

/**
 * Detection parameters of a radar sensor. Distances in meters from the sensor; HoldTime in seconds from the last movement to "no
 * human"; sensitivities from 1 (low) to 10 (high), for movement and for people who sit still.
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

/** Radar sensor that also detects people who sit still. */
export const presence: Capability = {
  name: 'presence',
  status: { MotionState: oneOf(PRESENCE_STATES), mmWaveConfig: MmWaveConfig },
  command: { mmWaveConfig: MmWaveConfig },
  units: {},
  choices: { MotionState: PRESENCE_STATES },
}
