import type { Deps, Feature } from '../../kernel/deps.ts'
import {
  createRetentionJob,
  createPartitionsAhead,
  type RetentionTarget,
  type RetentionOptions,
  dropMonthsOlderThan,
} from '../../store/retention.ts'
import { auditHandlers } from './audit.ts'

/** Who changed what. */
const AUDIT = { table: 'audit_log', at: 'at', key: 'audit_id, at' } as const

/** The audit, by whole months. */
export const auditRetention = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] => dropMonthsOlderThan(options, days, AUDIT)

/** Who changed what. */
export function audit(deps: Deps) {
  const months = createPartitionsAhead(deps, AUDIT)
  return {
    handlers: { audit: auditHandlers },
    jobs: [months.job, createRetentionJob('audit', deps, auditRetention(deps, deps.config.keepDays.audit))],
    prepare: months.prepare,
  } satisfies Feature
}
