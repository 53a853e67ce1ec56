import { sirenCapability as sounds } from '../capabilities/siren.ts'
import type { DeviceKind } from './device-kind.ts'

/** Siren or sounder (decision 0018). */
export const siren = {
  kind: 'siren',
  category: 'Siren',
  variants: { 904: [sounds] },
} as const satisfies DeviceKind
