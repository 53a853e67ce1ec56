import { type RetentionTarget, type RetentionOptions, dropMonthsOlderThan } from '../../store/retention.ts'

/** Who changed what. */
export const AUDIT = { table: 'audit_log', at: 'at', key: 'audit_id, at' } as const

/** The audit, by whole months. */
export const auditRetention = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] => dropMonthsOlderThan(options, days, AUDIT)
