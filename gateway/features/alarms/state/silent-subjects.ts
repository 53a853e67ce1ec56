import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import {
  joined,
  type TruthValue,
  evaluateCondition,
} from '../../../../contract/automation/evaluate-conditions.ts'

/** What a condition of a rule is about. */
export interface HeardSubject {
  isMaintained: boolean
  /** Whether its hub is away, or has just come back and had no time yet to tell of its devices. */
  isAway: boolean
}

/**
 * Whether the alarm of a rule rests on what nobody listens to: devices in maintenance, and the silence of devices whose hub is away. Their
 * conditions count as unknown. So a rule that joins them by AND is muted while any of its devices is in maintenance, because without
 * that one it cannot be true; one by OR only while no other of its devices makes it true.
 *
 * subjects, readings  of each condition, in order
 */
export function dependsOnSilentDevice(
  logical: Conditions['Logical'],
  subjects: readonly HeardSubject[],
  readings: readonly AlarmReading[],
): boolean {
  const isUnheard = ({ isMaintained, isAway }: HeardSubject, i: number): boolean =>
    isMaintained || (isAway && (readings[i]?.Field === 'SilentFor' || (readings[i]?.Value ?? null) === null))
  const unheard = subjects.map(isUnheard)
  if (!unheard.includes(true)) return false
  const verdicts = subjects.map((_, i) => verdictAt(readings[i]))
  if (
    joined(
      logical,
      verdicts.map((verdict, i) => (unheard[i] ? undefined : verdict)),
    ) === true
  )
    return false
  if (joined(logical, verdicts) === true) return true
  // It was raised because nothing is known: of what nobody listens to that is no news.
  return !verdicts.some((verdict, i) => !unheard[i] && verdict === undefined)
}

function verdictAt(reading: AlarmReading | undefined): TruthValue {
  if (!reading || reading.Value === null) return undefined
  const { Logical, Limit: Status, Value } = reading
  return evaluateCondition({ Logical, Status }, Value, undefined)
}
