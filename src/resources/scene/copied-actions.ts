import type { Group } from '../../../contract/automation/group.ts'
import type { Room } from '../../../contract/homes/room.ts'
import type { EditedAction } from '../../domain/automation/actions/target.ts'

interface There {
  deviceOf: (uid: string) => string | undefined
  rooms: readonly Room[]
  groups: readonly Group[]
}
interface Here {
  rooms: readonly Room[]
  groups: readonly Group[]
}

/**
 * A scene's actions for another home: devices as a person has said, rooms and groups those of the same name; what has nothing
 * to stand for it is left out.
 */
export const copiedActions = (
  actions: readonly EditedAction[],
  here: Here,
  { deviceOf, rooms, groups }: There,
): EditedAction[] =>
  actions.flatMap((action): EditedAction[] => {
    if (action.PeripheralUID !== undefined) {
      const PeripheralUID = deviceOf(action.PeripheralUID)
      return PeripheralUID === undefined ? [] : [{ ...action, PeripheralUID }]
    }
    if (action.RoomID !== undefined) {
      const own = here.rooms.find(({ RoomID }) => RoomID === action.RoomID)
      const same =
        action.RoomID === 0
          ? rooms.find(({ RoomID }) => RoomID === 0)
          : rooms.find(({ RoomName }) => RoomName === own?.RoomName)
      return same ? [{ ...action, RoomID: same.RoomID }] : []
    }
    const own = here.groups.find(({ GroupID }) => GroupID === action.GroupID)
    const same = groups.find(
      ({ GroupName, GroupType }) => GroupName === own?.GroupName && GroupType === own?.GroupType,
    )
    return same ? [{ ...action, GroupID: same.GroupID }] : []
  })
