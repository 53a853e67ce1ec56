import {
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  deleteOlderThan,
} from '../../../store/retention.ts'
import { sql } from '../../../kernel/db.ts'

const DAY = 86_400_000

/** Retention of expired and wrongly found findings, from their last detection; completed and measured ones are kept. */
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
