import type { Alarm, AlarmReading } from '../../../../contract/alarms/calls.ts'
import { figureAt } from '../../../../contract/devices/kinds/history-fields.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { AlarmRow, StoredReading } from './alarm-rows.ts'
import type { AlarmSignalState } from './signals.ts'

const keyOf = ({ Field, Logical }: AlarmReading): string => `${Field} ${Logical}`

/**
 * Current readings, each with its value at raising and its peak since. A rule may have the same condition for several
 * devices: those are matched by order.
 */
export function mergeReadings(
  previous: readonly StoredReading[],
  current: readonly AlarmReading[],
): StoredReading[] {
  const previousByIndex = matchPrevious(previous, current)
  return current.map((reading, i) => ({
    ...reading,
    Raised: previousByIndex[i] ? (previousByIndex[i].Raised ?? null) : reading.Value,
    Peak: worstValue(reading, [previousByIndex[i]?.Peak, reading.Peak, reading.Value]),
  }))
}

/** Whether a value is worse than any since the alarm was raised. */
export const isWorseReading = (previous: readonly AlarmReading[], merged: readonly AlarmReading[]): boolean =>
  matchPrevious(previous, merged).some(
    (reading, i) => reading !== undefined && reading.Peak !== merged[i]?.Peak,
  )

/** Previous reading of each current one, in order. */
function matchPrevious(
  previous: readonly StoredReading[],
  current: readonly AlarmReading[],
): readonly (StoredReading | undefined)[] {
  const remaining = [...previous]
  return current.map((reading) => {
    const index = remaining.findIndex((candidate) => keyOf(candidate) === keyOf(reading))
    return index < 0 ? undefined : remaining.splice(index, 1)[0]
  })
}

/** The value furthest beyond the limit; of equal ones the newest. */
function worstValue(
  { Limit, Logical }: AlarmReading,
  all: readonly (number | null | undefined)[],
): number | null {
  const values = all.filter((value) => value !== null && value !== undefined)
  const excess = (value: number): number => {
    if (!Array.isArray(Limit)) return Logical.startsWith('<') ? Limit - value : value - Limit
    return Math.max(Limit[0] - value, value - Limit[1])
  }
  return values.reduce<number | null>(
    (found, value) => (found === null || excess(value) >= excess(found) ? value : found),
    null,
  )
}

/** Whether an open alarm already contains this state: compares severity, fields and conditions, not measured values. */
export function isReported(row: AlarmRow, { severity, values, readings }: AlarmSignalState): boolean {
  const fields = Object.entries(values)
  return (
    row.severity === severity &&
    fields.length === Object.keys(row.values).length &&
    fields.every(([field, value]) => row.values[field] === value) &&
    readings.length === row.readings.length &&
    readings.every((reading) => row.readings.some((stored) => keyOf(stored) === keyOf(reading)))
  )
}

/** Whether a field or condition is affected that was not before. */
export const introducesField = (row: AlarmRow, { values, readings }: AlarmSignalState): boolean =>
  Object.keys(values).some((field) => !(field in row.values)) ||
  readings.some((reading) => !row.readings.some((stored) => keyOf(stored) === keyOf(reading)))

/** Readings of alarm `a` as calls return them; Value is that of the last stored change. */
export const READINGS = sql`(select coalesce(jsonb_agg('{"Raised": null}'::jsonb || r.value
  || jsonb_build_object('At', a.reported_at) order by r.place), '[]'::jsonb)
  from jsonb_array_elements(a.readings) with ordinality as r (value, place))`

/** Replaces the values of open breaches by each device's last report: a breach stores no value unless it gets worse. */
export async function withLatestReadings(
  db: Db,
  tenant: string,
  alarms: readonly Alarm[],
): Promise<readonly Alarm[]> {
  const uids = alarms.flatMap((alarm) => (isOpenBreach(alarm) ? [alarm.PeripheralUID] : []))
  if (uids.length === 0) return alarms
  const rows = await db.query<{ uid: string; at: number; values: Record<string, unknown> }>(sql`
    select peripheral_uid as uid, timestamp as at, values from device_status
    where tenant = ${tenant} and peripheral_uid = any(${uids}::text[])`)
  const statuses = new Map(rows.map((row) => [row.uid, row]))
  return alarms.map((alarm) => {
    const status = isOpenBreach(alarm) ? statuses.get(alarm.PeripheralUID) : undefined
    if (!status) return alarm
    const Readings = alarm.Readings.map((reading) => ({
      ...reading,
      Value: figureAt(status.values, reading.Field) ?? null,
      At: status.at,
    }))
    return { ...alarm, Readings }
  })
}

const isOpenBreach = (alarm: Alarm): alarm is Alarm & { PeripheralUID: string } =>
  alarm.Kind === 'breach' && alarm.Cleared === null && alarm.PeripheralUID !== null
