import type { Capability, CapabilityName } from './capability.ts'
import { clampMeter } from './clamp-meter.ts'
import type { Category, DeviceKind } from './device-kind.ts'
import { doorSensor } from './door-sensor.ts'
import { dryContactOutput } from './dry-contact.ts'
import { lightSwitch } from './light-switch.ts'
import { motionSensor } from './motion-sensor.ts'

/** Every device kind there is, by its name. */
export const deviceKinds = {
  lightSwitch,
  clampMeter,
  motionSensor,
  doorSensor,
  dryContact: dryContactOutput,
} as const satisfies Record<string, DeviceKind>

export type KindName = keyof typeof deviceKinds

/** What a type code stands for. */
export interface DeviceType {
  type: string
  kind: KindName
  category: Category
  capabilities: readonly Capability[]
}

const byType = new Map<string, DeviceType>()
for (const [kind, { category, variants }] of Object.entries(deviceKinds) as [KindName, DeviceKind][])
  for (const [type, capabilities] of Object.entries(variants))
    byType.set(type, { type, kind, category, capabilities })

/** Every known type code. */
export const deviceTypes: readonly DeviceType[] = [...byType.values()]

/** The device type of a PeripheralType, or undefined for a code this version does not know. */
export const deviceType = (type: string): DeviceType | undefined => byType.get(type)

/** A capability of a type, or undefined when it has none of that name. */
export const capabilityOf = (type: string, name: CapabilityName): Capability | undefined =>
  byType.get(type)?.capabilities.find((capability) => capability.name === name)
