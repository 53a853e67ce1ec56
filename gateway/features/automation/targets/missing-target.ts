import type { AutomationProblem } from '../../../../contract/automation/automation.ts'
import type { SceneProblem } from '../../../../contract/automation/scene.ts'
import { type Action, targetOf } from '../../../../contract/automation/action.ts'
import type { LoadedTargets } from './targets.ts'

/** A target of an action that its home does not have, and the field of the action that names it, directly or through a scene. */
export interface MissingActionTarget {
  field: 'PeripheralUID' | 'GroupID' | 'SceneID' | 'RoomID'
  Reason: Extract<AutomationProblem['Reason'], 'deviceGone' | 'groupGone' | 'sceneGone' | 'roomGone'>
  Subject: string
}

/** Missing target of an action; for a scene, also the first missing one in it. Undefined if none is missing. */
export function findMissingActionTarget(
  action: Action,
  targets: LoadedTargets,
): MissingActionTarget | undefined {
  const target = targetOf(action)
  if (target.kind !== 'scene') return goneOf(action, targets)
  const scene = targets.scenes.get(target.SceneID)
  if (!scene) return { field: 'SceneID', Reason: 'sceneGone', Subject: target.SceneID }
  const problem = sceneProblem(scene.Actions, targets)
  return problem && { field: 'SceneID', ...problem }
}

/** First missing target of a scene's actions. */
export function sceneProblem(actions: readonly Action[], targets: LoadedTargets): SceneProblem | undefined {
  for (const action of actions) {
    const gone = goneOf(action, targets)
    if (gone) return { Reason: gone.Reason, Subject: gone.Subject }
  }
  return undefined
}

function goneOf(
  action: Action,
  { devices, groups, rooms }: LoadedTargets,
): (Omit<MissingActionTarget, 'Reason'> & { Reason: SceneProblem['Reason'] }) | undefined {
  const target = targetOf(action)
  if (target.kind === 'device')
    return devices.has(target.PeripheralUID)
      ? undefined
      : { field: 'PeripheralUID', Reason: 'deviceGone', Subject: target.PeripheralUID }
  // A group without devices counts as missing.
  if (target.kind === 'group')
    return groups.get(target.GroupID)?.uids.length
      ? undefined
      : { field: 'GroupID', Reason: 'groupGone', Subject: target.GroupID }
  if (target.kind === 'scene' || rooms.has(target.RoomID)) return undefined
  return { field: 'RoomID', Reason: 'roomGone', Subject: String(target.RoomID) }
}
