import type { Action } from './action.ts'
import { type AlarmPart, SHED_REPORT_TIMEOUT_S } from './alarm-part.ts'
import { type Condition, HOME_SUBJECT, isMeterSum } from './condition.ts'
import type { GivenRule, RuleContext, RuleProblem } from './given-rule.ts'
import { isCurrentField, isVoltageField } from '../devices/warning-threshold.ts'
import { subjectField } from './subject-fields.ts'

/** Allowed limits of current in A and of voltage in V (§9). */
const CURRENT_LIMITS = [0, 655_350] as const
const VOLTAGE_LIMITS = [90, 400] as const

/** Measures of a home that forecast whether the contract capacity will be exceeded. */
const GUARDED = ['DemandForecast', 'DemandShare']

/** Validates a rule of type 4, in addition to the checks of its conditions. */
export function alarmProblems({ Conditions, Alarm }: GivenRule, context: RuleContext): RuleProblem[] {
  const list = Conditions?.PeripheralUIDs ?? []
  const problems = list.flatMap((condition, i) =>
    measuredProblems(condition, context).map(({ path, reason }) => ({
      path: ['Conditions', 'PeripheralUIDs', i, ...path],
      reason,
    })),
  )
  if (Conditions?.Repeat) problems.push({ path: ['Conditions', 'Repeat'], reason: 'invalid' })
  if (!Alarm) return [...problems, { path: ['Alarm'], reason: 'required' }]
  if (Alarm.Ahead && !canLookAhead(list)) problems.push({ path: ['Alarm', 'Ahead'], reason: 'invalid' })
  for (const [i, { After }] of Alarm.Escalate.entries())
    if (i > 0 && After <= (Alarm.Escalate[i - 1]?.After ?? 0))
      problems.push({ path: ['Alarm', 'Escalate', i, 'After'], reason: 'invalid' })
  return [...problems, ...shedProblems(list, Alarm, context)]
}

/** Alarms need measured values; limits of current and voltage must be within the allowed ranges. */
function measuredProblems(condition: Condition, context: RuleContext): RuleProblem[] {
  const { PeripheralUID, Field, Status } = condition
  const subject = PeripheralUID === HOME_SUBJECT ? { PeripheralUID } : context.subject(PeripheralUID)
  const field = subject && subjectField(subject, Field)
  if (!field) return []
  if (field.shape !== 'number') return [{ path: ['Field'], reason: 'notMeasured' }]
  const limits = isCurrentField(Field) ? CURRENT_LIMITS : isVoltageField(Field) ? VOLTAGE_LIMITS : undefined
  if (!limits) return []
  const given = Array.isArray(Status) ? Status : [Status]
  if (given.some((value) => value < limits[0])) return [{ path: ['Status'], reason: 'tooSmall' }]
  return given.some((value) => value > limits[1]) ? [{ path: ['Status'], reason: 'tooBig' }] : []
}

const isAbove = ({ Logical }: Condition): boolean => Logical === '>' || Logical === '>='

/** Whether a forecast is possible: the only condition is a meter sum that rises to its limit. */
export const canLookAhead = (conditions: readonly Condition[]): boolean => {
  const [one, other] = conditions
  return one !== undefined && !other && isAbove(one) && isMeterSum(one.Field)
}

function shedProblems(
  conditions: readonly Condition[],
  { Shed }: AlarmPart,
  { slowestMainMeter }: RuleContext,
): RuleProblem[] {
  if (!Shed) return []
  const [one, other] = conditions
  const isGuard = one?.PeripheralUID === HOME_SUBJECT && GUARDED.includes(one.Field) && isAbove(one)
  if (!isGuard || other) return [{ path: ['Alarm', 'Shed'], reason: 'invalid' }]
  if (slowestMainMeter === undefined) return []
  return slowestMainMeter === null || slowestMainMeter > SHED_REPORT_TIMEOUT_S
    ? [{ path: ['Alarm', 'Shed'], reason: 'meterTooSlow' }]
    : []
}

/** Actions that shed the loads, so that loads are validated and resolved like other actions. */
export const loadActionsOf = (alarm: AlarmPart | undefined): Action[] =>
  (alarm?.Shed?.Loads ?? []).map(({ PeripheralUID, GroupID, Values }) => ({
    ...(PeripheralUID !== undefined && { PeripheralUID }),
    ...(GroupID !== undefined && { GroupID }),
    Values,
    After: 0,
    IfOffline: 'fail',
  }))
