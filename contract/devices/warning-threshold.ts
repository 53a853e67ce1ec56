import { figureAt } from './kinds/history-fields.ts'
import type { Peripheral, WarningThreshold } from './peripheral.ts'

export interface Breach {
  /** Status field, e.g. AvgElectricCurrent or Voltage2, or the path of a quantity, e.g. `ModbusValues.flow`. */
  field: string
  value: number
  /** Limit that was exceeded, and its side. */
  limit: number
  side: 'lower' | 'upper'
}

const CURRENT = /^(AvgElectricCurrent|Current\d)$/
const VOLTAGE = /^Voltage\d?$/
/** Whether a status field is a meter's current in A or voltage in V, of all its lines or of one. */
export const isCurrentField = (field: string): boolean => CURRENT.test(field)
export const isVoltageField = (field: string): boolean => VOLTAGE.test(field)

/**
 * Readings of a device's last report outside the configured limits: current and voltage line by line if a meter measures several,
 * then every other quantity by its path.
 *
 * status   current in A, voltage in V, others in their own unit
 * special  a value equal to a limit is within; without limits or for unknown values there are no breaches
 * source   §5 Warning thresholds; ValueLimits: decision 0018
 */
export function breachesOf(
  { WarningThreshold, ValueLimits }: Pick<Peripheral, 'WarningThreshold' | 'ValueLimits'>,
  status: Readonly<Record<string, unknown>> | undefined,
): Breach[] {
  if (!status) return []
  return [
    ...(WarningThreshold ? lineBreaches(WarningThreshold, status) : []),
    ...Object.entries(ValueLimits ?? {}).flatMap(([path, { Lower, Upper }]) =>
      outside(path, figureAt(status, path), Lower ?? -Infinity, Upper ?? Infinity),
    ),
  ]
}

const lineBreaches = (
  { CurrentLower, CurrentUpper, VoltageLower, VoltageUpper }: WarningThreshold,
  status: Readonly<Record<string, unknown>>,
): Breach[] =>
  Object.entries(status).flatMap(([field, value]) =>
    isCurrentField(field)
      ? outside(field, value, CurrentLower, CurrentUpper)
      : isVoltageField(field)
        ? outside(field, value, VoltageLower, VoltageUpper)
        : [],
  )

function outside(field: string, value: unknown, lower: number, upper: number): Breach[] {
  if (typeof value !== 'number') return []
  if (value < lower) return [{ field, value, limit: lower, side: 'lower' }]
  return value > upper ? [{ field, value, limit: upper, side: 'upper' }] : []
}
