import { z } from 'zod'
import { AC_MODES } from './capabilities/taiseia.ts'
import { oneOf, OnOff, type CommandValues } from './capabilities/capability.ts'
import { applianceOf, deviceType } from './kinds/registry.ts'
import type { RoomDevices } from './room-devices.ts'

/**
 * Values that can be set for a room: lights on or off; dimmers to a level in %, which turns them on; climate on or off; air
 * conditioners to a mode; and climate to a temperature in °C in steps of 0.5.
 */
const SCHEMAS = {
  lights: z
    .strictObject({ On: OnOff, Brightness: z.number().int().min(1, 'tooSmall').max(100, 'tooBig') })
    .partial()
    .refine((values) => Object.keys(values).length > 0, 'required'),
  climate: z
    .strictObject({
      On: OnOff,
      ACMode: oneOf(AC_MODES),
      TargetTemperature: z.number().min(16, 'tooSmall').max(30, 'tooBig').multipleOf(0.5),
    })
    .partial()
    .refine((values) => Object.keys(values).length > 0, 'required'),
} as const satisfies Record<RoomDevices, z.ZodType>
export type RoomValues = z.output<(typeof SCHEMAS)['lights']> & z.output<(typeof SCHEMAS)['climate']>

/** Validates the values of an action on a room; a failed parse lists the invalid fields. */
export const parseRoomValues = (only: RoomDevices, values: unknown): z.ZodSafeParseResult<RoomValues> =>
  SCHEMAS[only].safeParse(values)

interface RoomDevice {
  PeripheralType: string
  status: Readonly<Record<string, unknown>> | null
}

export const isSetByRooms = (PeripheralType: string): boolean => {
  const type = deviceType(PeripheralType)
  return (
    type !== undefined &&
    !type.capabilities.some(({ needsConfirmation }) => needsConfirmation) &&
    ['LightSwitch', 'Dimmer', 'Thermostat', 'TaiSEIA'].includes(type.category)
  )
}

/**
 * Values for one device of a room. Lights are wall switches and dimmers; climate is thermostats (zone by zone), air conditioners,
 * ventilation and dehumidifiers, the last two without temperature. Only air conditioners have a mode, only dimmers a level. Outputs
 * that need confirmation are never set.
 *
 * returns  undefined for a device of another kind, one that accepts none of the values, or one whose appliance is unknown
 */
export function roomValues(
  only: RoomDevices,
  { On, Brightness, ACMode, TargetTemperature }: RoomValues,
  { PeripheralType, status }: RoomDevice,
): CommandValues | undefined {
  const type = deviceType(PeripheralType)
  if (!type || type.capabilities.some(({ needsConfirmation }) => needsConfirmation)) return undefined
  if (only === 'lights') {
    if (type.category !== 'LightSwitch' && type.category !== 'Dimmer') return undefined
    const fields = Object.keys(type.capabilities[0]?.command ?? {}).filter((name) =>
      name.startsWith('Switch'),
    )
    if (Brightness !== undefined && type.category === 'Dimmer') return { Switch: On ?? 1, Brightness }
    return On === undefined ? undefined : Object.fromEntries(fields.map((field) => [field, On]))
  }
  if (type.category === 'Thermostat') {
    const zones = (status?.['ThermostatTable'] ?? []) as { NodeID: number }[]
    const set = {
      ...(On !== undefined && { Switch: On }),
      ...(TargetTemperature !== undefined && { TargetTemperature }),
    }
    if (Object.keys(set).length === 0) return undefined
    return zones.length > 0 ? { ThermostatTable: zones.map(({ NodeID }) => ({ NodeID, ...set })) } : undefined
  }
  if (type.category !== 'TaiSEIA') return undefined
  const appliance = applianceOf(type, status ?? undefined)
  const values = {
    ...(On !== undefined && { Switch: On }),
    ...(ACMode !== undefined && appliance === 'airConditioner' && { ACMode }),
    // Air conditioners accept whole degrees only.
    ...(TargetTemperature !== undefined &&
      appliance === 'airConditioner' && { TargetTemperature: Math.round(TargetTemperature) }),
  }
  return appliance && Object.keys(values).length > 0 ? values : undefined
}
