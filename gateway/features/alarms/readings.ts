import type { AlarmReading } from '../../../contract/procedures/alarms.ts'
import type { AlarmRow } from './alarm-rows.ts'
import type { Says } from './signals.ts'

const keyOf = ({ Field, Logical }: AlarmReading): string => `${Field} ${Logical}`

/**
 * Readings as they are now, each with the worst since the alarm was raised. Conditions of a rule may ask the same of several devices:
 * the second of them is the second of those before.
 */
export function mergeReadings(before: readonly AlarmReading[], now: readonly AlarmReading[]): AlarmReading[] {
  const known = knownOf(before, now)
  return now.map((reading, i) => ({
    ...reading,
    Peak: worst(reading, [known[i]?.Peak, reading.Peak, reading.Value]),
  }))
}

/** Whether a value is worse now than it ever was since the alarm was raised. */
export const isWorseThan = (before: readonly AlarmReading[], merged: readonly AlarmReading[]): boolean =>
  knownOf(before, merged).some((one, i) => one !== undefined && one.Peak !== merged[i]?.Peak)

/** What was known of each reading, in their order. */
function knownOf(
  before: readonly AlarmReading[],
  now: readonly AlarmReading[],
): readonly (AlarmReading | undefined)[] {
  const left = [...before]
  return now.map((reading) => {
    const at = left.findIndex((one) => keyOf(one) === keyOf(reading))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
}

/** The one that is furthest beyond the limit, or where no value is, the newest. */
function worst({ Limit, Logical }: AlarmReading, all: readonly (number | null | undefined)[]): number | null {
  const values = all.filter((value) => value !== null && value !== undefined)
  const beyond = (value: number): number => {
    if (!Array.isArray(Limit)) return Logical.startsWith('<') ? Limit - value : value - Limit
    return Math.max(Limit[0] - value, value - Limit[1])
  }
  return values.reduce<number | null>(
    (found, value) => (found === null || beyond(value) >= beyond(found) ? value : found),
    null,
  )
}

/** Whether an open alarm says this already: what is measured now changes nothing, only what is wrong. */
export function isSaid(row: AlarmRow, { severity, values, readings }: Says): boolean {
  const fields = Object.entries(values)
  return (
    row.severity === severity &&
    fields.length === Object.keys(row.values).length &&
    fields.every(([field, value]) => row.values[field] === value) &&
    readings.length === row.readings.length &&
    readings.every((reading) => row.readings.some((one) => keyOf(one) === keyOf(reading)))
  )
}

/** Whether something is wrong that was not. */
export const addsField = (row: AlarmRow, { values, readings }: Says): boolean =>
  Object.keys(values).some((field) => !(field in row.values)) ||
  readings.some((reading) => !row.readings.some((one) => keyOf(one) === keyOf(reading)))
