import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { automation, AutomationType } from '../../../../contract/automation/automation.ts'
import type { EditedAction } from '../../../domain/automation/targets/target.ts'
import type { PathName } from '../../../navigation/paths.ts'

/** Kinds of automations with their own list and editor: schedules (types 1 and 2), smart links (types 3 and 5), and alarms (type 4). */
export type RuleKind = 'schedule' | 'smartLink' | 'alarm'

/** An automation in a list response. */
export type ListedRule = ResultsOf<typeof automation.operations.list>[number]

interface Kind {
  types: readonly AutomationType[]
  /** Feature whose rights apply. */
  feature: 'schedule' | 'smart_link' | 'power_meter_alarm'
  list: PathName
  edit: PathName
}

export const KINDS: Readonly<Record<RuleKind, Kind>> = {
  schedule: { types: [1, 2], feature: 'schedule', list: 'ScheduleListing', edit: 'updateSchedule' },
  smartLink: { types: [3, 5], feature: 'smart_link', list: 'SmartLinkListing', edit: 'updateSmartLink' },
  alarm: { types: [4], feature: 'power_meter_alarm', list: 'Alarm', edit: 'updateAlarm' },
}

export const kindOf = ({ AutomationType: type }: Pick<ListedRule, 'AutomationType'>): RuleKind =>
  type === 4 ? 'alarm' : type === 1 || type === 2 ? 'schedule' : 'smartLink'

/** All actions of a rule, including its end actions. */
export const actionsIn = ({
  Actions,
  EndActions,
}: Pick<ListedRule, 'Actions' | 'EndActions'>): EditedAction[] => [
  ...(Actions as EditedAction[]),
  ...(Array.isArray(EndActions) ? (EndActions as EditedAction[]) : []),
]

/** Loads that an alarm sheds before the contract capacity is exceeded. */
export const loadsIn = ({ Alarm }: Pick<ListedRule, 'Alarm'>) => Alarm?.Shed?.Loads ?? []
