import { useQueries } from '@tanstack/react-query'
import { automations, type Blocker } from '../../../../contract/automation/calls.ts'
import { callQuery } from '../../../data/api.ts'
import { KINDS, type RuleKind } from '../rules/kinds.ts'

/** Rules of a home that can never fire, by AutomationID; empty while loading. */
export function useBlockers(HomeID: string, kind: RuleKind): ReadonlyMap<string, Blocker> {
  const answers = useQueries({
    queries: KINDS[kind].types.map((AutomationType) => ({
      ...callQuery(automations.listBlockedAutomation, { HomeID, AutomationType }),
      // Schedules have no conditions.
      enabled: kind !== 'schedule',
    })),
  })
  return new Map(answers.flatMap(({ data }) => (data ?? []).map((one) => [one.AutomationID, one] as const)))
}
