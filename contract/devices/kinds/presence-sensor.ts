import { presence } from '../capabilities/presence.ts'
import { DAILY_CHECK_IN, type DeviceKind } from './device-kind.ts'

export const presenceSensor = {
  kind: 'presenceSensor',
  category: 'Presence',
  silentAfter: DAILY_CHECK_IN,
  variants: { 529: [presence] },
} as const satisfies DeviceKind
