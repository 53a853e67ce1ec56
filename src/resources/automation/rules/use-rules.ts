import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { automation, type AutomationState } from '../../../../contract/automation/automation.ts'
import { callQuery } from '../../../data/api.ts'
import { useLanguage } from '../../../lib/i18n/i18n.ts'
import { KINDS, type ListedRule, type RuleKind } from './kinds.ts'

/** States listed before all others, because they need attention. */
const ORDER: readonly AutomationState[] = ['broken', 'suspended', 'paused']
const rankOf = ({ State }: ListedRule): number =>
  ORDER.includes(State) ? ORDER.indexOf(State) : ORDER.length

export interface Rules {
  /** Rules that do not run come first, then by name; undefined while loading. */
  rows: readonly ListedRule[] | undefined
  error: unknown
  retry: () => void
}

/** Rules of the given kinds in a home: the automations of all their types. */
export function useRules(HomeID: string, kinds: readonly RuleKind[], enabled = true): Rules {
  const language = useLanguage()
  const types = kinds.flatMap((kind) => KINDS[kind].types)
  const queries = useQueries({
    queries: types.map((AutomationType) => ({
      ...callQuery(automation.operations.list, { HomeID, AutomationType }),
      enabled,
    })),
  })
  const answers = queries.map(({ data }) => data)
  const rows = useMemo(
    () => {
      const { compare } = new Intl.Collator(language, { numeric: true })
      return answers
        .flatMap((answer) => answer ?? [])
        .toSorted((a, b) => rankOf(a) - rankOf(b) || compare(a.AutomationName, b.AutomationName))
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the number of answers equals the number of types, which is constant
    [language, ...answers],
  )
  return {
    rows: answers.every((answer) => answer !== undefined) && answers.length > 0 ? rows : undefined,
    error: queries.find(({ error }) => error)?.error,
    retry: () => queries.forEach(({ refetch }) => void refetch()),
  }
}
