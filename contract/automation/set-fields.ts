import type { ThermostatNode } from '../devices/capabilities/thermostat.ts'

/** Field that is set at a device, with its value; the path is that of conditions, e.g. `ThermostatTable.3.TargetTemperature`. */
export interface SetField {
  PeripheralUID: string
  path: string
  value: unknown
}

/** Values that an action sets at one device, after groups, rooms and scenes are expanded. */
export interface DeviceValues {
  PeripheralUID: string
  Values: Readonly<Record<string, unknown>>
}

/** Expands values to single fields; each field of a zone and each register is one. */
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
