import { lightHouse } from '../capabilities/light-house.ts'
import type { DeviceKind } from './device-kind.ts'

/** Five light sensors on a machine's signal tower (§3). */
export const lightHouseSensor = {
  kind: 'lightHouse',
  category: 'LightHouse',
  variants: { 515: [lightHouse] },
} as const satisfies DeviceKind
