import { door } from './capabilities/door.ts'
import type { DeviceKind } from './device-kind.ts'

export const doorSensor = {
  kind: 'doorSensor',
  category: 'Door',
  variants: { 755: [door] },
} as const satisfies DeviceKind
