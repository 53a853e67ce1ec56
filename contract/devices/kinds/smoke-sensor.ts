import { smoke } from '../capabilities/smoke.ts'
import { DAILY_CHECK_IN, type DeviceKind } from './device-kind.ts'

export const smokeSensor = {
  kind: 'smokeSensor',
  category: 'Smoke',
  silentAfter: DAILY_CHECK_IN,
  variants: { 756: [smoke] },
} as const satisfies DeviceKind
