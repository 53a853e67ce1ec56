import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import {
  createRetentionJob,
  createPartitionsAhead,
  type RetentionTarget,
  type RetentionOptions,
  dropMonthsOlderThan,
} from '../../store/retention.ts'
import { auditHandlers } from './audit.ts'

/** Audit log: who changed what. */
const AUDIT = { table: 'audit_log', at: 'at', key: 'audit_id, at' } as const

/** Retention of the audit, by whole months. */
export const auditRetention = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] => dropMonthsOlderThan(options, days, AUDIT)

export function audit(deps: Deps) {
  const partitions = createPartitionsAhead(deps, AUDIT)
  return {
    handlers: { audit: auditHandlers },
    jobs: [
      partitions.job,
      createRetentionJob('audit', deps, auditRetention(deps, deps.config.keepDays.audit)),
    ],
    prepare: partitions.prepare,
  } satisfies Feature
}
