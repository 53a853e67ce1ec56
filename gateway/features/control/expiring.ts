import { BATCH, type Expiring, type ExpiryOptions, olderThan } from '../../store/expiry.ts'
import { sql } from '../../store/db.ts'

/** Commands, from their end. */
export const expiringCommands = (options: Pick<ExpiryOptions, 'db' | 'clock'>, days: number): Expiring[] =>
  olderThan(options, days, {
    commands: (before) => sql`
      delete from commands where (tenant, request_id, peripheral_uid) in (
        select tenant, request_id, peripheral_uid from commands where settled_at <= ${before}::bigint
        order by settled_at limit ${BATCH}::int) returning 1 as one`,
  })
