import { useQueries } from '@tanstack/react-query'
import { may } from '../../../../contract/kernel/permissions.ts'
import {
  automation,
  type AutomationType,
  FEATURE_OF_TYPE,
} from '../../../../contract/automation/automation.ts'
import { callQuery, queryClient, type ResultsOf } from '../../../data/api.ts'
import { useSubject } from '../../../data/session.ts'
import { ReferenceSummary } from './reference-summary.tsx'

type Rule = ResultsOf<typeof automation.operations.list>[number]

/** Meeting rooms or a virtual meter that automations may reference. */
export type RuleReference =
  { ConferenceRoomIDs: readonly string[] } | { HomeID: string; VirtualMeterID: string }

const TYPES = { meetingRoom: [1], virtualMeter: [3, 4, 5] } as const satisfies Record<
  string,
  readonly AutomationType[]
>

const names = (rule: Rule, named: RuleReference): boolean =>
  'VirtualMeterID' in named
    ? (rule.Conditions?.PeripheralUIDs ?? []).some(
        ({ PeripheralUID }) => PeripheralUID === named.VirtualMeterID,
      )
    : rule.Booking !== undefined && named.ConferenceRoomIDs.includes(rule.Booking.ConferenceRoomID)

export interface Props {
  named: RuleReference
}

/** Warning before meeting rooms or a virtual meter are deleted: the automations that reference them. */
export default function RulesWarning({ named }: Props) {
  const subject = useSubject()
  const what = 'VirtualMeterID' in named ? 'virtualMeter' : 'meetingRoom'
  const types = TYPES[what].filter((type) => subject && may(subject, FEATURE_OF_TYPE[type], 'Read'))
  const answers = useQueries(
    {
      queries: types.map((AutomationType) =>
        callQuery(automation.operations.list, {
          AutomationType,
          ...('VirtualMeterID' in named && { HomeID: named.HomeID }),
        }),
      ),
    },
    // The dialog renders outside the page's query provider.
    queryClient,
  )
  const rules = answers.flatMap(({ data }) => data ?? []).filter((rule) => names(rule, named))
  return (
    <ReferenceSummary
      what={what}
      rows={rules.map(({ HomeID, AutomationID, AutomationName, AutomationType }) => ({
        Kind: 'automation',
        HomeID,
        ID: AutomationID,
        Name: AutomationName,
        AutomationType,
        Role: 'condition',
      }))}
      hidden={0}
      state={
        types.length < TYPES[what].length || answers.some(({ error }) => error)
          ? 'failed'
          : answers.some(({ isPending }) => isPending)
            ? 'loading'
            : 'known'
      }
    />
  )
}
