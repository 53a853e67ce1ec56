import {
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  deleteOlderThan,
} from '../../../store/retention.ts'
import { sql } from '../../../store/db.ts'

const DAY = 86_400_000

/** Findings that went by themselves or were wrong, from when they were last seen; what was done or measured stays. */
export const expiringFindings = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] =>
  deleteOlderThan(options, days, {
    findings: (before) => sql`
      delete from findings where finding_id in (
        select finding_id from findings where not is_live and state in ('expired', 'dismissed')
          and last_seen < ${Math.floor(before / DAY)}::int order by last_seen limit ${BATCH}::int)
      returning 1 as one`,
  })
