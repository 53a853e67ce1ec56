import type { ResultsOf } from '../../contract/kernel/define-endpoint.ts'
import type { attention } from '../../contract/attention/calls.ts'

/** What `/ListAttention` answers of a company in which nothing needs somebody. */
export const anAttention = (
  more: Partial<ResultsOf<typeof attention.listAttention>> = {},
): ResultsOf<typeof attention.listAttention> => ({
  Items: [],
  Counts: { critical: 0, warning: 0, info: 0 },
  Verdict: 'clear',
  Known: 0,
  Watched: 0,
  UnknownIn: {},
  Maintained: 0,
  AsOf: 0,
  Without: [],
  ...more,
})
