import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { automation, AutomationType } from '../../../contract/resources/automation.ts'
import type { EditedAction } from '../../custom-views/automation/actions/target.ts'
import type { PathName } from '../../paths.ts'

/** What has a list and an editor of its own: schedules (types 1 and 2), and smart links (types 3 and 5). */
export type RuleKind = 'schedule' | 'smartLink'

/** An automation as it is listed. */
export type ListedRule = ResultsOf<typeof automation.operations.list>[number]

interface Kind {
  types: readonly [AutomationType, AutomationType]
  /** Whose rights hold. */
  feature: 'schedule' | 'smart_link'
  list: PathName
  edit: PathName
}

export const KINDS: Readonly<Record<RuleKind, Kind>> = {
  schedule: { types: [1, 2], feature: 'schedule', list: 'ScheduleListing', edit: 'updateSchedule' },
  smartLink: { types: [3, 5], feature: 'smart_link', list: 'SmartLinkListing', edit: 'updateSmartLink' },
}

export const kindOf = ({ AutomationType: type }: Pick<ListedRule, 'AutomationType'>): RuleKind =>
  type === 1 || type === 2 ? 'schedule' : 'smartLink'

/** Every action of a rule, also those at its end. */
export const actionsIn = ({
  Actions,
  EndActions,
}: Pick<ListedRule, 'Actions' | 'EndActions'>): EditedAction[] => [
  ...(Actions as EditedAction[]),
  ...(Array.isArray(EndActions) ? (EndActions as EditedAction[]) : []),
]
