import { thermostat } from '../capabilities/thermostat.ts'
import type { DeviceKind } from './device-kind.ts'

export const thermostatPanel = {
  kind: 'thermostat',
  category: 'Thermostat',
  variants: { 525: [thermostat] },
} as const satisfies DeviceKind
