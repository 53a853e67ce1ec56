import { door } from '../capabilities/door.ts'
import { DAILY_CHECK_IN, type DeviceKind } from './device-kind.ts'

export const doorSensor = {
  kind: 'doorSensor',
  category: 'Door',
  silentAfter: DAILY_CHECK_IN,
  variants: { 755: [door] },
} as const satisfies DeviceKind
