import type { z } from 'zod'
import { AutomationRule, type AutomationType } from '../../../../contract/automation/automation.ts'
import {
  AlarmPart,
  type Escalation,
  NotifySettings,
  type Shed,
  SHED_DEFAULTS,
} from '../../../../contract/automation/alarm-part.ts'
import type { Comparison } from '../../../../contract/automation/comparison.ts'
import { Conditions, HOME_SUBJECT, isMeterSum } from '../../../../contract/automation/condition.ts'
import { defaultCatchUp } from '../../../../contract/automation/default-catch-up.ts'
import { ruleProblems } from '../../../../contract/automation/rule-problems.ts'
import {
  BookingTrigger,
  type DayKind,
  type Moment,
  Repeating,
  Single,
} from '../../../../contract/automation/schedule.ts'
import {
  needsConfirmation,
  missingTargets,
  setBy,
  type EditedAction,
} from '../../../domain/automation/targets/target.ts'
import type { ActionFacts } from '../../../domain/automation/targets/use-action-facts.ts'
import { randomId } from '../../../lib/random-id.ts'
import { reasonOfIssue } from './reason-of-issue.ts'
import type { ListedRule, RuleKind } from './kinds.ts'
import type { Subjects } from '../../../domain/automation/words/use-subjects.ts'

/** A condition being edited; its values may be missing. */
export interface EditedCondition {
  id: string
  PeripheralUID?: string | undefined
  Field?: string | undefined
  Logical: Comparison
  Status: number | null
  /** Upper bound of a range. */
  Upper: number | null
  Clear: number | null
}

export interface EditedWindow {
  id: string
  Weekdays: number[]
  From: Moment
  To: Moment
  Days: DayKind
}

/** A load to shed, being edited; its values may be missing. */
export interface EditedLoad extends Pick<EditedAction, 'PeripheralUID' | 'GroupID' | 'Values'> {
  id: string
  Kw: number | null
  MinOff: number
  MaxOff: number
}

export interface EditedAlarm
  extends
    Pick<AlarmPart, 'Severity' | 'ClearAfter' | 'NoData' | 'Ahead'>,
    Pick<Shed, keyof typeof SHED_DEFAULTS> {
  Escalate: (Escalation & { id: string })[]
  /** Whether loads are shed; the loads are kept when it is turned off. */
  sheds: boolean
  Loads: EditedLoad[]
  AllowBilledPeak: boolean
}

/** Triggers of a schedule. */
export const TRIGGERS = ['repeating', 'single', 'booking'] as const
export type Trigger = (typeof TRIGGERS)[number]

/** A rule being edited. It has all parts of its kind, used or not, so that switching between them loses nothing. */
export interface RuleDraft {
  AutomationName: string
  Description: string
  Enabled: boolean
  trigger: Trigger
  repeating: {
    Weekdays: number[]
    At: Moment | null
    Days: DayKind
    Except: string[]
    From: string | null
    Through: string | null
  }
  singleAt: number | null
  offAfter: number
  booking: {
    ConferenceRoomID?: string | undefined
    When: BookingTrigger['When']
    Minutes: number
    Presence?: { PeripheralUID?: string | undefined; Field?: string | undefined } | undefined
  }
  conditions: EditedCondition[]
  joined: Conditions['Logical']
  RetriggerInterval: Conditions['RetriggerInterval']
  Repeat: boolean
  For: number
  Period: EditedWindow[]
  Actions: EditedAction[]
  Order: AutomationRule['Order']
  StopOnFailure: boolean
  EndDuration: AutomationRule['EndDuration']
  ends: 'restore' | 'actions'
  EndActions: EditedAction[]
  /** Handling of missed runs; undefined uses the default of the contract (`catchingOf`). */
  Catching: AutomationRule['Catching'] | undefined
  /** Whether the user chose it; until then it follows the actions. */
  isCatchingChosen: boolean
  Grace: number
  alarm: EditedAlarm
  /** Whether runs send notifications; alarms always do. */
  notifies: boolean
  Notify: NotifySettings
}

export const newCondition = (overrides: Partial<EditedCondition> = {}): EditedCondition => ({
  id: randomId(),
  Logical: '=',
  Status: null,
  Upper: null,
  Clear: null,
  ...overrides,
})
export const newWindow = (): EditedWindow => ({
  id: randomId(),
  Weekdays: [1, 2, 3, 4, 5],
  From: 18 * 60,
  To: 8 * 60,
  Days: 'all',
})

export const newLoad = (overrides: Partial<EditedLoad> = {}): EditedLoad => ({
  id: randomId(),
  Values: {},
  Kw: null,
  MinOff: 600,
  MaxOff: 3600,
  ...overrides,
})

const newDraft = (): RuleDraft => ({
  AutomationName: '',
  Description: '',
  Enabled: true,
  trigger: 'repeating',
  repeating: { Weekdays: [1, 2, 3, 4, 5], At: null, Days: 'all', Except: [], From: null, Through: null },
  singleAt: null,
  offAfter: 0,
  booking: { When: 'before', Minutes: 15 },
  conditions: [newCondition()],
  joined: 'AND',
  RetriggerInterval: 5,
  Repeat: false,
  For: 0,
  Period: [],
  Actions: [],
  Order: 'together',
  StopOnFailure: false,
  EndDuration: 0,
  ends: 'restore',
  EndActions: [],
  Catching: undefined,
  isCatchingChosen: false,
  Grace: 900,
  alarm: {
    Severity: 'warning',
    ClearAfter: 60,
    NoData: 'keep',
    Ahead: false,
    Escalate: [],
    sheds: false,
    Loads: [],
    AllowBilledPeak: false,
    ...SHED_DEFAULTS,
  },
  notifies: false,
  Notify: { To: 'readers', Text: '' },
})

/** Initial values of a new alarm: any one value must exceed its limit for a minute. */
const newAlarm = (): RuleDraft => ({
  ...newDraft(),
  conditions: [newCondition({ Logical: '>' })],
  joined: 'OR',
  For: 60,
})

type RuleInput = Omit<Pick<ListedRule, RuleField>, 'Catching'> & Partial<Pick<ListedRule, 'Catching'>>

/** Fields of the record that the form edits. */
export const RULE_FIELDS = Object.keys(AutomationRule.shape) as RuleField[]
type RuleField = keyof z.output<typeof AutomationRule>

/** Draft of a stored rule, or of a new one. */
export function draftOf(rule?: RuleInput, kind?: RuleKind): RuleDraft {
  const draft = kind === 'alarm' ? newAlarm() : newDraft()
  if (!rule) return draft
  const { Schedule, Booking, Conditions: conditions } = rule
  const repeating = Schedule && 'Weekdays' in Schedule ? Schedule : undefined
  const single = Schedule && !('Weekdays' in Schedule) ? Schedule : undefined
  return {
    ...draft,
    AutomationName: rule.AutomationName,
    Description: rule.Description ?? '',
    Enabled: rule.Enabled ?? true,
    trigger: Booking ? 'booking' : single ? 'single' : 'repeating',
    repeating: {
      ...draft.repeating,
      ...(repeating && {
        Weekdays: repeating.Weekdays,
        At: repeating.At,
        Days: repeating.Days ?? 'all',
        Except: repeating.Except ?? [],
        From: repeating.From ?? null,
        Through: repeating.Through ?? null,
      }),
    },
    singleAt: single?.At ?? null,
    offAfter: Schedule?.OffAfter ?? 0,
    booking: Booking ? { ...Booking, Minutes: Booking.Minutes ?? 0 } : draft.booking,
    ...(conditions && conditionsOf(conditions)),
    Actions: rule.Actions as EditedAction[],
    Order: rule.Order ?? 'together',
    StopOnFailure: rule.StopOnFailure ?? false,
    EndDuration: rule.EndDuration ?? 0,
    ends: Array.isArray(rule.EndActions) ? 'actions' : 'restore',
    EndActions: Array.isArray(rule.EndActions) ? (rule.EndActions as EditedAction[]) : [],
    Catching: rule.Catching,
    isCatchingChosen: false,
    Grace: rule.Grace ?? 900,
    alarm: rule.Alarm ? alarmOf(AlarmPart.parse(rule.Alarm)) : draft.alarm,
    notifies: rule.Notify != null,
    Notify: rule.Notify ? NotifySettings.parse(rule.Notify) : draft.Notify,
  }
}

const alarmOf = ({ Shed, Escalate, ...rest }: AlarmPart): EditedAlarm => ({
  ...rest,
  HoldBelow: Shed?.HoldBelow ?? SHED_DEFAULTS.HoldBelow,
  GiveBackBelow: Shed?.GiveBackBelow ?? SHED_DEFAULTS.GiveBackBelow,
  GiveBackEvery: Shed?.GiveBackEvery ?? SHED_DEFAULTS.GiveBackEvery,
  Escalate: Escalate.map((step) => ({ ...step, id: randomId() })),
  sheds: Shed !== undefined,
  Loads: (Shed?.Loads ?? []).map((load) => newLoad(load as Partial<EditedLoad>)),
  AllowBilledPeak: Shed?.AllowBilledPeak ?? false,
})

/**
 * Applies a user's change to a draft. The handling of missed runs is kept, unless the rule for the first time sets values that need a
 * confirmation: the gateway resets it then too.
 */
export function withChange(draft: RuleDraft, change: Partial<RuleDraft>, facts: ActionFacts): RuleDraft {
  const next = { ...draft, ...change, ...(change.Catching && { isCatchingChosen: true }) }
  if (next.isCatchingChosen || !change.Actions || draft.Catching !== 'latest') return next
  const hasRequests = (actions: readonly EditedAction[]) =>
    actions.some((action) => needsConfirmation(action, facts))
  return hasRequests(next.Actions) && !hasRequests(draft.Actions) ? { ...next, Catching: undefined } : next
}

/** Handling of missed runs: the user's choice, otherwise the default of the contract. */
export const catchingOf = (
  { Catching, Actions }: Pick<RuleDraft, 'Catching' | 'Actions'>,
  facts: ActionFacts,
): AutomationRule['Catching'] => Catching ?? defaultCatchUp(Actions.flatMap((one) => setBy(one, facts)))

const conditionsOf = (conditions: NonNullable<RuleInput['Conditions']>): Partial<RuleDraft> => ({
  conditions: conditions.PeripheralUIDs.map(({ Status = 0, Clear, ...rest }) =>
    newCondition({
      ...rest,
      Status: Array.isArray(Status) ? Status[0] : Status,
      Upper: Array.isArray(Status) ? Status[1] : null,
      Clear: Clear ?? null,
    }),
  ),
  joined: conditions.Logical ?? 'AND',
  RetriggerInterval: conditions.RetriggerInterval ?? 5,
  Repeat: conditions.Repeat ?? false,
  For: conditions.For ?? 0,
  Period: (conditions.Period ?? []).map((one) => ({ Days: 'all', ...one, id: randomId() })),
})

export const isRange = (logical: Comparison): boolean => logical === 'between' || logical === 'outside'
/** Whether a comparison supports a clear value, at which it becomes false again. */
export const mayClear = (logical: Comparison): boolean => ['>', '>=', '<', '<='].includes(logical)

const conditionOf = ({ id: _id, Status, Upper, Clear, ...rest }: EditedCondition) => ({
  PeripheralUID: rest.PeripheralUID,
  Field: rest.Field,
  Logical: rest.Logical,
  Status: rest.Logical === 'changed' ? 0 : isRange(rest.Logical) ? [Status, Upper] : Status,
  ...(Clear !== null && mayClear(rest.Logical) && { Clear }),
})

/** A rule as call input: the handling of missed runs may be omitted. */
type GivenRule = Omit<AutomationRule, 'Catching'> & Partial<Pick<AutomationRule, 'Catching'>>

/** Converts a draft into the input of a call, which may still be invalid. Leaves out parts that its kind does not have. */
export function ruleOf(draft: RuleDraft, kind: RuleKind): GivenRule {
  const { trigger, offAfter, AutomationName, Description, Enabled, Actions, Order, Catching, Grace } = draft
  const conditionFields = {
    PeripheralUIDs: draft.conditions.map(conditionOf),
    Logical: draft.joined,
    RetriggerInterval: draft.RetriggerInterval,
    Repeat: draft.Repeat,
    For: draft.For,
    Period: draft.Period.map(({ id: _id, ...one }) => one),
  }
  const kindFields =
    kind === 'alarm'
      ? {
          Conditions: { ...conditionFields, RetriggerInterval: 5, Repeat: false },
          Alarm: alarmPartOf(draft),
          EndDuration: 0,
          EndActions: 'restore',
        }
      : kind === 'smartLink'
        ? {
            Conditions: conditionFields,
            EndDuration: draft.EndDuration,
            EndActions: draft.EndDuration > 0 && draft.ends === 'actions' ? draft.EndActions : 'restore',
          }
        : {
            ...(trigger === 'booking'
              ? { Booking: bookingOf(draft) }
              : {
                  Schedule:
                    trigger === 'single'
                      ? { At: draft.singleAt, OffAfter: offAfter }
                      : { ...draft.repeating, OffAfter: offAfter },
                }),
            EndDuration: 0,
            EndActions: 'restore',
          }
  const notifyFields = kind === 'alarm' || draft.notifies ? { Notify: draft.Notify } : {}
  return {
    ...{ AutomationName, Description, Enabled, Actions, Order, Grace },
    StopOnFailure: Order === 'inOrder' && draft.StopOnFailure,
    ...(Catching && { Catching }),
    ...notifyFields,
    ...kindFields,
  } as GivenRule
}

/** Settings of a rule's trigger that its editor folds; the values of an alarm, a smart link or a schedule. */
const furtherOf = ({ conditions, Period, RetriggerInterval, Repeat, repeating, alarm }: RuleDraft) => ({
  clears: conditions.some(({ Clear }) => Clear !== null),
  windows: Period.length,
  days: [repeating.Days, repeating.Except.length, repeating.From, repeating.Through],
  ...{ RetriggerInterval, Repeat },
  ...{ ClearAfter: alarm.ClearAfter, NoData: alarm.NoData, Ahead: alarm.Ahead },
})

/** Whether a setting of the trigger that the editor folds differs from that of a new rule. */
export const hasFurtherConditions = (draft: RuleDraft, kind: RuleKind): boolean =>
  JSON.stringify(furtherOf(draft)) !== JSON.stringify(furtherOf(draftOf(undefined, kind)))

/** Whether an advanced setting differs from that of a new rule; a schedule's handling of missed runs only if it was chosen. */
export const hasAdvanced = ({ Description, Grace, isCatchingChosen }: RuleDraft, kind: RuleKind): boolean =>
  Description !== '' || (kind === 'schedule' && (isCatchingChosen || Grace !== newDraft().Grace))

/** Paths of those settings in the gateway's errors. */
const FURTHER_PATHS =
  /^Conditions\.(RetriggerInterval|Repeat|Period)|\.Clear$|^Alarm\.(ClearAfter|NoData|Ahead)|^Schedule\.(Days|Except|From|Through)/
export const isFurtherPath = (path: string): boolean => FURTHER_PATHS.test(path)

/** Whether an alarm may shed loads: only on measures of the home that predict that its contract capacity will be exceeded. */
export const mayShed = ({ conditions: [one, ...others] }: RuleDraft): boolean =>
  one?.PeripheralUID === HOME_SUBJECT &&
  others.length === 0 &&
  (one.Field === 'DemandForecast' || one.Field === 'DemandShare') &&
  (one.Logical === '>' || one.Logical === '>=')
/** Whether the alarm can warn in advance that a sum will exceed its limit. */
export const mayLookAhead = ({ conditions: [one, ...others] }: RuleDraft): boolean =>
  one?.Field !== undefined &&
  others.length === 0 &&
  isMeterSum(one.Field) &&
  (one.Logical === '>' || one.Logical === '>=')

/** Leaves out parts that do not apply to the condition; they stay in the draft. */
function alarmPartOf(draft: RuleDraft) {
  const { Severity, ClearAfter, NoData, Ahead, Escalate, sheds, Loads, ...shed } = draft.alarm
  const { AllowBilledPeak, HoldBelow, GiveBackBelow, GiveBackEvery } = shed
  return {
    ...{ Severity, ClearAfter, NoData },
    Ahead: Ahead && mayLookAhead(draft),
    Escalate: Escalate.map(({ id: _id, ...step }) => step),
    ...(sheds &&
      mayShed(draft) && {
        Shed: {
          Loads: Loads.map(({ id: _id, ...load }) => load),
          ...{ AllowBilledPeak, HoldBelow, GiveBackBelow, GiveBackEvery },
        },
      }),
  }
}

const bookingOf = ({ booking: { Presence, ...booking } }: RuleDraft) => ({
  ...booking,
  ...(booking.When === 'noShow' && { Presence }),
})

/** Automation type that follows from a draft. */
export function typeOf(draft: RuleDraft, kind: RuleKind): AutomationType {
  if (kind === 'alarm') return 4
  if (kind === 'schedule') return draft.trigger === 'single' ? 2 : 1
  return new Set(draft.conditions.map(({ PeripheralUID }) => PeripheralUID)).size > 1 ? 5 : 3
}

export type Reasons = Readonly<Record<string, string>>

interface Facts {
  actions: ActionFacts
  subjects: Subjects
  now: number
}

/** Errors of a draft: reasons by path, as the gateway returns them; empty if it can be saved. */
export function ruleProblemsOf(draft: RuleDraft, kind: RuleKind, { actions, subjects, now }: Facts): Reasons {
  const rule = ruleOf(draft, kind)
  const { Schedule, Booking, Conditions: conditions, Alarm, Notify: notify, ...rest } = rule
  // A rule that only notifies needs no actions.
  const mayDoNothing = notify !== undefined && rule.Actions.length === 0
  const shape: Record<string, string> = {
    ...issuesOf(AutomationRule.pick({ AutomationName: true, Description: true, Grace: true }), rest),
    ...(conditions && issuesOf(Conditions, conditions, 'Conditions')),
    ...(Booking && issuesOf(BookingTrigger, Booking, 'Booking')),
    ...(Schedule && issuesOf('Weekdays' in Schedule ? Repeating : Single, Schedule, 'Schedule')),
    ...(Alarm && issuesOf(AlarmPart, Alarm, 'Alarm')),
    ...(notify && issuesOf(NotifySettings, notify, 'Notify')),
    ...(!mayDoNothing && missingTargets(rule.Actions as EditedAction[], actions)),
    ...(rule.EndActions !== 'restore' &&
      missingTargets(rule.EndActions as EditedAction[], actions, 'EndActions')),
  }
  // Rules across parts need complete parts; rules about devices need the devices to have loaded.
  if (Object.keys(shape).length > 0 || !subjects.isKnown) return shape
  const problems = ruleProblems(
    { ...rule, AutomationType: typeOf(draft, kind) } as Parameters<typeof ruleProblems>[0],
    { now, subject: subjects.find },
  )
  return Object.fromEntries(problems.map(({ path, reason }) => [path.join('.'), reason]))
}

/** Errors of a schema by path; only the first for each path. */
function issuesOf(schema: z.ZodType, value: unknown, prefix?: string): Record<string, string> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return {}
  const reasons: Record<string, string> = {}
  for (const issue of parsed.error.issues) {
    const path = [...(prefix ? [prefix] : []), ...issue.path].join('.')
    reasons[path] ??= reasonOfIssue(issue, value)
  }
  return reasons
}
