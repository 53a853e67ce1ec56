import { BATCH, type Expiring, type ExpiryOptions, olderThan } from '../../store/expiry.ts'
import { sql } from '../../store/db.ts'

/** What people were told, read or not. */
export const expiringNotifications = (
  options: Pick<ExpiryOptions, 'db' | 'clock'>,
  days: number,
): Expiring[] =>
  olderThan(options, days, {
    notifications: (before) => sql`
      delete from notifications where notification_id in (
        select notification_id from notifications where at <= ${before}::bigint order by at limit ${BATCH}::int)
      returning 1 as one`,
  })
