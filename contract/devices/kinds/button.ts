import { buttonCapability as presses } from '../capabilities/button.ts'
import type { DeviceKind } from './device-kind.ts'

/** Push button or remote whose presses are reported (decision 0018). */
export const button = {
  kind: 'button',
  category: 'Button',
  variants: { 903: [presses] },
} as const satisfies DeviceKind
