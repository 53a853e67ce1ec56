import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { targetOf, type Action, type Target } from '../../../../contract/automation/action.ts'
import { setsConfirmedValues, type TypedValues } from '../../../../contract/automation/default-catch-up.ts'
import type { ActionFacts } from './use-action-facts.ts'

/** An action being edited; its values may still be missing. */
export type EditedAction = Omit<Action, 'Values' | 'After' | 'IfOffline'> &
  Partial<Pick<Action, 'After' | 'IfOffline'>> & { Values?: CommandValues | undefined }

/** Fields that identify the target of an action. */
export type TargetKey = Pick<EditedAction, 'PeripheralUID' | 'GroupID' | 'RoomID' | 'Only' | 'SceneID'>

/** A new action for a target, without values. */
export const actionFor = (target: TargetKey): EditedAction => ({
  ...target,
  ...(target.SceneID === undefined && { Values: {} }),
  After: 0,
  IfOffline: 'fail',
})

export const editedTarget = (action: EditedAction): Target => targetOf(action)

/** Unique key of a target. */
export function targetText(target: Target): string {
  switch (target.kind) {
    case 'device':
      return `device ${target.PeripheralUID}`
    case 'group':
      return `group ${target.GroupID}`
    case 'room':
      return `room ${target.RoomID} ${target.Only}`
    case 'scene':
      return `scene ${target.SceneID}`
  }
}

/** Whether the target of an action was deleted; false while the list of targets is loading. */
export function isTargetMissing(
  target: Target,
  { devices, groups, rooms, scenes, known }: ActionFacts,
): boolean {
  switch (target.kind) {
    case 'device':
      return known.devices && !devices.has(target.PeripheralUID)
    case 'group':
      return known.groups && !groups.has(target.GroupID)
    case 'room':
      return known.rooms && !rooms.some(({ RoomID }) => RoomID === target.RoomID)
    case 'scene':
      return known.scenes && !scenes.has(target.SceneID)
  }
}

/** Device type whose values an action sets, and one device of it; undefined for a room, a scene and a deleted target. */
export function targetTypeOf(
  target: Target,
  { devices, groups }: ActionFacts,
): { type: string; uid: string | undefined } | undefined {
  if (target.kind === 'device') {
    const device = devices.get(target.PeripheralUID)
    return device && { type: device.PeripheralType, uid: device.PeripheralUID }
  }
  if (target.kind !== 'group') return undefined
  const group = groups.get(target.GroupID)
  return group && { type: group.GroupType, uid: group.PeripheralList[0] }
}

/** Values that an action sets, with the device type; a scene yields those of its actions. The type is undefined for a room. */
export function setBy(action: EditedAction, facts: ActionFacts): TypedValues[] {
  const target = editedTarget(action)
  if (target.kind === 'scene')
    return (facts.scenes.get(target.SceneID)?.Actions ?? []).flatMap((one) => setBy(one, facts))
  return [{ type: targetTypeOf(target, facts)?.type, values: action.Values }]
}

/** Whether an action, or any action of a scene, sets values that need a confirmation when a user sends them. */
export const needsConfirmation = (action: EditedAction, facts: ActionFacts): boolean =>
  setsConfirmedValues(setBy(action, facts))

/**
 * Reasons why actions cannot be saved yet (§5: every device action needs values), by path as the gateway returns them. A deleted target is
 * reported at its own row.
 *
 * name  name of the field that holds the actions
 */
export function missingTargets(
  actions: readonly EditedAction[],
  facts: ActionFacts,
  name = 'Actions',
): Record<string, string> {
  if (actions.length === 0) return { [name]: 'required' }
  return Object.fromEntries(
    actions.flatMap((action, i): [string, string][] => {
      if (isTargetMissing(targetOf(action), facts)) return [[`${name}.${i}`, 'notFound']]
      const isSet = action.SceneID !== undefined || Object.keys(action.Values ?? {}).length > 0
      return isSet ? [] : [[`${name}.${i}.Values`, 'required']]
    }),
  )
}
