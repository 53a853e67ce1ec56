import type { NotificationEvent } from '../../domain/notifications/notification-transport.ts'
import { type Db, named, sql } from '../../store/db.ts'

/** The channel on which the database says, with the commit, that notices wait. */
export const NOTICES_CHANNEL = 'notices_noted'

/** Notes what people are to be told, in the transaction in which it happened: one statement for all. */
export async function recordNotices(tx: Db, notices: readonly NotificationEvent[]): Promise<void> {
  if (notices.length === 0) return
  const rows = notices.map((notice) => ({
    tenant: notice.tenant,
    home_id: notice.homeId,
    category: notice.category,
    severity: notice.severity,
    kind: notice.kind,
    alarm_id: notice.alarmId,
    values: notice.values,
    path: notice.path,
    audience: notice.to,
    topic: notice.topic,
    at: notice.at,
    unsent: notice.unsent ?? false,
    can_acknowledge: notice.canAcknowledge ?? false,
  }))
  // Said once a transaction and heard when that is committed.
  await tx.query(
    named(
      'notices-insert',
      sql`
    with noted as (
      insert into notices (tenant, home_id, category, severity, kind, alarm_id, values, path, audience, topic, at, unsent,
        can_acknowledge)
      select n.tenant, n.home_id, n.category, n.severity, n.kind, n.alarm_id, n.values, n.path, n.audience, n.topic, n.at,
        n.unsent, n.can_acknowledge
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (tenant uuid, home_id text, category text, severity text,
        kind text, alarm_id uuid, values jsonb, path text, audience jsonb, topic text, at bigint, unsent boolean,
        can_acknowledge boolean))
    select pg_notify(${NOTICES_CHANNEL}, '')`,
    ),
  )
}
