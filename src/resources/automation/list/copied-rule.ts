import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import type { Group } from '../../../../contract/automation/group.ts'
import type { Room } from '../../../../contract/homes/room.ts'
import type { EditedAction } from '../../../domain/automation/targets/target.ts'
import { draftOf, type RuleDraft } from '../rules/draft.ts'
import { actionsIn, kindOf, loadsIn, type ListedRule } from '../rules/kinds.ts'

interface Place {
  rooms: readonly Pick<Room, 'RoomID' | 'RoomName'>[]
  groups: readonly Pick<Group, 'GroupID' | 'GroupName' | 'GroupType'>[]
  scenes: readonly { SceneID: string; SceneName: string }[]
}

/** All devices that a rule references, without duplicates. */
export const uidsIn = (rule: ListedRule): string[] =>
  [
    ...new Set([
      ...(rule.Conditions?.PeripheralUIDs ?? []).flatMap(({ PeripheralUID }) =>
        PeripheralUID === HOME_SUBJECT ? [] : [PeripheralUID],
      ),
      ...(rule.Booking?.Presence ? [rule.Booking.Presence.PeripheralUID] : []),
      ...actionsIn(rule).flatMap(({ PeripheralUID }) => PeripheralUID ?? []),
      ...loadsIn(rule).flatMap(({ PeripheralUID }) => PeripheralUID ?? []),
    ]),
  ].filter((uid) => !uid.startsWith(VIRTUAL_PREFIX))

/**
 * Draft of a rule's copy for another home: devices are mapped by the user; rooms, groups and scenes by name.
 *
 * returns  the draft without parts that have no counterpart, and the number of those parts
 */
export function copiedDraft(
  rule: ListedRule,
  deviceOf: (uid: string) => string | undefined,
  here: Place,
  there: Place,
): { draft: RuleDraft; leftOut: number } {
  const before = draftOf(rule, kindOf(rule))
  const subjectOf = (uid: string | undefined) =>
    uid === undefined || uid === HOME_SUBJECT ? uid : deviceOf(uid)
  const conditions = before.conditions.flatMap((one) => {
    const PeripheralUID = subjectOf(one.PeripheralUID)
    return PeripheralUID === undefined ? [] : [{ ...one, PeripheralUID }]
  })
  const copied = (action: EditedAction) => copiedAction(action, deviceOf, here, there)
  const [Actions, EndActions] = [before.Actions.flatMap(copied), before.EndActions.flatMap(copied)]
  const Loads = before.alarm.Loads.flatMap((load) =>
    copied({ PeripheralUID: load.PeripheralUID, GroupID: load.GroupID } as EditedAction).map(
      ({ PeripheralUID, GroupID }) => ({ ...load, PeripheralUID, GroupID }),
    ),
  )
  const presence = subjectOf(before.booking.Presence?.PeripheralUID)
  const draft = {
    ...before,
    conditions,
    Actions,
    EndActions,
    alarm: { ...before.alarm, Loads },
    booking: {
      ...before.booking,
      Presence: presence === undefined ? undefined : { ...before.booking.Presence, PeripheralUID: presence },
    },
  }
  const isOf = rule.Conditions !== undefined
  const count = ({ conditions: all, Actions: own, EndActions: end, alarm }: RuleDraft) =>
    (isOf ? all.length : 0) + own.length + end.length + alarm.Loads.length
  return { draft, leftOut: count(before) - count(draft) }
}

function copiedAction(
  action: EditedAction,
  deviceOf: (uid: string) => string | undefined,
  here: Place,
  there: Place,
): EditedAction[] {
  if (action.PeripheralUID !== undefined) {
    const PeripheralUID = deviceOf(action.PeripheralUID)
    return PeripheralUID === undefined ? [] : [{ ...action, PeripheralUID }]
  }
  if (action.RoomID !== undefined) {
    const name = here.rooms.find(({ RoomID }) => RoomID === action.RoomID)?.RoomName
    const same = there.rooms.find(({ RoomID, RoomName }) =>
      action.RoomID === 0 ? RoomID === 0 : RoomName === name,
    )
    return same ? [{ ...action, RoomID: same.RoomID }] : []
  }
  if (action.SceneID !== undefined) {
    const name = here.scenes.find(({ SceneID }) => SceneID === action.SceneID)?.SceneName
    const same = there.scenes.find(({ SceneName }) => SceneName === name)
    return same ? [{ ...action, SceneID: same.SceneID }] : []
  }
  const own = here.groups.find(({ GroupID }) => GroupID === action.GroupID)
  const same = there.groups.find(
    ({ GroupName, GroupType }) => GroupName === own?.GroupName && GroupType === own?.GroupType,
  )
  return same ? [{ ...action, GroupID: same.GroupID }] : []
}
