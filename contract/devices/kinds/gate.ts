import { coverCapability } from '../capabilities/cover.ts'
import type { DeviceKind } from './device-kind.ts'

/** Motorized roller shutter, garage door or gate, which may injure people below it (decision 0018). */
export const gate = {
  kind: 'gate',
  category: 'Cover',
  variants: { 902: [coverCapability({ heavy: true })] },
} as const satisfies DeviceKind
