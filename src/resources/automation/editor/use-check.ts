import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { automations } from '../../../../contract/automation/calls.ts'
import { callQuery, type ResultsOf, type RequestOf } from '../../../data/api.ts'
import { sameValue } from '../../../lib/same-value.ts'

export type DraftInput = RequestOf<typeof automations.checkAutomation>
export type Check = ResultsOf<typeof automations.checkAutomation>

/** Debounce before the gateway checks a changed rule, ms. */
const CHECK_DEBOUNCE_MS = 600

/** The gateway's check of a draft; undefined while the draft cannot be saved, or if the gateway returns no result. */
export function useCheck(input: DraftInput | undefined): Check | undefined {
  const [asked, setAsked] = useState<DraftInput>()
  useEffect(() => {
    if (input === undefined || sameValue(input, asked)) return
    const timer = setTimeout(() => setAsked(input), CHECK_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [input, asked])
  const query = useQuery({
    ...callQuery(automations.checkAutomation, asked ?? ({} as DraftInput)),
    enabled: asked !== undefined,
    retry: false,
    placeholderData: (before) => before,
  })
  return input === undefined ? undefined : query.data
}
