import type { EditedAction } from '../../../domain/automation/targets/target.ts'
import { actionsIn, loadsIn, type ListedRule } from '../rules/kinds.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'

interface Named {
  devices: ReadonlySet<string>
  rooms: ReadonlySet<number>
}

/** Devices that actions set, including those of groups and scenes, and their rooms. */
function setBy(
  given: readonly EditedAction[],
  { actions: { devices, groups }, sceneActions }: RuleFacts,
): Named {
  const actions = given.flatMap((action) =>
    action.SceneID === undefined ? [action] : sceneActions(action.SceneID),
  )
  const uids = new Set(
    actions.flatMap(({ PeripheralUID, GroupID }) => [
      ...(PeripheralUID === undefined ? [] : [PeripheralUID]),
      ...((GroupID !== undefined && groups.get(GroupID)?.PeripheralList) || []),
    ]),
  )
  const rooms = new Set([
    ...actions.flatMap(({ RoomID }) => (RoomID === undefined ? [] : [RoomID])),
    ...[...uids].flatMap((uid) => devices.get(uid)?.RoomID ?? []),
  ])
  return { devices: uids, rooms }
}

/** Actions of a rule, and the loads that it sheds. */
const setsOf = (rule: ListedRule): EditedAction[] => [
  ...actionsIn(rule),
  ...loadsIn(rule).map((load) => load as EditedAction),
]

/** Rooms whose devices a rule sets. */
export const roomsSetBy = (rule: ListedRule, facts: RuleFacts): ReadonlySet<number> =>
  setBy(setsOf(rule), facts).rooms

/** All devices that a rule evaluates or sets, and their rooms. */
export function namedBy(rule: ListedRule, facts: RuleFacts): Named {
  const set = setBy(setsOf(rule), facts)
  const watched = [
    ...(rule.Conditions?.PeripheralUIDs ?? []).map(({ PeripheralUID }) => PeripheralUID),
    ...(rule.Booking?.Presence ? [rule.Booking.Presence.PeripheralUID] : []),
  ]
  return {
    devices: new Set([...set.devices, ...watched]),
    rooms: new Set([...set.rooms, ...watched.flatMap((uid) => facts.actions.devices.get(uid)?.RoomID ?? [])]),
  }
}
