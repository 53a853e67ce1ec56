import { meter } from '../capabilities/meter.ts'
import { switches } from '../capabilities/switches.ts'
import type { DeviceKind } from './device-kind.ts'

/** Switch with meter: 518 has one switch, 519 two (§3). */
export const meteredSwitch = {
  kind: 'meteredSwitch',
  category: 'IOController',
  variants: {
    518: [switches(1), meter({ voltage: true })],
    519: [switches(2), meter({ voltage: true })],
  },
} as const satisfies DeviceKind
