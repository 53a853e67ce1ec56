import { dimmer } from '../capabilities/dimmer.ts'
import type { DeviceKind } from './device-kind.ts'

export const dimmerSwitch = {
  kind: 'dimmer',
  category: 'Dimmer',
  variants: { 532: [dimmer] },
} as const satisfies DeviceKind
