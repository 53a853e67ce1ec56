import type { WarningThreshold } from '../../resources/peripheral.ts'

/** A reading outside of its limits. */
export interface Breach {
  /** The status field at fault, e.g. AvgElectricCurrent or Voltage2. */
  field: string
  value: number
  /** The limit that it passed, and which one that is. */
  limit: number
  side: 'lower' | 'upper'
}

const CURRENT = /^(AvgElectricCurrent|Current\d)$/
const VOLTAGE = /^Voltage\d?$/

/**
 * What of a meter's last reading lies outside of the limits that a person set, line by line where it measures several.
 *
 * status   current in A, voltage in V
 * special  a value on a limit is within; no limits, no breaches
 * source   §5 Warning thresholds
 */
export function breachesOf(
  threshold: WarningThreshold | null,
  status: Readonly<Record<string, unknown>> | undefined,
): Breach[] {
  if (!threshold || !status) return []
  const { CurrentLower, CurrentUpper, VoltageLower, VoltageUpper } = threshold
  return Object.entries(status).flatMap(([field, value]): Breach[] => {
    if (typeof value !== 'number') return []
    const [lower, upper] = CURRENT.test(field)
      ? [CurrentLower, CurrentUpper]
      : VOLTAGE.test(field)
        ? [VoltageLower, VoltageUpper]
        : [-Infinity, Infinity]
    if (value < lower) return [{ field, value, limit: lower, side: 'lower' }]
    return value > upper ? [{ field, value, limit: upper, side: 'upper' }] : []
  })
}
