import { presence } from './capabilities/presence.ts'
import type { DeviceKind } from './device-kind.ts'

export const presenceSensor = {
  kind: 'presenceSensor',
  category: 'Presence',
  variants: { 529: [presence] },
} as const satisfies DeviceKind
