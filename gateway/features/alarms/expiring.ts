import { BATCH, type RetentionTarget, type RetentionOptions, deleteOlderThan } from '../../store/retention.ts'
import { sql } from '../../store/db.ts'

/** Alarms from when they were cleared, and maintenance from its end. */
export const expiringAlarms = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] =>
  deleteOlderThan(options, days, {
    alarms: (before) => sql`
      delete from alarms where alarm_id in (
        select alarm_id from alarms where cleared_at <= ${before}::bigint order by cleared_at limit ${BATCH}::int)
      returning 1 as one`,
    maintenances: (before) => sql`
      delete from maintenances where maintenance_id in (
        select maintenance_id from maintenances where ended_at <= ${before}::bigint order by ended_at limit ${BATCH}::int)
      returning 1 as one`,
  })
