import type { RetentionDays } from '../../kernel/deps.ts'
import {
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  dropMonthsOlderThan,
  deleteOlderThan,
} from '../../store/retention.ts'
import { sql } from '../../store/db.ts'
import { createEventCap } from './event-cap.ts'

/** What happened at devices, by their own clocks. */
export const EVENTS = {
  table: 'device_events',
  at: 'timestamp',
  key: 'tenant, peripheral_uid, timestamp, seq',
} as const

/**
 * What happened at devices, by whole months, and when hubs were away, from their return.
 *
 * mostEvents  the most that is kept of one device; 0 for no limit
 */
export const expiringEvents = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  { history }: Pick<RetentionDays, 'history'>,
  mostEvents: number,
): RetentionTarget[] => [
  ...dropMonthsOlderThan(options, history, EVENTS),
  ...deleteOlderThan(options, history, {
    aged_events: (before) => sql`
      delete from aged_events where (tenant, peripheral_uid, seq) in (
        select tenant, peripheral_uid, seq from aged_events where timestamp <= ${before}::bigint
        order by timestamp limit ${BATCH}::int) returning 1 as one`,
    hub_absences: (before) => sql`
      delete from hub_absences where (thing_name, since) in (
        select thing_name, since from hub_absences where until <= ${before}::bigint
        order by until limit ${BATCH}::int) returning 1 as one`,
  }),
  ...(mostEvents > 0 ? [{ table: 'device_events', trim: createEventCap(options.db, mostEvents) }] : []),
]
