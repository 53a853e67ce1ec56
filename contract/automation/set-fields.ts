import type { ThermostatNode } from '../devices/capabilities/thermostat.ts'

/** A field that is set at a device, with its value; the path is as conditions name it, `ThermostatTable.3.TargetTemperature`. */
export interface SetField {
  PeripheralUID: string
  path: string
  value: unknown
}

/** What an action sets at one device, as runs expand groups, rooms and scenes. */
export interface DeviceValues {
  PeripheralUID: string
  Values: Readonly<Record<string, unknown>>
}

/** The fields that values set at a device: those of zones and registers each by itself. */
export function setFieldsOf({ PeripheralUID, Values }: DeviceValues): SetField[] {
  return Object.entries(Values).flatMap(([field, value]): SetField[] => {
    const set = (path: string, one: unknown) => ({ PeripheralUID, path: `${field}.${path}`, value: one })
    if (field === 'ThermostatTable' && Array.isArray(value))
      return (value as ThermostatNode[]).flatMap(({ NodeID, ...zone }) =>
        Object.entries(zone).map(([name, one]) => set(`${NodeID}.${name}`, one)),
      )
    if (field === 'ModbusValues' && value !== null && typeof value === 'object')
      return Object.entries(value).map(([key, one]) => set(key, one))
    return [{ PeripheralUID, path: field, value }]
  })
}
