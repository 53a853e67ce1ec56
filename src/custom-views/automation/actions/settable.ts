import { z } from 'zod'
import { zone, type ThermostatNode } from '../../../../contract/device-kinds/capabilities/thermostat.ts'
import {
  applies,
  OnOff,
  type Capability,
  type CommandValues,
  type Question,
} from '../../../../contract/device-kinds/capability.ts'
import { fieldShape, type FieldShape } from '../../../../contract/device-kinds/field-shape.ts'
import { deviceType } from '../../../../contract/device-kinds/registry.ts'
import { SWITCHES_HIDDEN, type Peripheral } from '../../../../contract/resources/peripheral.ts'
import type { RoomDevices } from '../../../../contract/rules/automation/action.ts'

/** One thing that an action can set: a field of a capability, or one of a thermostat's zone. */
export interface Setting {
  /** Names it within the action. */
  key: string
  capability: Capability
  field: string
  /** Zone of a thermostat, or undefined. */
  node?: number
  shape: Exclude<FieldShape, { as: 'other' }>
}

/** What the lights of a room, or what heats and cools it, are set to; each device takes of it what it has. */
const roomCapabilities: Record<RoomDevices, Capability> = {
  lights: { name: 'switches', status: {}, command: { On: OnOff }, units: {}, labels: { On: 'Switch' } },
  climate: {
    ...zone,
    // As the rule of a room's values has it.
    command: { On: OnOff, TargetTemperature: z.number().min(16).max(30).multipleOf(0.5) },
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
 */
export function settable(
  type: string,
  status: CommandValues | undefined,
  values: CommandValues = {},
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
      'ThermostatTable' in one.command ? zonesOf(status, values).flatMap(zoneSettings) : settingsOf(one),
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

const tableOf = (values: CommandValues | undefined) =>
  (values?.['ThermostatTable'] ?? []) as readonly ThermostatNode[]

const zonesOf = (...all: (CommandValues | undefined)[]): number[] =>
  [...new Set(all.flatMap(tableOf).map(({ NodeID }) => NodeID))].sort((a, b) => a - b)

/** What an action sets a field to; undefined for one that it leaves alone. */
export function valueOf({ field, node }: Setting, values: CommandValues | undefined): number | undefined {
  const of: CommandValues | undefined =
    node === undefined ? values : tableOf(values).find(({ NodeID }) => NodeID === node)
  const value = of?.[field]
  return typeof value === 'number' ? value : undefined
}

/** An action's values with one field set, or with undefined left alone. */
export function withValue(
  { field, node }: Setting,
  values: CommandValues | undefined,
  value: number | undefined,
): CommandValues {
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

/** Whether an action may set a device: it takes commands, and its control mode does not hide its switches. */
export const isControllable = ({ PeripheralType, ControlMode }: Peripheral): boolean =>
  ControlMode !== SWITCHES_HIDDEN && typeIsControllable(PeripheralType)

/** Whether devices of a type take commands that an action can give. */
export const typeIsControllable = (type: string): boolean =>
  deviceType(type)?.capabilities.some(
    (one) => 'ThermostatTable' in one.command || 'SendIR' in one.command || settingsOf(one).length > 0,
  ) ?? false

/** What is asked before somebody gives this command by hand: an action gives it without asking. */
export function questionOf(type: string, values: CommandValues | undefined): Question | undefined {
  for (const { asksFirst } of deviceType(type)?.capabilities ?? []) {
    const question = values && asksFirst?.(values)
    if (question) return question
  }
  return undefined
}
