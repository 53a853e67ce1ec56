import { ModbusKey } from '../../kernel/scalars.ts'
import { diagnostics } from '../capabilities/diagnostics.ts'
import type { ThermostatNode } from '../capabilities/thermostat.ts'
import { fieldShape } from './field-shape.ts'
import { readPath } from './history-fields.ts'
import { deviceType } from './registry.ts'

/** Current and voltage have their own limits (WarningThreshold), all of which §5 requires. */
const WITH_OWN_LIMITS = /^(AvgElectricCurrent|Current\d|Voltage\d?)$/
/** Numbers that only increase: they would exceed any upper limit and never return. */
const COUNTERS = new Set(['AccumulatePower', 'AccumulateReturn', 'Presses'])

const byType = new Map<string, readonly string[]>()

/**
 * Measured numbers of a device type for which a user may set limits, in their order, those of any device last. Zones of a
 * thermostat and Modbus values are not included: they have paths (`mayLimit`).
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
