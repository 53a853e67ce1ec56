import type { Alarm, AlarmReading } from '../../../../contract/alarms/calls.ts'
import { figureAt } from '../../../../contract/devices/kinds/measured-fields.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { AlarmRow, StoredReading } from './alarm-rows.ts'
import type { AlarmSignalState } from './signals.ts'

const keyOf = ({ Field, Logical }: AlarmReading): string => `${Field} ${Logical}`

/**
 * Readings as they are now, each with its value when it was raised and the worst since. Conditions of a rule may ask the same of several devices:
 * the second of them is the second of those before.
 */
export function mergeReadings(
  before: readonly StoredReading[],
  now: readonly AlarmReading[],
): StoredReading[] {
  const known = knownOf(before, now)
  return now.map((reading, i) => ({
    ...reading,
    Raised: known[i] ? (known[i].Raised ?? null) : reading.Value,
    Peak: worst(reading, [known[i]?.Peak, reading.Peak, reading.Value]),
  }))
}

/** Whether a value is worse now than it ever was since the alarm was raised. */
export const isWorseReading = (before: readonly AlarmReading[], merged: readonly AlarmReading[]): boolean =>
  knownOf(before, merged).some((one, i) => one !== undefined && one.Peak !== merged[i]?.Peak)

/** What was known of each reading, in their order. */
function knownOf(
  before: readonly StoredReading[],
  now: readonly AlarmReading[],
): readonly (StoredReading | undefined)[] {
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
export function isReported(row: AlarmRow, { severity, values, readings }: AlarmSignalState): boolean {
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
export const introducesField = (row: AlarmRow, { values, readings }: AlarmSignalState): boolean =>
  Object.keys(values).some((field) => !(field in row.values)) ||
  readings.some((reading) => !row.readings.some((one) => keyOf(one) === keyOf(reading)))

/** Readings of alarm `a` as calls answer them: its Value is of the last change that is stored. */
export const READINGS = sql`(select coalesce(jsonb_agg('{"Raised": null}'::jsonb || r.value
  || jsonb_build_object('At', a.reported_at) order by r.place), '[]'::jsonb)
  from jsonb_array_elements(a.readings) with ordinality as r (value, place))`

/** Open alarms of devices with what each device reported last: of a breach no value is stored while it gets no worse. */
export async function withLatest(
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
