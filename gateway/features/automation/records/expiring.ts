import {
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  deleteOlderThan,
} from '../../../store/retention.ts'
import { sql } from '../../../kernel/db.ts'

/** Finished runs, by their start time. */
export const expiringRuns = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] =>
  deleteOlderThan(options, days, {
    automation_runs: (before) => sql`
      delete from automation_runs where (tenant, run_id) in (select tenant, run_id from automation_runs
        where began_at <= ${before}::bigint and ended_at is not null order by began_at limit ${BATCH}::int)
      returning 1 as one`,
  })
