import { z } from 'zod'
import { AC_MODES } from '../../../../contract/devices/capabilities/taiseia.ts'
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
import type { RoomDevices } from '../../../../contract/devices/room-devices.ts'

/** One value that an action can set: a field of a capability, a field of a thermostat zone, or a register of a Modbus device. */
export interface Setting {
  /** Unique key within the action. */
  key: string
  capability: Capability
  field: string
  /** NodeID of a thermostat zone. */
  node?: number
  /** Row of the device's Modbus table that describes the register; `field` is its key. */
  register?: ModbusRow
  shape: Exclude<FieldShape, { as: 'other' }>
}

/** Values that can be set on the lights or the climate devices of a room; each device applies those that it supports. */
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
    // Same limits as in contract/devices/room-values.ts.
    command: {
      On: OnOff,
      ACMode: oneOf(AC_MODES),
      TargetTemperature: z.number().min(16).max(30).multipleOf(0.5),
    },
    choices: { ACMode: AC_MODES },
    labels: { On: 'Switch' },
  },
}

/** Settings for a room's lights or climate devices. */
export const roomSettings = (deviceFilter: RoomDevices): Setting[] =>
  settingsOf(roomCapabilities[deviceFilter])

/**
 * Settings of devices of a type.
 *
 * status  last report of such a device: tells the appliance and a thermostat's zones
 * values  values that the action already sets; their fields stay available
 * rows    writable rows of the Modbus table assigned to the device
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
      (entry) =>
        applies(entry, status) ||
        Object.keys(values).some(
          (field) => field in entry.command && !isSetElsewhere(field, entry, capabilities, status),
        ),
    )
    .flatMap((entry) =>
      'ThermostatTable' in entry.command
        ? zonesOf(status, values).flatMap(zoneSettings)
        : 'ModbusValues' in entry.command
          ? rows.filter(isWritable).map(registerSetting)
          : settingsOf(entry),
    )
}

/** Whether another capability that applies to the device also has this field. */
const isSetElsewhere = (
  field: string,
  capability: Capability,
  all: readonly Capability[],
  status: CommandValues | undefined,
) =>
  all.some(
    (otherCapability) =>
      otherCapability !== capability && applies(otherCapability, status) && field in otherCapability.command,
  )

const settingsOf = (capability: Capability): Setting[] =>
  Object.keys(capability.command).flatMap((field) => {
    const shape = fieldShape(capability, field)
    return shape.as === 'other' ? [] : [{ key: field, capability, field, shape }]
  })

const zoneSettings = (node: number): Setting[] =>
  settingsOf(zone).map((entry) => ({ ...entry, key: `ThermostatTable.${node}.${entry.field}`, node }))

const isWritable = ({ Access }: ModbusRow): boolean => Access === 'rw'

/** A register as a setting: a number within its limits, or on and off. */
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

/** Value that an action sets for a setting; undefined if it leaves the field unchanged. */
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

/** Values of an action with one field set, or removed if the value is undefined. */
export function withValue(
  { field, node, register }: Setting,
  values: CommandValues | undefined,
  value: number | undefined,
): CommandValues {
  if (register) {
    const registers = withField(registersOf(values), field, value)
    return withField(values ?? {}, 'ModbusValues', Object.keys(registers).length > 0 ? registers : undefined)
  }
  if (node === undefined) return withField(values ?? {}, field, value)
  const otherNodes = tableOf(values).filter(({ NodeID }) => NodeID !== node)
  const before = tableOf(values).find(({ NodeID }) => NodeID === node) ?? { NodeID: node }
  const zoneNow = withField(before, field, value)
  const table = Object.keys(zoneNow).length > 1 ? [...otherNodes, zoneNow as ThermostatNode] : otherNodes
  return withField(
    values ?? {},
    'ThermostatTable',
    table.length > 0 ? table.toSorted((a, b) => a.NodeID - b.NodeID) : undefined,
  )
}

function withField(values: CommandValues, field: string, value: unknown): CommandValues {
  const { [field]: _, ...otherValues } = values
  return value === undefined ? otherValues : { ...otherValues, [field]: value }
}

/**
 * Whether an action may control a device: it accepts commands, and its control mode does not hide its switches.
 *
 * rows  rows of its Modbus table; a device with writable registers accepts commands
 */
export const isControllable = (
  { PeripheralType, ControlMode }: Peripheral,
  rows: readonly ModbusRow[] = [],
): boolean =>
  ControlMode !== SWITCHES_HIDDEN &&
  (typeIsControllable(PeripheralType) ||
    (capabilityOf(PeripheralType, 'modbus') !== undefined && rows.some(isWritable)))

/** Whether devices of a type accept commands that an action can send. */
const typeIsControllable = (type: string): boolean =>
  deviceType(type)?.capabilities.some(
    (entry) =>
      'ThermostatTable' in entry.command || 'SendIR' in entry.command || settingsOf(entry).length > 0,
  ) ?? false
