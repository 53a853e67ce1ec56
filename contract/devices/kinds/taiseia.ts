import { airConditioner } from '../capabilities/air-conditioner.ts'
import { dehumidifier } from '../capabilities/dehumidifier.ts'
import { ventilation } from '../capabilities/ventilation.ts'
import type { DeviceKind } from './device-kind.ts'

/** Home appliances that speak TaiSEIA 101 (CNS 16014): one type code, the appliance says which it is. */
export const taiseia = {
  kind: 'taiseia',
  category: 'TaiSEIA',
  variants: { 527: [airConditioner, dehumidifier, ventilation] },
} as const satisfies DeviceKind
