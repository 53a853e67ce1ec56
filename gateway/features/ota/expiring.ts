import { BATCH, type RetentionTarget, type RetentionOptions, deleteOlderThan } from '../../store/retention.ts'
import { sql } from '../../store/db.ts'

/** Firmware updates, from the end of their job. */
export const expiringUpdates = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] =>
  deleteOlderThan(options, days, {
    ota_updates: (before) => sql`
      delete from ota_updates where request_id in (
        select u.request_id from ota_jobs j join ota_updates u on u.tenant = j.tenant and u.ota_job_id = j.ota_job_id
        where j.ended_at <= ${before}::bigint limit ${BATCH}::int) returning 1 as one`,
    // After their updates, of which one may have thousands.
    ota_jobs: (before) => sql`
      delete from ota_jobs where (tenant, ota_job_id) in (
        select j.tenant, j.ota_job_id from ota_jobs j where j.ended_at <= ${before}::bigint and not exists (
          select from ota_updates u where u.tenant = j.tenant and u.ota_job_id = j.ota_job_id)
        limit ${BATCH}::int) returning 1 as one`,
  })
