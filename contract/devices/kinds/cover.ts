import { coverCapability as covers } from '../capabilities/cover.ts'
import type { DeviceKind } from './device-kind.ts'

/** Motorized curtain, blind, awning or window (decision 0018). */
export const cover = {
  kind: 'cover',
  category: 'Cover',
  variants: { 901: [covers({ heavy: false })] },
} as const satisfies DeviceKind
