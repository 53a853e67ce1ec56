import { airQuality } from '../capabilities/air-quality.ts'
import { HOURLY_REPORTS, type DeviceKind } from './device-kind.ts'

export const airQualitySensor = {
  kind: 'airQualitySensor',
  category: 'PM25',
  silentAfter: HOURLY_REPORTS,
  variants: { 753: [airQuality] },
} as const satisfies DeviceKind
