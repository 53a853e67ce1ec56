import type { ResultsOf } from '../../contract/kernel/define-endpoint.ts'
import type { attention } from '../../contract/attention/calls.ts'

/** Response of `/ListAttention` for a company without open problems. */
export const anAttention = (
  overrides: Partial<ResultsOf<typeof attention.listAttention>> = {},
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
  ...overrides,
})
