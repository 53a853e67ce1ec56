import { z } from 'zod'
import { Color, MAX_COLORS } from './lamps.ts'

/** Construction of a tower: one lamp that changes its color, or stacked lamps of one color each (§4). */
export const LIGHT_TYPES = ['column', 'stacked'] as const
export const LightType = z.enum(LIGHT_TYPES)
export type LightType = z.infer<typeof LightType>

/** Progress of a calibration (§4). `idle`: none is in progress. */
export const CALIBRATION_STEPS = [
  'idle',
  'initialized',
  'lightsOn',
  'lightsOff',
  'memorizing',
  'finished',
] as const
export type CalibrationStep = (typeof CALIBRATION_STEPS)[number]

export const CALIBRATION_FAULTS = ['noContrast', 'colorsAlike', 'interrupted'] as const

const Count = z.number().int().min(1).max(MAX_COLORS)

/** State of a device's calibration. Every report contains all of it. */
export const Calibration = z.object({
  Step: z.enum(CALIBRATION_STEPS),
  LightType: LightType.optional(),
  /** Number of colors memorized so far, and the measured colors. */
  Count: z.number().int().min(0).max(MAX_COLORS).optional(),
  Colors: z.array(Color).max(MAX_COLORS).optional(),
  /** Set for a finished calibration. */
  Outcome: z.enum(['success', 'failure']).optional(),
  Fault: z.enum(CALIBRATION_FAULTS).optional(),
})
export type Calibration = z.infer<typeof Calibration>

/**
 * Step that the device should reach. It names a state, so repeating a command is harmless: to memorize the displayed color, send a
 * Count one higher than before; a smaller Count deletes the last colors.
 */
export const CalibrationCommand = z.union([
  z.strictObject({ Step: z.literal('idle') }),
  z.strictObject({ Step: z.literal('initialized'), LightType }),
  z.strictObject({ Step: z.literal('lightsOn') }),
  z.strictObject({ Step: z.literal('lightsOff') }),
  z.strictObject({ Step: z.literal('memorizing'), Count }),
  z.strictObject({ Step: z.literal('finished') }),
])
export type CalibrationCommand = z.infer<typeof CalibrationCommand>

/**
 * Whether a step is allowed now. Canceling and restarting are always allowed; a step may be repeated, and the lights may be
 * measured again until the first color is memorized.
 */
export function isAllowedTransition(now: Calibration | undefined, requested: CalibrationCommand): boolean {
  const step = now?.Step ?? 'idle'
  switch (requested.Step) {
    case 'idle':
    case 'initialized':
      return true
    case 'lightsOn':
      return step === 'initialized' || step === 'lightsOn' || step === 'lightsOff'
    case 'lightsOff':
      return step === 'lightsOn' || step === 'lightsOff'
    case 'memorizing':
      return step === 'lightsOff'
        ? requested.Count === 1
        : step === 'memorizing' && requested.Count <= (now?.Count ?? 0) + 1
    case 'finished':
      return step === 'finished' || (step === 'memorizing' && (now?.Count ?? 0) > 0)
  }
}

export const isInProgress = (now: Calibration | undefined): boolean =>
  now !== undefined && now.Step !== 'idle' && now.Step !== 'finished'
