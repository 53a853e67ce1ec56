import { type Choices, diagnostics, type Capability } from '../devices/capabilities/capability.ts'
import type { ThermostatNode } from '../devices/capabilities/thermostat.ts'
import { zone } from '../devices/capabilities/thermostat.ts'
import { fieldShape } from '../devices/kinds/field-shape.ts'
import { readPath, unitOf } from '../devices/kinds/history-fields.ts'
import { capabilityOf, deviceType, reportsNothing } from '../devices/kinds/registry.ts'
import type { Comparison } from './comparison.ts'
import { HOME_MEASURES, HOME_SUBJECT, METER_SUMS } from './condition.ts'
import { VIRTUAL_PREFIX } from '../meters/virtual-meter.ts'

/**
 * Subject of a condition.
 *
 * PeripheralUID  a device, a virtual meter, or `home`
 * type           a device's type; undefined for a virtual meter and for the home
 * status         last report of the device: its zones and registers, and the unit of a plain sensor
 * modbusKeys     keys of the Modbus table assigned to the device, with their units
 */
export interface Subject {
  PeripheralUID: string
  type?: string | undefined
  status?: Readonly<Record<string, unknown>> | undefined
  modbusKeys?: Readonly<Record<string, string>> | undefined
}

/** Kinds of fields that conditions distinguish; a counter counts user actions. */
export type SubjectShape = 'onOff' | 'choice' | 'number' | 'counter'

/** Field that a condition may name; unit '' for none, choices for shape choice. */
export interface SubjectField {
  field: string
  shape: SubjectShape
  unit: string
  choices?: Choices
}

/** Fields that count user actions: each change is an event. */
const COUNTERS = new Set(['Presses'])

const number = (field: string, unit: string): SubjectField => ({ field, shape: 'number', unit })
const SUMS = METER_SUMS.map((field) => number(field, 'kWh'))
const HOME = HOME_MEASURES.map((field) => number(field, field === 'DemandShare' ? '%' : 'kW'))
const ONLINE: SubjectField = { field: 'Online', shape: 'onOff', unit: '' }
const SILENT = number('SilentFor', 's')

/** Condition field for a field of a capability; undefined if it contains neither a number nor a state. */
function fieldIn(capability: Capability, field: string, path: string): SubjectField | undefined {
  const shape = fieldShape(capability, field)
  if (shape.as === 'other') return undefined
  const unit = capability.units[field] ?? ''
  if (shape.as === 'choice') return { field: path, shape: 'choice', unit, choices: shape.choices }
  return { field: path, shape: COUNTERS.has(field) ? 'counter' : shape.as, unit }
}

const zoneField = (node: number, field: string) => fieldIn(zone, field, `ThermostatTable.${node}.${field}`)

/** Fields that devices of a type report, across all capabilities, without duplicates. */
function reported(type: string, status: Subject['status']): SubjectField[] {
  const fields = new Map<string, SubjectField>()
  for (const capability of deviceType(type)?.capabilities ?? [])
    for (const field of Object.keys(capability.status)) {
      const known = fieldIn(capability, field, field)
      if (known && !fields.has(field)) fields.set(field, known)
    }
  const plain = fields.get('Value')
  if (plain && typeof status?.['Unit'] === 'string') fields.set('Value', { ...plain, unit: status['Unit'] })
  return [...fields.values()]
}

/** Zones of a thermostat and values of a Modbus table, by path. */
function listed({ type = '', status, modbusKeys }: Subject): SubjectField[] {
  const zones = capabilityOf(type, 'thermostat')
    ? ((status?.['ThermostatTable'] ?? []) as ThermostatNode[])
    : []
  return [
    ...zones.flatMap(({ NodeID }) =>
      Object.keys(zone.status).flatMap((field) => zoneField(NodeID, field) ?? []),
    ),
    ...(capabilityOf(type, 'modbus')
      ? Object.entries(modbusKeys ?? {}).map(([key, unit]) => number(`ModbusValues.${key}`, unit))
      : []),
  ]
}

/** Fields that a condition on a subject may name, in the order in which an editor offers them. */
export function fieldsOfSubject(subject: Subject): SubjectField[] {
  const { PeripheralUID, type, status } = subject
  if (PeripheralUID === HOME_SUBJECT) return HOME
  if (PeripheralUID.startsWith(VIRTUAL_PREFIX)) return SUMS
  if (type === undefined || !deviceType(type)) return []
  return [
    ...reported(type, status),
    ...listed(subject),
    ...(capabilityOf(type, 'meter') ? SUMS : []),
    ...Object.keys(diagnostics.status).flatMap((field) => fieldIn(diagnostics, field, field) ?? []),
    ONLINE,
    // A device that never reports cannot become silent.
    ...(reportsNothing(deviceType(type)) ? [] : [SILENT]),
  ]
}

/** Field of a subject by its path, including zones that have not reported yet; undefined if it does not have the field. */
export function subjectField(subject: Subject, path: string): SubjectField | undefined {
  const known = fieldsOfSubject(subject).find(({ field }) => field === path)
  const { field, zone: node } = readPath(path)
  if (known || node === undefined || !capabilityOf(subject.type ?? '', 'thermostat')) return known
  if (!Number.isInteger(node) || node < 0 || node > 255 || !Object.hasOwn(zone.status, field))
    return undefined
  const found = zoneField(node, field)
  return found?.field === path ? { ...found, unit: unitOf(path) } : undefined
}

const NUMBERS = ['>', '>=', '<', '<=', '=', '!=', 'between', 'outside'] as const
const COMPARISONS_OF: Record<SubjectShape, readonly Comparison[]> = {
  onOff: ['=', '!='],
  choice: ['=', '!='],
  number: NUMBERS,
  counter: ['changed'],
}

/** Allowed comparisons for a shape, in the order in which an editor offers them. */
export const comparisonsOf = (shape: SubjectShape): readonly Comparison[] => COMPARISONS_OF[shape]

/** Whether a value is valid for a field: 0 or 1, or one of its choices. */
export const isValueOf = ({ shape, choices }: SubjectField, value: number): boolean =>
  shape === 'onOff'
    ? value === 0 || value === 1
    : shape !== 'choice' || (choices ?? []).some(([one]) => one === value)
