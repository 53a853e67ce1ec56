import type { EditedAction } from '../../custom-views/automation/actions/target.ts'
import type { ActionFacts } from '../../custom-views/automation/actions/use-action-facts.ts'
import { actionsIn, type ListedRule } from './kinds.ts'

interface Named {
  devices: ReadonlySet<string>
  rooms: ReadonlySet<number>
}

/** The devices that actions set, those of groups and scenes too, and the rooms that these stand in. */
function setBy(given: readonly EditedAction[], { devices, groups, scenes }: ActionFacts): Named {
  const actions = given.flatMap((action) =>
    action.SceneID === undefined
      ? [action]
      : ((scenes.get(action.SceneID)?.Actions ?? []) as readonly EditedAction[]),
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

/** The rooms in which a rule does something. */
export const roomsSetBy = (rule: ListedRule, facts: ActionFacts): ReadonlySet<number> =>
  setBy(actionsIn(rule), facts).rooms

/** Every device that a rule watches or sets, and the rooms of all these. */
export function namedBy(rule: ListedRule, facts: ActionFacts): Named {
  const set = setBy(actionsIn(rule), facts)
  const watched = [
    ...(rule.Conditions?.PeripheralUIDs ?? []).map(({ PeripheralUID }) => PeripheralUID),
    ...(rule.Booking?.Presence ? [rule.Booking.Presence.PeripheralUID] : []),
  ]
  return {
    devices: new Set([...set.devices, ...watched]),
    rooms: new Set([...set.rooms, ...watched.flatMap((uid) => facts.devices.get(uid)?.RoomID ?? [])]),
  }
}
