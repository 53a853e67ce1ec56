import { z } from 'zod'
import { type Capability, type CommandValues, diagnostics } from '../capabilities/capability.ts'
import { zone, type ThermostatNode } from '../capabilities/thermostat.ts'
import { ModbusKey } from '../../kernel/scalars.ts'
import { fieldShape } from './field-shape.ts'
import { deviceTypes, deviceType } from './registry.ts'
import { deviceOfMeter } from './meter-id.ts'

/**
 * Path of a device's quantity: a status field, or one value within a field (`ThermostatTable.3.Temperature`, `ModbusValues.flow`).
 * `readPath` parses it.
 */
export const HistoryField = z.string().regex(/^[A-Za-z0-9_]{1,64}(\.[A-Za-z0-9_]{1,64}){0,2}$/, 'id')

/** Fields of a meter's stored readings. */
export const READING_FIELDS = [
  'Power',
  'AvgElectricCurrent',
  'Voltage',
  'PowerFactor',
  'AccumulatePower',
] as const
type ReadingField = (typeof READING_FIELDS)[number]
/** Counter of a meter's second register, whose readings are stored as a separate meter (`returnIdOf`). */
export const RETURN_FIELD = 'AccumulateReturn'
export const isReadingField = (field: string): field is ReadingField | typeof RETURN_FIELD =>
  field === RETURN_FIELD || READING_FIELDS.some((readingField) => readingField === field)

/** Device and field of a meter's quantity; the second register's counter is a field of its device. */
export function pickOfDevice({ PeripheralUID: id, Field }: { PeripheralUID: string; Field: string }) {
  const { PeripheralUID, isReturn } = deviceOfMeter(id)
  return { PeripheralUID, Field: isReturn && Field === 'AccumulatePower' ? RETURN_FIELD : Field }
}

/** Fields that contain several quantities, each with a path: `ThermostatTable.3.Temperature`, `ModbusValues.flow`. */
const ZONES = 'ThermostatTable'
const REGISTERS = 'ModbusValues'
const ZONE_KEY = 'NodeID'
const ZONE_FIELDS = ['Temperature', 'TargetTemperature'] as const

/** Whether a device is reachable, 1 or 0: a state of every device that is derived from its hub's connection, not reported. */
export const ONLINE = 'Online'

interface HistoryFields {
  /** On/off fields and fields with named choices: their changes are events. */
  states: readonly string[]
  /** Sampled numbers with a unit, '' for none. Meter values are in readings instead. */
  figures: readonly string[]
  /** Numbers that count user actions: each change is an event, too. */
  counters: readonly string[]
  units: Readonly<Record<string, string>>
  zones: boolean
  registers: boolean
}

const isState = (capability: Capability, field: string): boolean =>
  ['onOff', 'choice'].includes(fieldShape(capability, field).as)

const ZONE_STATES = Object.keys(zone.status).filter((field) => isState(zone, field))

const byType = new Map<string, HistoryFields>()
for (const { type, capabilities } of deviceTypes) {
  // Meter fields are excluded, including PhaseShift: they are in readings.
  const ownCapabilities = [...capabilities.filter(({ name }) => name !== 'meter'), diagnostics]
  const fieldsThat = (matches: (capability: Capability, field: string) => boolean) => [
    ...new Set(
      ownCapabilities.flatMap((capability) =>
        Object.keys(capability.status).filter((field) => matches(capability, field)),
      ),
    ),
  ]
  const names = fieldsThat(() => true)
  byType.set(type, {
    states: fieldsThat(isState),
    figures: fieldsThat(
      (capability, field) =>
        fieldShape(capability, field).as === 'number' && capability.units[field] !== undefined,
    ),
    counters: fieldsThat((capability, field) => capability.counters?.includes(field) ?? false),
    units: Object.assign({}, ...[...capabilities, diagnostics].map(({ units }) => units)) as Record<
      string,
      string
    >,
    zones: names.includes(ZONES),
    registers: names.includes(REGISTERS),
  })
}

/** State fields of a type, in its order; those of thermostat zones are in `statesOf`. */
export const stateFields = (type: string): readonly string[] => byType.get(type)?.states ?? []

/** Sampled numbers of a type, in its order. */
export const figureFields = (type: string): readonly string[] => byType.get(type)?.figures ?? []

const everyState = new Set([...byType.values()].flatMap(({ states }) => states))
/** Whether a path is a state. This does not depend on the type: no name is a state in one type and a number in another. */
export function isStateField(path: string): boolean {
  const { field, zone: node } = readPath(path)
  return node === undefined ? path === ONLINE || everyState.has(path) : ZONE_STATES.includes(field)
}

/** Place in a status where the database finds the value of an event: a field, or a field of each entry of a list. */
interface EventPath {
  /** Path as in events, with `*` for the key of an entry. */
  path: string
  field: string
  /** Status field that contains the list, and the key field of its entries. */
  list: string | null
  key: string | null
}

/** Paths whose changes are events: states, those of zones, and counters. */
export const EVENT_PATHS: readonly EventPath[] = [
  ...new Set([...byType.values()].flatMap(({ states, counters }) => [...states, ...counters])),
]
  .map((field): EventPath => ({ path: field, field, list: null, key: null }))
  .concat(ZONE_STATES.map((field) => ({ path: `${ZONES}.*.${field}`, field, list: ZONES, key: ZONE_KEY })))

/** States and counters in a report, by path; the database extracts the same with EVENT_PATHS. */
export function eventValuesOf(type: string, values: CommandValues): [path: string, value: number][] {
  const fields = byType.get(type)
  if (!fields) return []
  return [
    ...[...fields.states, ...fields.counters].map((field) => [field, values[field]] as const),
    ...zoneValues(fields, values, ZONE_STATES),
  ].filter((entry): entry is [string, number] => typeof entry[1] === 'number')
}

export function hasEvents(type: string): boolean {
  const fields = byType.get(type)
  return fields !== undefined && (fields.zones || fields.states.length > 0 || fields.counters.length > 0)
}

/** States in a status, by path. */
export const statesOf = (type: string, values: CommandValues): [path: string, value: number][] =>
  eventValuesOf(type, values).filter(([path]) => isStateField(path))

const zoneValues = (
  { zones }: HistoryFields,
  values: CommandValues,
  fields: readonly string[],
): [path: string, value: unknown][] =>
  zones
    ? ((values[ZONES] ?? []) as ThermostatNode[]).flatMap((node) =>
        fields.map((field): [string, unknown] => [
          `${ZONES}.${node[ZONE_KEY]}.${field}`,
          node[field as keyof ThermostatNode],
        ]),
      )
    : []

/**
 * Samples that the history stores from a report: the path of each quantity and its value.
 *
 * values   result of `parseStatusFields`; null (unreadable) values are no samples
 */
export function samplesOf(type: string, values: CommandValues): [field: string, value: number][] {
  const fields = byType.get(type)
  if (!fields) return []
  const samples: [string, number][] = []
  const addValue = (path: string, value: unknown) => {
    if (typeof value === 'number') samples.push([path, value])
  }
  for (const field of fields.figures) addValue(field, values[field])
  for (const [path, value] of zoneValues(fields, values, ZONE_FIELDS)) addValue(path, value)
  if (fields.registers)
    for (const [key, value] of Object.entries(values[REGISTERS] ?? {})) addValue(`${REGISTERS}.${key}`, value)
  return samples
}

/** Parses a quantity's path: the field, and its zone or its key in the Modbus table. */
export function readPath(path: string): { field: string; zone?: number; modbusKey?: string } {
  const [first = '', second = '', third = ''] = path.split('.')
  if (first === ZONES) return { field: third, zone: Number(second) }
  if (first === REGISTERS) return { field: first, modbusKey: second }
  return { field: first }
}

/** Unit of a quantity by its path, '' for none; that of a Modbus value is in its table, that of a plain sensor in its status. */
export function unitOf(path: string): string {
  const { field, zone: node } = readPath(path)
  return (node === undefined ? units : zoneUnits).get(field) ?? ''
}
// A Map, because paths may be external input: an object would return a value for "constructor".
const units = new Map([...byType.values()].flatMap((fields) => Object.entries(fields.units)))
const zoneUnits = new Map(Object.entries(zone.units))

/** Current and voltage have their own limits (WarningThreshold), all of which §5 requires. */
const WITH_OWN_LIMITS = /^(AvgElectricCurrent|Current\d|Voltage\d?)$/
/** Numbers that only increase: they would exceed any upper limit and never return. */
const COUNTERS = new Set(['AccumulatePower', 'AccumulateReturn', 'Presses'])

const measuredByType = new Map<string, readonly string[]>()

/**
 * Measured numbers of a device type for which a user may set limits, in their order, those of any device last. Zones of a
 * thermostat and Modbus values are not included: they have paths (`mayLimit`).
 */
export function measuredFields(type: string): readonly string[] {
  let fields = measuredByType.get(type)
  if (!fields) {
    const capabilities = [...(deviceType(type)?.capabilities ?? []), diagnostics]
    fields = [
      ...new Set(
        capabilities.flatMap((capability) =>
          Object.keys(capability.status).filter(
            (field) =>
              !(field in capability.command) &&
              fieldShape(capability, field).as === 'number' &&
              !WITH_OWN_LIMITS.test(field) &&
              !COUNTERS.has(field),
          ),
        ),
      ),
    ]
    measuredByType.set(type, fields)
  }
  return fields
}

/** Whether a device type may measure the quantity of a path, e.g. `PM25`, `ThermostatTable.3.Temperature`, `ModbusValues.flow`. */
export function mayLimit(type: string, path: string): boolean {
  const { zone, modbusKey } = readPath(path)
  const hasField = (field: string) =>
    deviceType(type)?.capabilities.some(({ status }) => field in status) ?? false
  if (zone !== undefined) return hasField('ThermostatTable') && ZONE_TEMPERATURE.test(path) && zone <= 255
  if (modbusKey !== undefined)
    return (
      hasField('ModbusValues') &&
      ModbusKey.safeParse(modbusKey).success &&
      path === `ModbusValues.${modbusKey}`
    )
  return measuredFields(type).includes(path)
}
const ZONE_TEMPERATURE = /^ThermostatTable\.(0|[1-9]\d{0,2})\.Temperature$/

/** Quantities of one device for which limits can be set now: by its type, and by its reported zones and Modbus values. */
export function limitablePaths(
  type: string,
  status: Readonly<Record<string, unknown>> | undefined,
): string[] {
  const zones = (status?.['ThermostatTable'] ?? []) as ThermostatNode[]
  return [
    ...measuredFields(type).filter(
      // Not every device reports battery and link quality.
      (field) => !(field in diagnostics.status) || status?.[field] !== undefined,
    ),
    ...zones.map(({ NodeID }) => `ThermostatTable.${NodeID}.Temperature`),
    ...Object.keys((status?.['ModbusValues'] ?? {}) as object).map((key) => `ModbusValues.${key}`),
  ]
}

/** Number at a path in a device's status; undefined if it was not reported. */
export function figureAt(
  status: Readonly<Record<string, unknown>> | undefined,
  path: string,
): number | undefined {
  const { field, zone, modbusKey } = readPath(path)
  const value =
    zone !== undefined
      ? ((status?.['ThermostatTable'] ?? []) as ThermostatNode[]).find(({ NodeID }) => NodeID === zone)?.[
          field as 'Temperature'
        ]
      : modbusKey !== undefined
        ? (status?.['ModbusValues'] as Record<string, unknown> | undefined)?.[modbusKey]
        : status?.[field]
  return typeof value === 'number' ? value : undefined
}
