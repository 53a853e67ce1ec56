import type { AlarmState } from '../../../contract/rules/device/alarm-states.ts'

/** What is stored of a device's open alarm. */
export interface OpenAlarm {
  severity: 'critical' | 'warning'
  values: Readonly<Record<string, number>>
  acknowledged: boolean
}

/** What a report makes of a device's alarm; `replace` ends the open one and raises another. */
export type Step = 'none' | 'raise' | 'update' | 'replace' | 'clear'

/**
 * What a report that was not older than the newest makes of its device's alarm. What was acknowledged is what it said then:
 * something worse is a new alarm.
 *
 * open     the device's open alarm
 * settled  timestamp of the newest report that a person has cleared, which says nothing any more
 * state    what the report says that is an alarm
 * at       its timestamp
 */
export function stepOf(
  open: OpenAlarm | undefined,
  settled: number | undefined,
  state: AlarmState | undefined,
  at: number,
): Step {
  if (!state) return open ? 'clear' : 'none'
  if (!open) return settled !== undefined && at <= settled ? 'none' : 'raise'
  const { severity, values, acknowledged } = open
  const fields = Object.entries(state.Values)
  const isSame =
    severity === state.Severity &&
    fields.length === Object.keys(values).length &&
    fields.every(([field, value]) => values[field] === value)
  if (isSame) return 'none'
  const isWorse =
    (severity === 'warning' && state.Severity === 'critical') || fields.some(([field]) => !(field in values))
  return acknowledged && isWorse ? 'replace' : 'update'
}
