import { type Expiring, type ExpiryOptions, monthsOlderThan } from '../../store/expiry.ts'

/** Who changed what. */
export const AUDIT = { table: 'audit_log', at: 'at', key: 'audit_id, at' } as const

/** The audit, by whole months. */
export const expiringAudit = (options: Pick<ExpiryOptions, 'db' | 'clock'>, days: number): Expiring[] =>
  monthsOlderThan(options, days, AUDIT)
