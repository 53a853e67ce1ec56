import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Scene } from '../../../../contract/automation/scene.ts'
import { type Action, targetOf } from '../../../../contract/automation/action.ts'
import { commonPaths } from '../../../../contract/devices/merge-status.ts'
import { parseRoomValues, roomValues } from '../../../../contract/devices/room-values.ts'
import type { LoadedTargets } from './targets.ts'

/** One device that an action sets. */
export interface DeviceStep {
  /** Which action of the list it comes from. */
  action: number
  uid: string
  values: CommandValues
  after: number
  ifOffline: Action['IfOffline']
  /** Named through its room only: what names the device itself, or its group, wins. */
  byRoom: boolean
  /** Of what a scene sets that an automation runs: how that scene is carried out. */
  scene?: Pick<Scene, 'Order' | 'StopOnFailure'>
}

/**
 * The devices that actions are for as things stand, in the order of the actions. A device that is gone keeps its step,
 * which then fails; a group, room or scene that is gone has none. Of two steps that set something in common the one that
 * names its device wins over the one that names a room, and else the later.
 */
export function expandActions(actions: readonly Action[], targets: LoadedTargets): DeviceStep[] {
  const steps = stepsOf(actions, targets)
  return steps.filter(
    (step, i) =>
      !steps.some(
        (other, j) =>
          i !== j &&
          other.uid === step.uid &&
          (other.byRoom === step.byRoom ? j > i : step.byRoom) &&
          commonPaths(other.values, step.values),
      ),
  )
}

/** The same, with every step, whether or not another one sets the same. */
export const stepsOf = (actions: readonly Action[], targets: LoadedTargets): DeviceStep[] =>
  actions.flatMap((action, i) => stepsOfAction(action, targets).map((step) => ({ ...step, action: i })))

function stepsOfAction(action: Action, targets: LoadedTargets): Omit<DeviceStep, 'action'>[] {
  const target = targetOf(action)
  const common = { after: action.After, ifOffline: action.IfOffline }
  const values = action.Values ?? {}
  switch (target.kind) {
    case 'device':
      return [{ uid: target.PeripheralUID, values, ...common, byRoom: false }]
    case 'group':
      return (targets.groups.get(target.GroupID)?.uids ?? []).map((uid) => ({
        uid,
        values,
        ...common,
        byRoom: false,
      }))
    case 'scene': {
      const scene = targets.scenes.get(target.SceneID)
      if (!scene) return []
      // In order the others wait for the first anyway.
      return stepsOf(scene.Actions, targets).map(({ after, ...step }, i) => ({
        ...step,
        after: scene.Order === 'inOrder' && i > 0 ? after : after + action.After,
        scene: { Order: scene.Order, StopOnFailure: scene.StopOnFailure },
      }))
    }
    case 'room': {
      const parsed = parseRoomValues(target.Only, values)
      if (!parsed.success) return []
      return (targets.rooms.get(target.RoomID) ?? []).flatMap((uid) => {
        const device = targets.devices.get(uid)
        if (!device || device.switchesHidden) return []
        const set = roomValues(target.Only, parsed.data, {
          PeripheralType: device.type,
          status: device.status,
        })
        return set ? [{ uid, values: set, ...common, byRoom: true }] : []
      })
    }
  }
}
