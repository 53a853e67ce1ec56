import { shock } from '../capabilities/shock.ts'
import { DAILY_CHECK_IN, type DeviceKind } from './device-kind.ts'

export const shockSensor = {
  kind: 'shockSensor',
  category: 'Shock',
  silentAfter: DAILY_CHECK_IN,
  variants: { 757: [shock] },
} as const satisfies DeviceKind
