import { sensorCapability as measures } from '../capabilities/sensor.ts'
import type { DeviceKind } from './device-kind.ts'

/** Sensor of one quantity in any unit (decision 0018). */
export const sensor = {
  kind: 'sensor',
  category: 'Sensor',
  variants: { 905: [measures] },
} as const satisfies DeviceKind
