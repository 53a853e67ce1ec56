import { useQueries } from '@tanstack/react-query'
import { may, SOMEWHERE } from '../../../../contract/kernel/permissions.ts'
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

const names = (rule: Rule, reference: RuleReference): boolean =>
  'VirtualMeterID' in reference
    ? (rule.Conditions?.PeripheralUIDs ?? []).some(
        ({ PeripheralUID }) => PeripheralUID === reference.VirtualMeterID,
      )
    : rule.Booking !== undefined && reference.ConferenceRoomIDs.includes(rule.Booking.ConferenceRoomID)

export interface Props {
  reference: RuleReference
}

/** Warning before meeting rooms or a virtual meter are deleted: the automations that reference them. */
export default function RulesWarning({ reference }: Props) {
  const subject = useSubject()
  const kind = 'VirtualMeterID' in reference ? 'virtualMeter' : 'meetingRoom'
  const types = TYPES[kind].filter(
    (type) => subject && may(subject, FEATURE_OF_TYPE[type], 'Read', SOMEWHERE),
  )
  const answers = useQueries(
    {
      queries: types.map((AutomationType) =>
        callQuery(automation.operations.list, {
          AutomationType,
          ...('VirtualMeterID' in reference && { HomeID: reference.HomeID }),
        }),
      ),
    },
    // The dialog renders outside the page's query provider.
    queryClient,
  )
  const rules = answers.flatMap(({ data }) => data ?? []).filter((rule) => names(rule, reference))
  return (
    <ReferenceSummary
      kind={kind}
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
        types.length < TYPES[kind].length || answers.some(({ error }) => error)
          ? 'failed'
          : answers.some(({ isPending }) => isPending)
            ? 'loading'
            : 'known'
      }
    />
  )
}
