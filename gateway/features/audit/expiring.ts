import { BATCH, type Expiring, type ExpiryOptions, olderThan } from '../../store/expiry.ts'
import { sql } from '../../store/db.ts'

/** Who changed what. */
export const expiringAudit = (options: Pick<ExpiryOptions, 'db' | 'clock'>, days: number): Expiring[] =>
  olderThan(options, days, {
    audit_log: (before) => sql`
      delete from audit_log where audit_id in (
        select audit_id from audit_log where at <= ${before}::bigint order by at limit ${BATCH}::int)
      returning 1 as one`,
  })
