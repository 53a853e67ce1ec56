import { BATCH, type RetentionTarget, type RetentionOptions, deleteOlderThan } from '../../store/retention.ts'
import { sql } from '../../store/db.ts'

/** What people were told, read or not; but not what nobody has read of an alarm that is still on. */
export const expiringNotifications = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] => [
  ...deleteOlderThan(options, days, {
    notifications: (before) => sql`
      delete from notifications where notification_id in (
        select notification_id from notifications n where at <= ${before}::bigint
          and (read_at is not null or alarm_id is null or not exists (
            select from alarms a where a.alarm_id = n.alarm_id and a.cleared_at is null))
        order by at limit ${BATCH}::int for update skip locked)
      returning 1 as one`,
  }),
  // Whom nothing has gone to lately, and to whom nothing is on its way: they are noted again when there is something.
  ...deleteOlderThan(options, 1, {
    recipients: (before) => sql`
      delete from recipients where recipient in (
        select r.recipient from recipients r
        where coalesce((r.sent -> -1 ->> 'at')::bigint, 0) <= ${before}::bigint
          and not exists (select from drafts d where d.recipient = r.recipient)
          and not exists (select from messages m where m.recipient = r.recipient)
        order by r.recipient limit ${BATCH}::int for update skip locked)
      returning 1 as one`,
  }),
]
