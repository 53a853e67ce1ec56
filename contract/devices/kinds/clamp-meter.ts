import { meter } from '../capabilities/meter.ts'
import type { DeviceKind } from './device-kind.ts'

/** Clamp-on meter: 513 measures current only and takes the voltage as given, 514 and 528 measure both (§3). */
export const clampMeter = {
  kind: 'clampMeter',
  category: 'ClampMeter',
  variants: {
    513: [meter({ voltage: false })],
    514: [meter({ voltage: true })],
    528: [meter({ voltage: true })],
  },
} as const satisfies DeviceKind
