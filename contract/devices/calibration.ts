import { z } from 'zod'
import { Color, MAX_COLORS } from './light-house.ts'

/** One lamp that changes its colour, or a lamp for each colour on top of each other (§4). */
export const LIGHT_TYPES = ['column', 'stacked'] as const
export const LightType = z.enum(LIGHT_TYPES)
export type LightType = z.infer<typeof LightType>

/** How far a calibration has come (§4). `idle`: none is under way. */
export const CALIBRATION_STEPS = [
  'idle',
  'initialized',
  'lightsOn',
  'lightsOff',
  'memorizing',
  'finished',
] as const
export type CalibrationStep = (typeof CALIBRATION_STEPS)[number]

/** Why a calibration failed. */
export const CALIBRATION_FAULTS = ['noContrast', 'colorsAlike', 'interrupted'] as const

const Count = z.number().int().min(1).max(MAX_COLORS)

/** Where a device's calibration stands, as the device reports it. Every report carries the whole of it. */
export const Calibration = z.object({
  Step: z.enum(CALIBRATION_STEPS),
  LightType: LightType.optional(),
  /** Colours memorised so far, and what was measured. */
  Count: z.number().int().min(0).max(MAX_COLORS).optional(),
  Colors: z.array(Color).max(MAX_COLORS).optional(),
  /** Of a finished one. */
  Outcome: z.enum(['success', 'failure']).optional(),
  Fault: z.enum(CALIBRATION_FAULTS).optional(),
})
export type Calibration = z.infer<typeof Calibration>

/**
 * The step a person wants the device to have done. It names a state, so the same command twice is harmless: to memorise
 * the colour that is shown now is to have memorised one more; a smaller Count forgets the last ones.
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
 * Whether a step may be done now. Cancelling and starting again always may; a step may be done again, and the lights may
 * be measured again until the first colour is memorised.
 */
export function isAllowedTransition(now: Calibration | undefined, wanted: CalibrationCommand): boolean {
  const step = now?.Step ?? 'idle'
  switch (wanted.Step) {
    case 'idle':
    case 'initialized':
      return true
    case 'lightsOn':
      return step === 'initialized' || step === 'lightsOn' || step === 'lightsOff'
    case 'lightsOff':
      return step === 'lightsOn' || step === 'lightsOff'
    case 'memorizing':
      return step === 'lightsOff'
        ? wanted.Count === 1
        : step === 'memorizing' && wanted.Count <= (now?.Count ?? 0) + 1
    case 'finished':
      return step === 'finished' || (step === 'memorizing' && (now?.Count ?? 0) > 0)
  }
}

/** Whether somebody has begun and not ended it. */
export const isInProgress = (now: Calibration | undefined): boolean =>
  now !== undefined && now.Step !== 'idle' && now.Step !== 'finished'
