import { switches } from '../capabilities/switches.ts'
import type { DeviceKind } from './device-kind.ts'

/** Wall light switch: 516 and 533 have one gang, 534 two, 535 three (§3). */
export const lightSwitch = {
  kind: 'lightSwitch',
  category: 'LightSwitch',
  variants: { 516: [switches(1)], 533: [switches(1)], 534: [switches(2)], 535: [switches(3)] },
} as const satisfies DeviceKind
