import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Scene } from '../../../../contract/automation/scene.ts'
import { type Action, targetOf } from '../../../../contract/automation/action.ts'
import { commonPaths } from '../../../../contract/devices/status-order.ts'
import { parseRoomValues, roomValues } from '../../../../contract/devices/room-values.ts'
import type { LoadedTargets } from './targets.ts'

/** One device that an action sets. */
export interface DeviceStep {
  action: number
  uid: string
  values: CommandValues
  after: number
  ifOffline: Action['IfOffline']
  /** Named only through its room; an action that names the device or its group takes precedence. */
  byRoom: boolean
  /** Execution order and failure handling of the scene that contains the step; only for scenes that an automation runs. */
  scene?: Pick<Scene, 'Order' | 'StopOnFailure'>
}

/**
 * Device steps of actions by the present groups, rooms and scenes, in the order of the actions. A deleted device keeps its step,
 * which then fails; a deleted group, room or scene has none. Of two steps that set a common field, one that names its device
 * takes precedence over one that names a room; otherwise the later one does.
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

/** All device steps, including those that another one overrides. */
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
      // In an ordered scene, the other steps wait for the first anyway.
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
