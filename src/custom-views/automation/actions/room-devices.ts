import type { CapabilityName } from '../../../../contract/device-kinds/capability.ts'
import type { Category } from '../../../../contract/device-kinds/device-kind.ts'
import type { RoomDevices } from '../../../../contract/rules/automation/action.ts'
import type { DeviceRow } from '../../../domain/device/device-rows.ts'

const LIGHTS: ReadonlySet<Category> = new Set<Category>(['LightSwitch', 'Dimmer'])
const CLIMATE: ReadonlySet<CapabilityName> = new Set<CapabilityName>([
  'thermostat',
  'airConditioner',
  'dehumidifier',
  'ventilation',
])

/** Whether a room has lights, or something that heats, cools or airs it, now; a run looks again. */
export const roomHas = (rows: readonly DeviceRow[], RoomID: number, only: RoomDevices): boolean =>
  rows.some(
    ({ RoomID: own, type }) =>
      own === RoomID &&
      type !== undefined &&
      (only === 'lights'
        ? LIGHTS.has(type.category)
        : type.capabilities.some(({ name }) => CLIMATE.has(name))),
  )
