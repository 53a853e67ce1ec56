import type { FieldReason } from '../kernel/reasons.ts'
import { isCurrentField, isVoltageField } from '../devices/warning-threshold.ts'
import { type Action, type DeviceValues, targetOf, setFieldsOf } from './action.ts'
import { type AlarmPart, type NotifySettings, SHED_REPORT_TIMEOUT_S } from './alarm-part.ts'
import { type Conditions, type Condition, HOME_SUBJECT, isMeterSum } from './condition.ts'
import type { BookingTrigger, Repeating, Single } from './schedule.ts'
import { type Subject, subjectField, comparisonsOf, isValueOf } from './subject-fields.ts'

/** Rule as entered: the parts whose validity depends on each other and on the home. */
export interface GivenRule {
  AutomationType: 1 | 2 | 3 | 4 | 5
  Schedule?: Repeating | Single | null | undefined
  Booking?: BookingTrigger | null | undefined
  Conditions?: Conditions | undefined
  Alarm?: AlarmPart | undefined
  Notify?: NotifySettings | null | undefined
  Actions: readonly Action[]
  EndDuration: number
  EndActions: 'restore' | readonly Action[]
}

/**
 * Facts about the home for validating a rule.
 *
 * now      epoch ms; omitted if times in the past are allowed, e.g. for a single schedule that has run
 * subject  device or virtual meter of a condition; undefined if it does not exist
 * setBy    values that an action sets at each device at present; omitted if checked elsewhere
 * slowestMainMeter  longest report interval of the main meters in seconds; null if there are none, omitted if
 *                   checked elsewhere
 */
interface RuleContext {
  now?: number | undefined
  subject(uid: string): Subject | undefined
  setBy?(action: Action): readonly DeviceValues[]
  slowestMainMeter?: number | null | undefined
}

interface RuleProblem {
  path: (string | number)[]
  reason: FieldReason
}

/** Allowed limits of current in A and of voltage in V (§9). */
const CURRENT_LIMITS = [0, 655_350] as const
const VOLTAGE_LIMITS = [90, 400] as const

/** Measures of a home that forecast whether the contract capacity will be exceeded. */
const GUARDED = ['DemandForecast', 'DemandShare']

/** Validates a rule of type 4, in addition to the checks of its conditions. */
function alarmProblems({ Conditions, Alarm }: GivenRule, context: RuleContext): RuleProblem[] {
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
const canLookAhead = (conditions: readonly Condition[]): boolean => {
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

/** Problems of a rule, field by field; empty if it can be saved. */
export function ruleProblems(rule: GivenRule, context: RuleContext): RuleProblem[] {
  const { AutomationType, Alarm, Notify, Actions, EndActions } = rule
  const isSchedule = AutomationType === 1 || AutomationType === 2
  const isAlarm = AutomationType === 4
  return [
    ...(isSchedule ? scheduleProblems(rule, context.now) : conditionProblems(rule, context)),
    ...(isAlarm ? alarmProblems(rule, context) : []),
    ...(!isAlarm && Alarm ? [{ path: ['Alarm'], reason: 'invalid' as const }] : []),
    // A rule without actions must at least notify.
    ...(!isAlarm && !Notify && Actions.length === 0
      ? [{ path: ['Actions'], reason: 'required' as const }]
      : []),
    ...endProblems(rule, isSchedule || isAlarm),
    ...takenProblems(Actions, ['Actions'], context),
    ...(EndActions === 'restore' ? [] : takenProblems(EndActions, ['EndActions'], context)),
    ...takenProblems(loadActionsOf(Alarm), ['Alarm', 'Shed', 'Loads'], context),
  ]
}

/** Type 1 is recurring or follows bookings, type 2 runs once; neither has conditions. */
function scheduleProblems(
  { AutomationType, Schedule, Booking, Conditions }: GivenRule,
  now?: number,
): RuleProblem[] {
  const problems: RuleProblem[] = []
  const refuse = (reason: FieldReason, ...path: (string | number)[]) => problems.push({ path, reason })
  if (Conditions) refuse('invalid', 'Conditions')
  if (Booking && (AutomationType === 2 || Schedule)) refuse('invalid', 'Booking')
  if (!Schedule) {
    if (!Booking) refuse('required', 'Schedule')
  } else if ('Weekdays' in Schedule !== (AutomationType === 1)) refuse('invalid', 'Schedule')
  else if (!('Weekdays' in Schedule) && now !== undefined && Schedule.At <= now)
    refuse('pastTime', 'Schedule', 'At')
  return problems
}

/** Type 3 has conditions of one device, type 5 of several, type 4 of any number; none has a schedule. */
function conditionProblems(rule: GivenRule, context: RuleContext): RuleProblem[] {
  const problems: RuleProblem[] = []
  const refuse = (reason: FieldReason, ...path: (string | number)[]) => problems.push({ path, reason })
  if (rule.Schedule) refuse('invalid', 'Schedule')
  if (rule.Booking) refuse('invalid', 'Booking')
  const { Conditions } = rule
  if (!Conditions) return [...problems, { path: ['Conditions'], reason: 'required' }]
  const list = Conditions.PeripheralUIDs
  const subjects = new Set(list.map(({ PeripheralUID }) => PeripheralUID))
  if (rule.AutomationType !== 4 && subjects.size > 1 !== (rule.AutomationType === 5))
    refuse('invalid', 'Conditions', 'PeripheralUIDs')
  for (const [i, condition] of list.entries())
    for (const { path, reason } of problemsOfCondition(condition, context))
      refuse(reason, 'Conditions', 'PeripheralUIDs', i, ...path)
  const changes = list.filter(({ Logical }) => Logical === 'changed').length
  const isByChange = changes > 0 && (Conditions.Logical === 'AND' || changes === list.length)
  // A change is momentary: it neither lasts nor stays true.
  if (isByChange && Conditions.For > 0) refuse('invalid', 'Conditions', 'For')
  if (isByChange && Conditions.Repeat) refuse('invalid', 'Conditions', 'Repeat')
  // Two counters never change at the same time.
  if (Conditions.Logical === 'AND' && changes > 1) refuse('invalid', 'Conditions', 'Logical')
  return problems
}

/** Checks that a condition names an existing field and uses a comparison and value that fit it. */
function problemsOfCondition(condition: Condition, context: RuleContext): RuleProblem[] {
  const { PeripheralUID, Field, Logical, Status } = condition
  const subject = PeripheralUID === HOME_SUBJECT ? { PeripheralUID } : context.subject(PeripheralUID)
  if (!subject) return [{ path: ['PeripheralUID'], reason: 'notFound' }]
  const field = subjectField(subject, Field)
  if (!field) return [{ path: ['Field'], reason: 'noSuchField' }]
  if (!comparisonsOf(field.shape).includes(Logical)) return [{ path: ['Logical'], reason: 'invalid' }]
  if (!Array.isArray(Status) && Logical !== 'changed' && !isValueOf(field, Status))
    return [{ path: ['Status'], reason: 'invalid' }]
  return []
}

/**
 * Schedules and alarms have no end actions: OffAfter switches off, and an alarm is cleared. Other rules need EndDuration with them.
 */
function endProblems({ EndDuration, EndActions }: GivenRule, hasNone: boolean): RuleProblem[] {
  if (hasNone)
    return [
      ...(EndDuration === 0 ? [] : [{ path: ['EndDuration'], reason: 'invalid' as const }]),
      ...(EndActions === 'restore' ? [] : [{ path: ['EndActions'], reason: 'invalid' as const }]),
    ]
  return EndActions !== 'restore' && EndDuration === 0 ? [{ path: ['EndDuration'], reason: 'required' }] : []
}

/** Rejects two actions that set the same field of a device, or run the same scene. */
function takenProblems(
  actions: readonly Action[],
  part: readonly string[],
  { setBy }: RuleContext,
): RuleProblem[] {
  const problems: RuleProblem[] = []
  const taken = new Set<string>()
  for (const [i, action] of actions.entries()) {
    const target = targetOf(action)
    const own = new Set(
      (setBy?.(action) ?? [])
        .flatMap(setFieldsOf)
        .map(({ PeripheralUID, path }) => `${PeripheralUID} ${path}`),
    )
    if (target.kind === 'scene') own.add(`scene ${target.SceneID}`)
    const at = target.kind === 'scene' ? 'SceneID' : 'Values'
    if ([...own].some((one) => taken.has(one))) problems.push({ path: [...part, i, at], reason: 'taken' })
    for (const one of own) taken.add(one)
  }
  return problems
}
