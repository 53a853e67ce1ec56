import { meter } from '../capabilities/meter.ts'
import type { DeviceKind } from './device-kind.ts'

/** Smart meter: 520 single phase, 521 single phase three wire (two lines), 522 three phases (§3). */
export const smartMeter = {
  kind: 'smartMeter',
  category: 'SmartMeter',
  variants: {
    520: [meter({ voltage: true })],
    521: [meter({ voltage: true, phases: 2 })],
    522: [meter({ voltage: true, phases: 3 })],
  },
} as const satisfies DeviceKind
