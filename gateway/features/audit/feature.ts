import type { Deps, Feature } from '../../kernel/deps.ts'
import { createRetentionJob, createPartitionsAhead } from '../../store/retention.ts'
import { auditHandlers } from './audit.ts'
import { AUDIT, auditRetention } from './expiring.ts'

/** Who changed what. */
export function audit(deps: Deps) {
  const months = createPartitionsAhead(deps, AUDIT)
  return {
    handlers: { audit: auditHandlers },
    jobs: [months.job, createRetentionJob('audit', deps, auditRetention(deps, deps.config.keepDays.audit))],
    prepare: months.prepare,
  } satisfies Feature
}
