import { meter } from '../capabilities/meter.ts'
import { switches } from '../capabilities/switches.ts'
import type { DeviceKind } from './device-kind.ts'

/** I/O controller: three outputs and a meter of what they draw (§3). */
export const ioController = {
  kind: 'ioController',
  category: 'IOController',
  variants: { 526: [switches(3), meter({ voltage: true })] },
} as const satisfies DeviceKind
