import { useQueries } from '@tanstack/react-query'
import { runs as calls } from '../../../../contract/automation/run-calls.ts'
import type { RequestOf } from '../../../data/api.ts'
import { callQuery, queryClient } from '../../../data/api.ts'
import { ReferenceSummary } from './reference-summary.tsx'

type Asked = RequestOf<typeof calls.listUsedBy>

/** What the gateway is asked about at once: more would hold up what else a person asks for. */
const MOST = 100

export interface Props {
  /** What is removed, which decides what becomes of its users. */
  what: 'device' | 'hub' | 'room' | 'person'
  /** The thing itself; of a hub its devices, and everybody who is deleted together. */
  of: readonly Asked[]
}

/** In the question before something is removed: what names it and breaks without it; nothing where none does. */
export default function UsersWarning({ what, of }: Props) {
  const asked = of.slice(0, MOST)
  const answers = useQueries(
    { queries: asked.map((one) => callQuery(calls.listUsedBy, one)) },
    // A question stands outside of the page.
    queryClient,
  )
  const hidden = answers.reduce((sum, { data }) => sum + (data?.Hidden ?? 0), 0)
  return (
    <ReferenceSummary
      what={what}
      rows={answers.flatMap(({ data }) => data?.Rows ?? [])}
      // One that several name is counted for each of them.
      hidden={asked.length > 1 && hidden > 0 ? 'some' : hidden}
      state={
        answers.some(({ error }) => error)
          ? 'failed'
          : answers.some(({ isPending }) => isPending)
            ? 'loading'
            : 'known'
      }
      unasked={of.length - asked.length}
    />
  )
}
