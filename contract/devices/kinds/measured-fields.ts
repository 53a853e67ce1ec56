import { ModbusKey } from '../../kernel/scalars.ts'
import { diagnostics } from '../capabilities/diagnostics.ts'
import type { ThermostatNode } from '../capabilities/thermostat.ts'
import { fieldShape } from './field-shape.ts'
import { readPath } from './history-fields.ts'
import { deviceType } from './registry.ts'

/** Current and voltage have limits of their own, of which §5 requires every one. */
const WITH_OWN_LIMITS = /^(AvgElectricCurrent|Current\d|Voltage\d?)$/
/** Figures that only ever rise, which would pass any upper limit and never return. */
const COUNTERS = new Set(['AccumulatePower', 'AccumulateReturn', 'Presses'])

const byType = new Map<string, readonly string[]>()

/**
 * The figures that devices of a type measure and a person may set limits for, in their order, those of any device last.
 * Zones of a thermostat and Modbus values are not among them: they are named by a path (`mayLimit`).
 */
export function measuredFields(type: string): readonly string[] {
  let fields = byType.get(type)
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
    byType.set(type, fields)
  }
  return fields
}

/** Whether a device of a type may measure the quantity of a path, e.g. `PM25`, `ThermostatTable.3.Temperature`, `ModbusValues.flow`. */
export function mayLimit(type: string, path: string): boolean {
  const { zone, modbusKey } = readPath(path)
  const has = (field: string) => deviceType(type)?.capabilities.some(({ status }) => field in status) ?? false
  if (zone !== undefined) return has('ThermostatTable') && ZONE_TEMPERATURE.test(path) && zone <= 255
  if (modbusKey !== undefined)
    return (
      has('ModbusValues') && ModbusKey.safeParse(modbusKey).success && path === `ModbusValues.${modbusKey}`
    )
  return measuredFields(type).includes(path)
}
const ZONE_TEMPERATURE = /^ThermostatTable\.(0|[1-9]\d{0,2})\.Temperature$/

/** The quantities of one device that a person may set limits for now: by its type, and the zones and Modbus values it reported. */
export function limitablePaths(
  type: string,
  status: Readonly<Record<string, unknown>> | undefined,
): string[] {
  const zones = (status?.['ThermostatTable'] ?? []) as ThermostatNode[]
  return [
    ...measuredFields(type).filter(
      // Not every device has a battery, or says how well it is heard.
      (field) => !(field in diagnostics.status) || status?.[field] !== undefined,
    ),
    ...zones.map(({ NodeID }) => `ThermostatTable.${NodeID}.Temperature`),
    ...Object.keys((status?.['ModbusValues'] ?? {}) as object).map((key) => `ModbusValues.${key}`),
  ]
}

/** The figure of a path in a device's status; undefined where it reported none. */
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
