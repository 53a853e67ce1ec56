import { useQueries } from '@tanstack/react-query'
import { runs as calls } from '../../../../contract/automation/run-calls.ts'
import type { RequestOf } from '../../../data/api.ts'
import { callQuery, queryClient } from '../../../data/api.ts'
import { ReferenceSummary } from './reference-summary.tsx'

type UsageQuery = RequestOf<typeof calls.listUsedBy>

/** Maximum number of parallel queries; more would delay the user's other requests. */
const MAX_SUBJECTS = 100

export interface Props {
  /** Kind of the thing to remove, which decides how its users are affected. */
  kind: 'device' | 'hub' | 'room' | 'person'
  /** Things to remove: for a hub its devices, for people all who are deleted together. */
  of: readonly UsageQuery[]
}

/** Warning before something is removed: the users that reference it and stop working; renders nothing if there are none. */
export default function UsersWarning({ kind, of }: Props) {
  const queries = of.slice(0, MAX_SUBJECTS)
  const answers = useQueries(
    { queries: queries.map((query) => callQuery(calls.listUsedBy, query)) },
    // The dialog renders outside the page's query provider.
    queryClient,
  )
  const hidden = answers.reduce((sum, { data }) => sum + (data?.Hidden ?? 0), 0)
  return (
    <ReferenceSummary
      kind={kind}
      rows={answers.flatMap(({ data }) => data?.Rows ?? [])}
      // A user that references several of them is counted several times.
      hidden={queries.length > 1 && hidden > 0 ? 'some' : hidden}
      state={
        answers.some(({ error }) => error)
          ? 'failed'
          : answers.some(({ isPending }) => isPending)
            ? 'loading'
            : 'known'
      }
      uncheckedCount={of.length - queries.length}
    />
  )
}
