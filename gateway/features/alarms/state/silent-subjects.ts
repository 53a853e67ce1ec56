import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import {
  joined,
  type TruthValue,
  evaluateCondition,
} from '../../../../contract/automation/evaluate-conditions.ts'

/** Subject of a condition of a rule. */
export interface SubjectStatus {
  isMaintained: boolean
  /** Whether its hub is offline, or has reconnected too recently for its devices to have reported. */
  isAway: boolean
}

/**
 * Whether the alarm of a rule depends on silent sources: devices in maintenance, and missing values of devices whose
 * hub is offline. Their conditions count as unknown. So a rule that joins conditions by AND is muted while any of its
 * devices is in maintenance, because it cannot be true without that one; by OR only while no other device makes it
 * true.
 *
 * subjects, readings  of each condition, in order
 */
export function dependsOnSilentDevice(
  logical: Conditions['Logical'],
  subjects: readonly SubjectStatus[],
  readings: readonly AlarmReading[],
): boolean {
  const isSilent = ({ isMaintained, isAway }: SubjectStatus, i: number): boolean =>
    isMaintained || (isAway && (readings[i]?.Field === 'SilentFor' || (readings[i]?.Value ?? null) === null))
  const areSilent = subjects.map(isSilent)
  if (!areSilent.includes(true)) return false
  const truthValues = subjects.map((_, i) => truthOf(readings[i]))
  if (
    joined(
      logical,
      truthValues.map((verdict, i) => (areSilent[i] ? undefined : verdict)),
    ) === true
  )
    return false
  if (joined(logical, truthValues) === true) return true
  // The alarm was raised because values are unknown: for silent sources alone that is expected.
  return !truthValues.some((verdict, i) => !areSilent[i] && verdict === undefined)
}

function truthOf(reading: AlarmReading | undefined): TruthValue {
  if (!reading || reading.Value === null) return undefined
  const { Logical, Limit: Status, Value } = reading
  return evaluateCondition({ Logical, Status }, Value, undefined)
}
