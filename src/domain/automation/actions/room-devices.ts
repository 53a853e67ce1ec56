import type { Category } from '../../../../contract/devices/kinds/device-kind.ts'
import type { RoomDevices } from '../../../../contract/automation/action.ts'
import type { DeviceRow } from '../../devices/device-rows.ts'

const CATEGORIES: Readonly<Record<RoomDevices, readonly Category[]>> = {
  lights: ['LightSwitch', 'Dimmer'],
  climate: ['Thermostat', 'TaiSEIA'],
}

/** Whether a room has lights, or something that heats, cools or airs it, now; a run looks again. */
export const roomHas = (rows: readonly DeviceRow[], RoomID: number, only: RoomDevices): boolean =>
  rows.some(
    ({ RoomID: own, type }) =>
      own === RoomID && type !== undefined && CATEGORIES[only].includes(type.category),
  )
