import { z } from 'zod'
import type { CommandValues } from './capability.ts'
import { diagnostics } from './capabilities/diagnostics.ts'
import { zone, type ThermostatNode } from './capabilities/thermostat.ts'
import { fieldShape } from './field-shape.ts'
import { deviceTypes } from './registry.ts'

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
export const isReadingField = (field: string): field is ReadingField =>
  READING_FIELDS.some((one) => one === field)

/** Fields that hold the values of many quantities: a path names one, `ThermostatTable.3.Temperature`, `ModbusValues.flow`. */
const ZONES = 'ThermostatTable'
const REGISTERS = 'ModbusValues'
const ZONE_FIELDS = ['Temperature', 'TargetTemperature'] as const

interface HistoryFields {
  /** Relays, and fields that hold one of some names: their changes are events. */
  states: readonly string[]
  /** Figures with a unit, '' for one that has none: they are sampled. What meters count and measure is in their readings. */
  figures: readonly string[]
  units: Readonly<Record<string, string>>
  zones: boolean
  registers: boolean
}

const byType = new Map<string, HistoryFields>()
for (const { type, capabilities } of deviceTypes) {
  // How a meter's current stands to its voltage is measured, as its power is.
  const own = [...capabilities.filter(({ name }) => name !== 'meter'), diagnostics]
  const fieldsThat = (is: (shape: string, unit: string | undefined) => boolean) => [
    ...new Set(
      own.flatMap((capability) =>
        Object.keys(capability.status).filter((field) =>
          is(fieldShape(capability, field).as, capability.units[field]),
        ),
      ),
    ),
  ]
  const names = fieldsThat(() => true)
  byType.set(type, {
    states: fieldsThat((shape) => shape === 'onOff' || shape === 'choice'),
    figures: fieldsThat((shape, unit) => shape === 'number' && unit !== undefined),
    units: Object.assign({}, ...[...capabilities, diagnostics].map(({ units }) => units)) as Record<
      string,
      string
    >,
    zones: names.includes(ZONES),
    registers: names.includes(REGISTERS),
  })
}

/** The states of a type whose changes are events, in its order. */
export const stateFields = (type: string): readonly string[] => byType.get(type)?.states ?? []

/** The figures of a type that are sampled, in its order. */
export const figureFields = (type: string): readonly string[] => byType.get(type)?.figures ?? []

const everyState = new Set([...byType.values()].flatMap(({ states }) => states))
/** Whether a field is a state, of whatever type: the same name is never a figure elsewhere. */
export const isStateField = (field: string): boolean => everyState.has(field)

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
  if (fields.zones)
    for (const node of (values[ZONES] ?? []) as ThermostatNode[])
      for (const field of ZONE_FIELDS) take(`${ZONES}.${node.NodeID}.${field}`, node[field])
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
