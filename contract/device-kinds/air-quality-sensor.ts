import { airQuality } from './capabilities/air-quality.ts'
import type { DeviceKind } from './device-kind.ts'

export const airQualitySensor = {
  kind: 'airQualitySensor',
  category: 'PM25',
  variants: { 753: [airQuality] },
} as const satisfies DeviceKind
