import { dryContact } from '../capabilities/dry-contact.ts'
import type { DeviceKind } from './device-kind.ts'

export const dryContactOutput = {
  kind: 'dryContact',
  category: 'DryContact',
  variants: { 517: [dryContact] },
} as const satisfies DeviceKind
