import type { runs } from '../../../../contract/automation/run-calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { pathTo } from '../../../navigation/paths.ts'

/** A group, scene or automation that uses a device, group, scene or room. */
export type User = ResultsOf<typeof runs.listUsedBy>['Rows'][number]

/** Path of the page on which it is edited. */
export function pathOfUser({
  Kind,
  HomeID,
  ID,
  AutomationType,
}: Pick<User, 'Kind' | 'HomeID' | 'ID' | 'AutomationType'>): string {
  if (Kind === 'group') return pathTo('updateGroup', { HomeID, GroupID: ID })
  if (Kind === 'scene') return pathTo('updateScene', { HomeID, SceneID: ID })
  if (AutomationType === 4) return pathTo('updateAlarm', { HomeID, automationID: ID })
  const isSchedule = AutomationType === 1 || AutomationType === 2
  return pathTo(isSchedule ? 'updateSchedule' : 'updateSmartLink', { HomeID, automationID: ID })
}
