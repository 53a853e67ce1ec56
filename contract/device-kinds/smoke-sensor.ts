import { smoke } from './capabilities/smoke.ts'
import type { DeviceKind } from './device-kind.ts'

export const smokeSensor = {
  kind: 'smokeSensor',
  category: 'Smoke',
  variants: { 756: [smoke] },
} as const satisfies DeviceKind
