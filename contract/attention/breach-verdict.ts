import type { AlarmReading } from '../alarms/calls.ts'
import type { Peripheral, WarningThreshold } from '../devices/peripheral.ts'
import { breachesOf, type Breach } from '../devices/warning-threshold.ts'

type Limited = Pick<Peripheral, 'WarningThreshold' | 'ValueLimits'>
type Readings = Readonly<Record<string, unknown>> | undefined

/** Distance to its limit, as a share of the limit, that a value must reach before its alarm may end. */
const HYSTERESIS = 0.02

/** Position of a device's readings: outside their limits, within them, or so close to a breached limit that an open alarm stays. */
export type BreachVerdict = 'outside' | 'close' | 'within'

/**
 * Compares a device's last report with the configured limits.
 *
 * breached  fields of its open alarm, which must return by 2 % of the limit, or by a quarter of the band if that is less
 */
export function judgeBreach(
  limits: Limited,
  status: Readings,
  breached: ReadonlySet<string> = new Set(),
): { verdict: BreachVerdict; breaches: readonly Breach[] } {
  const breaches = breachesOf(limits, status)
  if (breaches.length > 0) return { verdict: 'outside', breaches }
  const isClose =
    breached.size > 0 && breachesOf(narrowed(limits), status).some(({ field }) => breached.has(field))
  return { verdict: isClose ? 'close' : 'within', breaches }
}

export const readingsOf = (breaches: readonly Breach[]): AlarmReading[] =>
  breaches.map(({ field, value, limit, side }) => ({
    Field: field,
    Logical: side === 'lower' ? '<' : '>',
    Limit: limit,
    Value: value,
    Peak: value,
    CrossesAt: null,
  }))

/** Converts a reading of an alarm to a breach of its limit; empty if no value is known. */
export function breachOf({ Field: field, Value: value, Limit, Logical }: AlarmReading): Breach[] {
  if (value === null) return []
  const [lower, upper] = Array.isArray(Limit) ? Limit : [Limit, Limit]
  const side = Array.isArray(Limit)
    ? value < lower
      ? 'lower'
      : 'upper'
    : Logical.startsWith('<')
      ? 'lower'
      : 'upper'
  return [{ field, value, limit: side === 'lower' ? lower : upper, side }]
}

function narrowed({ WarningThreshold: threshold, ValueLimits }: Limited): Limited {
  return {
    WarningThreshold: threshold && narrowedLines(threshold),
    ValueLimits:
      ValueLimits &&
      Object.fromEntries(
        Object.entries(ValueLimits).map(([path, { Lower, Upper }]) => {
          const [lower, upper] = narrow(Lower ?? -Infinity, Upper ?? Infinity)
          return [path, { Lower: finite(lower), Upper: finite(upper) }]
        }),
      ),
  }
}

function narrowedLines({ CurrentLower, CurrentUpper, VoltageLower, VoltageUpper }: WarningThreshold) {
  const [currentLower, currentUpper] = narrow(CurrentLower, CurrentUpper)
  const [voltageLower, voltageUpper] = narrow(VoltageLower, VoltageUpper)
  return {
    CurrentLower: currentLower,
    CurrentUpper: currentUpper,
    VoltageLower: voltageLower,
    VoltageUpper: voltageUpper,
  }
}

const narrow = (lower: number, upper: number): [number, number] => {
  const maxChange = (upper - lower) / 4
  const by = (limit: number) =>
    Number.isFinite(limit) ? Math.min(Math.abs(limit) * HYSTERESIS, maxChange) : 0
  return [lower + by(lower), upper - by(upper)]
}

const finite = (limit: number): number | null => (Number.isFinite(limit) ? limit : null)
