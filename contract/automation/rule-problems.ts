import { type FieldReason } from '../kernel/reasons.ts'
import { type Action, targetOf } from './action.ts'
import { alarmProblems, loadActionsOf } from './alarm-problems.ts'
import type { Condition } from './condition.ts'
import { HOME_SUBJECT } from './condition.ts'
import type { GivenRule, RuleContext, RuleProblem } from './given-rule.ts'
import { setFieldsOf } from './set-fields.ts'
import { comparisonsOf, isValueOf, subjectField } from './subject-fields.ts'

export type { GivenRule, RuleContext, RuleProblem }

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
