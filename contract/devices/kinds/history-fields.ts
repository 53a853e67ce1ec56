import { z } from 'zod'
import type { Capability, CommandValues } from '../capabilities/capability.ts'
import { diagnostics } from '../capabilities/diagnostics.ts'
import { zone, type ThermostatNode } from '../capabilities/thermostat.ts'
import { fieldShape } from './field-shape.ts'
import { deviceTypes } from './registry.ts'
import { deviceOfMeter } from '../meter-roles.ts'

/**
 * A quantity of a device: a status field, or the path of one value among many (`ThermostatTable.3.Temperature`,
 * `ModbusValues.flow`), which `readPath` takes apart.
 */
export const HistoryField = z.string().regex(/^[A-Za-z0-9_]{1,64}(\.[A-Za-z0-9_]{1,64}){0,2}$/, 'id')

/** What a meter's stored readings hold. */
export const READING_FIELDS = [
  'Power',
  'AvgElectricCurrent',
  'Voltage',
  'PowerFactor',
  'AccumulatePower',
] as const
export type ReadingField = (typeof READING_FIELDS)[number]
/** The counter of a meter's second register, whose readings are those of a meter of its own (`returnIdOf`). */
export const RETURN_FIELD = 'AccumulateReturn'
export const isReadingField = (field: string): field is ReadingField | typeof RETURN_FIELD =>
  field === RETURN_FIELD || READING_FIELDS.some((one) => one === field)

/** The device and field behind a quantity of a meter: what its second register shows is a field of its device. */
export function pickOfDevice({ PeripheralUID: id, Field }: { PeripheralUID: string; Field: string }) {
  const { PeripheralUID, isReturn } = deviceOfMeter(id)
  return { PeripheralUID, Field: isReturn && Field === 'AccumulatePower' ? RETURN_FIELD : Field }
}

/** Fields that hold the values of many quantities: a path names one, `ThermostatTable.3.Temperature`, `ModbusValues.flow`. */
const ZONES = 'ThermostatTable'
const REGISTERS = 'ModbusValues'
const ZONE_KEY = 'NodeID'
const ZONE_FIELDS = ['Temperature', 'TargetTemperature'] as const

/** Whether a device can be heard, 1 or 0: a state of every device that none reports; its hub's presence tells it. */
export const ONLINE = 'Online'

interface HistoryFields {
  /** Relays, and fields that hold one of some names: their changes are events. */
  states: readonly string[]
  /** Figures with a unit, '' for one that has none: they are sampled. What meters count and measure is in their readings. */
  figures: readonly string[]
  /** Figures that count what people do: each change of one is an event, too. */
  counters: readonly string[]
  units: Readonly<Record<string, string>>
  zones: boolean
  registers: boolean
}

const isState = (capability: Capability, field: string): boolean =>
  ['onOff', 'choice'].includes(fieldShape(capability, field).as)

/** What of each zone is a state, by the rule for fields. */
const ZONE_STATES = Object.keys(zone.status).filter((field) => isState(zone, field))

const byType = new Map<string, HistoryFields>()
for (const { type, capabilities } of deviceTypes) {
  // How a meter's current stands to its voltage is measured, as its power is.
  const own = [...capabilities.filter(({ name }) => name !== 'meter'), diagnostics]
  const fieldsThat = (is: (capability: Capability, field: string) => boolean) => [
    ...new Set(
      own.flatMap((capability) => Object.keys(capability.status).filter((field) => is(capability, field))),
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

/** The status fields of a type that are states, in its order; those of a thermostat's zones are in `statesOf`. */
export const stateFields = (type: string): readonly string[] => byType.get(type)?.states ?? []

/** The figures of a type that are sampled, in its order. */
export const figureFields = (type: string): readonly string[] => byType.get(type)?.figures ?? []

const everyState = new Set([...byType.values()].flatMap(({ states }) => states))
/** Whether a path is a state, of whatever type: the same name is never a figure elsewhere. */
export function isStateField(path: string): boolean {
  const { field, zone: node } = readPath(path)
  return node === undefined ? path === ONLINE || everyState.has(path) : ZONE_STATES.includes(field)
}

/** Where in a status the database finds what is an event: a field, or one of each entry of a list. */
export interface EventPath {
  /** As events call it, `*` for the key of an entry. */
  path: string
  field: string
  /** The status field that holds the list, and by which field its entries are told apart. */
  list: string | null
  key: string | null
}

/** All whose change is an event: states, those of zones, and counters. */
export const EVENT_PATHS: readonly EventPath[] = [
  ...new Set([...byType.values()].flatMap(({ states, counters }) => [...states, ...counters])),
]
  .map((field): EventPath => ({ path: field, field, list: null, key: null }))
  .concat(ZONE_STATES.map((field) => ({ path: `${ZONES}.*.${field}`, field, list: ZONES, key: ZONE_KEY })))

/** What a report says of states and counters: the path of each and its value; the database takes the same by EVENT_PATHS. */
export function eventValuesOf(type: string, values: CommandValues): [path: string, value: number][] {
  const fields = byType.get(type)
  if (!fields) return []
  return [
    ...[...fields.states, ...fields.counters].map((field) => [field, values[field]] as const),
    ...zoneValues(fields, values, ZONE_STATES),
  ].filter((one): one is [string, number] => typeof one[1] === 'number')
}

/** Whether anything of a type can be an event. */
export function hasEvents(type: string): boolean {
  const fields = byType.get(type)
  return fields !== undefined && (fields.zones || fields.states.length > 0 || fields.counters.length > 0)
}

/** The states of a type that a status has, with their values. */
export const statesOf = (type: string, values: CommandValues): [path: string, value: number][] =>
  eventValuesOf(type, values).filter(([path]) => isStateField(path))

/** Paths and values of fields of each zone in a report. */
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
 * What a report measured, as the history keeps it: the path of each quantity and its value.
 *
 * values   as parseStatusFields leaves them; a value that could not be read (null) is no sample
 */
export function samplesOf(type: string, values: CommandValues): [field: string, value: number][] {
  const fields = byType.get(type)
  if (!fields) return []
  const samples: [string, number][] = []
  const take = (path: string, value: unknown) => {
    if (typeof value === 'number') samples.push([path, value])
  }
  for (const field of fields.figures) take(field, values[field])
  for (const [path, value] of zoneValues(fields, values, ZONE_FIELDS)) take(path, value)
  if (fields.registers)
    for (const [key, value] of Object.entries(values[REGISTERS] ?? {})) take(`${REGISTERS}.${key}`, value)
  return samples
}

/** A quantity's path, taken apart: the field, and of which zone or by which key of the Modbus table. */
export function readPath(path: string): { field: string; zone?: number; modbusKey?: string } {
  const [first = '', second = '', third = ''] = path.split('.')
  if (first === ZONES) return { field: third, zone: Number(second) }
  if (first === REGISTERS) return { field: first, modbusKey: second }
  return { field: first }
}

/** The unit of a quantity by its path, '' for one without; a Modbus value's stands in its table, a plain sensor's in its status. */
export function unitOf(path: string): string {
  const { field, zone: node } = readPath(path)
  return (node === undefined ? units : zoneUnits).get(field) ?? ''
}
// A path may come from anywhere: an object would have a unit for "constructor", too.
const units = new Map([...byType.values()].flatMap((fields) => Object.entries(fields.units)))
const zoneUnits = new Map(Object.entries(zone.units))
