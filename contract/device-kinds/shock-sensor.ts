import { shock } from './capabilities/shock.ts'
import type { DeviceKind } from './device-kind.ts'

export const shockSensor = {
  kind: 'shockSensor',
  category: 'Shock',
  variants: { 757: [shock] },
} as const satisfies DeviceKind
