import {
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  dropMonthsOlderThan,
  deleteOlderThan,
} from '../../store/retention.ts'
import { sql } from '../../store/db.ts'

/** Commands, by when they were asked for. */
export const COMMANDS = {
  table: 'commands',
  at: 'requested_at',
  key: 'tenant, request_id, peripheral_uid, requested_at',
} as const

/** How long it is known that a request was made, in days: nobody repeats one after that. */
const KEEP_KEYS = 32

/** Commands, by whole months; which requests were made, for as long as one may be repeated. */
export const expiringCommands = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] => [
  ...dropMonthsOlderThan(options, days, COMMANDS),
  ...deleteOlderThan(options, KEEP_KEYS, {
    command_keys: (before) => sql`
      delete from command_keys where (tenant, request_id, peripheral_uid) in (
        select tenant, request_id, peripheral_uid from command_keys where requested_at <= ${before}::bigint
        order by requested_at limit ${BATCH}::int) returning 1 as one`,
  }),
]
