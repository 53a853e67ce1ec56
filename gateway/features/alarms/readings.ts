import type { AlarmReading } from '../../../contract/procedures/alarms.ts'
import type { AlarmRow } from './alarm-rows.ts'
import type { Says } from './signals.ts'

const keyOf = ({ Field, Logical }: AlarmReading): string => `${Field} ${Logical}`

/** Readings as they are now, each with the worst since the alarm was raised. */
export const mergeReadings = (
  before: readonly AlarmReading[],
  now: readonly AlarmReading[],
): AlarmReading[] =>
  now.map((reading) => {
    const known = before.find((one) => keyOf(one) === keyOf(reading))
    return { ...reading, Peak: worst(reading, [known?.Peak, reading.Peak, reading.Value]) }
  })

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
