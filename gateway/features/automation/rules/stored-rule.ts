import type { AutomationRule } from '../../../../contract/automation/automation.ts'
import { type Action, targetOf } from '../../../../contract/automation/action.ts'
import { loadActionsOf } from '../../../../contract/automation/rule-problems.ts'
import type { Recipients } from '../../../../contract/automation/alarm-part.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'

/** Rule as stored in automations.rule. */
export type RuleOfAutomation = Omit<AutomationRule, 'AutomationName' | 'Description' | 'Enabled'>

/** A thing that a rule names: a row of automation_subjects. A RoomID is stored as text and is unique within the rule's home. */
export interface Subject {
  kind: 'device' | 'group' | 'scene' | 'room' | 'conferenceRoom' | 'home'
  subject: string
  role: 'condition' | 'action'
}

const PARTS = [
  'Schedule',
  'Booking',
  'Conditions',
  'Actions',
  'Alarm',
  'Notify',
  'Order',
  'StopOnFailure',
  'EndDuration',
  'EndActions',
  'Catching',
  'Grace',
] as const

/** Rule of an automation without its other fields; absent parts are omitted. */
export const ruleOf = (record: RuleOfAutomation): RuleOfAutomation =>
  Object.fromEntries(
    PARTS.flatMap((part) => (record[part] === undefined ? [] : [[part, record[part]]])),
  ) as RuleOfAutomation

/** Path of the loads that an alarm sheds; they are resolved like actions. */
export const LOADS = 'Alarm.Shed.Loads'

/** Actions of a rule and the loads that it sheds, with their paths. */
export const actionLists = ({
  Actions,
  EndActions,
  Alarm,
}: Pick<RuleOfAutomation, 'Actions' | 'EndActions' | 'Alarm'>): {
  path: 'Actions' | 'EndActions' | typeof LOADS
  actions: readonly Action[]
}[] => [
  { path: 'Actions', actions: Actions },
  ...(Array.isArray(EndActions) ? [{ path: 'EndActions' as const, actions: EndActions }] : []),
  ...(Alarm?.Shed ? [{ path: LOADS, actions: loadActionsOf(Alarm) } as const] : []),
]

/** Whether a rule sets devices, and so needs an owner; a rule that only notifies does not. */
export const setsDevices = (rule: Pick<RuleOfAutomation, 'Actions' | 'EndActions' | 'Alarm'>): boolean =>
  actionLists(rule).some(({ actions }) => actions.length > 0)

/** Individual recipients of a rule, with their paths. */
export const recipientsOf = ({
  Notify,
  Alarm,
}: Pick<RuleOfAutomation, 'Notify' | 'Alarm'>): { path: string; to: Exclude<Recipients, string> }[] =>
  [
    ...(Notify ? [{ path: 'Notify.To', to: Notify.To }] : []),
    ...(Alarm?.Escalate ?? []).map(({ To }, i) => ({ path: `Alarm.Escalate.${i}.To`, to: To })),
  ].flatMap(({ path, to }) => (to === 'readers' ? [] : [{ path, to }]))

/** Everything that a rule names, once for each role. */
export function subjectsOf(
  rule: Pick<RuleOfAutomation, 'Actions' | 'EndActions' | 'Conditions' | 'Booking' | 'Alarm'>,
): Subject[] {
  const found = new Map<string, Subject>()
  const add = (kind: Subject['kind'], subject: string, role: Subject['role']) =>
    found.set([kind, subject, role].join(' '), { kind, subject, role })
  for (const { PeripheralUID } of rule.Conditions?.PeripheralUIDs ?? [])
    add(PeripheralUID === HOME_SUBJECT ? 'home' : 'device', PeripheralUID, 'condition')
  if (rule.Booking) {
    add('conferenceRoom', rule.Booking.ConferenceRoomID, 'condition')
    if (rule.Booking.Presence) add('device', rule.Booking.Presence.PeripheralUID, 'condition')
  }
  for (const action of actionLists(rule).flatMap(({ actions }) => actions)) {
    const target = targetOf(action)
    if (target.kind === 'device') add('device', target.PeripheralUID, 'action')
    else if (target.kind === 'group') add('group', target.GroupID, 'action')
    else if (target.kind === 'scene') add('scene', target.SceneID, 'action')
    else add('room', String(target.RoomID), 'action')
  }
  return [...found.values()]
}

/** Whether two rules differ in effect; a caller who changes the effect becomes the owner. */
export const hasOtherEffect = (before: RuleOfAutomation, after: RuleOfAutomation): boolean =>
  JSON.stringify(inOrder(before)) !== JSON.stringify(inOrder(after))

const inOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inOrder)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .filter(([, each]) => each !== undefined)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, each]) => [key, inOrder(each)])
      : value
