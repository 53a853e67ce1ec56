import { z } from 'zod'
import { AC_MODES } from '../../../../contract/devices/capabilities/air-conditioner.ts'
import { zone, type ThermostatNode } from '../../../../contract/devices/capabilities/thermostat.ts'
import {
  applies,
  oneOf,
  OnOff,
  type Capability,
  type CommandValues,
} from '../../../../contract/devices/capabilities/capability.ts'
import { fieldShape, type FieldShape } from '../../../../contract/devices/kinds/field-shape.ts'
import { capabilityOf, deviceType } from '../../../../contract/devices/kinds/registry.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { SWITCHES_HIDDEN, type Peripheral } from '../../../../contract/devices/peripheral.ts'
import type { RoomDevices } from '../../../../contract/automation/action.ts'

/** One thing that an action can set: a field of a capability, one of a thermostat's zone, or a register of a Modbus device. */
export interface Setting {
  /** Names it within the action. */
  key: string
  capability: Capability
  field: string
  /** Zone of a thermostat, or undefined. */
  node?: number
  /** The row of the device's Modbus table that says how a register is called and what it takes; `field` is its key. */
  register?: ModbusRow
  shape: Exclude<FieldShape, { as: 'other' }>
}

/** What the lights of a room, or what heats and cools it, are set to; each device takes of it what it has. */
const roomCapabilities: Record<RoomDevices, Capability> = {
  lights: {
    name: 'switches',
    status: {},
    command: { On: OnOff, Brightness: z.number().int().min(1).max(100) },
    units: { Brightness: '%' },
    labels: { On: 'Switch' },
  },
  climate: {
    ...zone,
    // As the rule of a room's values has it.
    command: {
      On: OnOff,
      ACMode: oneOf(AC_MODES),
      TargetTemperature: z.number().min(16).max(30).multipleOf(0.5),
    },
    choices: { ACMode: AC_MODES },
    labels: { On: 'Switch' },
  },
}

/** What can be set of a room's lights or climate. */
export const roomSettings = (only: RoomDevices): Setting[] => settingsOf(roomCapabilities[only])

/**
 * What can be set of devices of a type.
 *
 * status  what one of them last reported: which appliance it is, and a thermostat's zones
 * values  what the action sets already, which stays in reach
 * rows    of the Modbus table that is assigned to the device: those that may be written
 */
export function settable(
  type: string,
  status: CommandValues | undefined,
  values: CommandValues = {},
  rows: readonly ModbusRow[] = [],
): Setting[] {
  const capabilities = deviceType(type)?.capabilities ?? []
  return capabilities
    .filter(
      (one) =>
        applies(one, status) ||
        Object.keys(values).some(
          (field) => field in one.command && !isElsewhere(field, one, capabilities, status),
        ),
    )
    .flatMap((one) =>
      'ThermostatTable' in one.command
        ? zonesOf(status, values).flatMap(zoneSettings)
        : 'ModbusValues' in one.command
          ? rows.filter(isWritable).map(registerSetting)
          : settingsOf(one),
    )
}

/** Whether a capability that the device has now has this field as well. */
const isElsewhere = (
  field: string,
  own: Capability,
  all: readonly Capability[],
  status: CommandValues | undefined,
) => all.some((other) => other !== own && applies(other, status) && field in other.command)

const settingsOf = (capability: Capability): Setting[] =>
  Object.keys(capability.command).flatMap((field) => {
    const shape = fieldShape(capability, field)
    return shape.as === 'other' ? [] : [{ key: field, capability, field, shape }]
  })

const zoneSettings = (node: number): Setting[] =>
  settingsOf(zone).map((one) => ({ ...one, key: `ThermostatTable.${node}.${one.field}`, node }))

const isWritable = ({ Access }: ModbusRow): boolean => Access === 'rw'

/** A register as a field of its own: a number within its limits, or on and off. */
function registerSetting(register: ModbusRow): Setting {
  const { Key: field, DataType, Unit, Decimals, Min, Max } = register
  const isBool = DataType === 'bool'
  return {
    key: `ModbusValues.${field}`,
    field,
    register,
    capability: {
      name: 'modbus',
      status: { [field]: isBool ? OnOff : z.number() },
      command: {},
      units: Unit ? { [field]: Unit } : {},
    },
    shape: isBool
      ? { as: 'onOff' }
      : { as: 'number', min: Min ?? undefined, max: Max ?? undefined, step: 10 ** -Decimals },
  }
}

const registersOf = (values: CommandValues | undefined) =>
  (values?.['ModbusValues'] ?? {}) as Readonly<Record<string, number>>

const tableOf = (values: CommandValues | undefined) =>
  (values?.['ThermostatTable'] ?? []) as readonly ThermostatNode[]

const zonesOf = (...all: (CommandValues | undefined)[]): number[] =>
  [...new Set(all.flatMap(tableOf).map(({ NodeID }) => NodeID))].sort((a, b) => a - b)

/** What an action sets a field to; undefined for one that it leaves alone. */
export function valueOf(
  { field, node, register }: Setting,
  values: CommandValues | undefined,
): number | undefined {
  const of: CommandValues | undefined = register
    ? registersOf(values)
    : node === undefined
      ? values
      : tableOf(values).find(({ NodeID }) => NodeID === node)
  const value = of?.[field]
  return typeof value === 'number' ? value : undefined
}

/** An action's values with one field set, or with undefined left alone. */
export function withValue(
  { field, node, register }: Setting,
  values: CommandValues | undefined,
  value: number | undefined,
): CommandValues {
  if (register) {
    const registers = put(registersOf(values), field, value)
    return put(values ?? {}, 'ModbusValues', Object.keys(registers).length > 0 ? registers : undefined)
  }
  if (node === undefined) return put(values ?? {}, field, value)
  const others = tableOf(values).filter(({ NodeID }) => NodeID !== node)
  const before = tableOf(values).find(({ NodeID }) => NodeID === node) ?? { NodeID: node }
  const zoneNow = put(before, field, value)
  const table = Object.keys(zoneNow).length > 1 ? [...others, zoneNow as ThermostatNode] : others
  return put(
    values ?? {},
    'ThermostatTable',
    table.length > 0 ? table.toSorted((a, b) => a.NodeID - b.NodeID) : undefined,
  )
}

function put(values: CommandValues, field: string, value: unknown): CommandValues {
  const { [field]: _, ...others } = values
  return value === undefined ? others : { ...others, [field]: value }
}

/**
 * Whether an action may set a device: it takes commands, and its control mode does not hide its switches.
 *
 * rows  of its Modbus table: one that has registers to write takes commands, too
 */
export const isControllable = (
  { PeripheralType, ControlMode }: Peripheral,
  rows: readonly ModbusRow[] = [],
): boolean =>
  ControlMode !== SWITCHES_HIDDEN &&
  (typeIsControllable(PeripheralType) ||
    (capabilityOf(PeripheralType, 'modbus') !== undefined && rows.some(isWritable)))

/** Whether devices of a type take commands that an action can give. */
export const typeIsControllable = (type: string): boolean =>
  deviceType(type)?.capabilities.some(
    (one) => 'ThermostatTable' in one.command || 'SendIR' in one.command || settingsOf(one).length > 0,
  ) ?? false
