import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createThrottle } from '../../lib/throttle.ts'
import {
  createRetentionJob,
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  deleteOlderThan,
} from '../../store/retention.ts'
import { createTabNotifier, fanOut } from './fan-out.ts'
import { notificationHandlers } from './calls.ts'
import { moveDueMessages } from '../../deliveries/legacy.ts'
import { createDeliveryWorker } from '../../deliveries/worker.ts'
import { composeDueMessages } from './compose-messages.ts'
import { createNotificationSender, type SendPorts } from './notification-sender.ts'
import { countRecipients } from './recipients.ts'
import { writeDrafts } from './write-drafts.ts'
import { sql, type Db, named } from '../../kernel/db.ts'
import type { NotificationEvent } from '../../domain/notifications/notification-transport.ts'

/** NOTIFY channel that announces waiting notices on commit. */
const NOTICES_CHANNEL = 'notices_noted'

/** Records notices in the transaction of the event, all in one statement. */
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
  // NOTIFY is delivered once per transaction, on commit.
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

/** Retention of notifications, read or not, except unread ones of an open alarm. */
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
  // Recipients without recent or pending messages; they are inserted again when needed.
  ...deleteOlderThan(options, 1, {
    recipients: (before) => sql`
      delete from recipients where recipient in (
        select r.recipient from recipients r
        where coalesce((r.sent -> -1 ->> 'at')::bigint, 0) <= ${before}::bigint
          and not exists (select from drafts d where d.recipient = r.recipient)
          and not exists (select from deliveries d where d.recipient = r.recipient)
          and not exists (select from messages m where m.recipient = r.recipient)
        order by r.recipient limit ${BATCH}::int for update skip locked)
      returning 1 as one`,
  }),
]

/** Minimum interval between two checks for new notices, ms, so that a flood is written in few statements. */
const MIN_INTERVAL_MS = 200
/** Polling interval without a NOTIFY, ms. */
const POLL_INTERVAL_MS = 2_000

/** Notifications feature: history, push, email and channels. */
export function notifications(deps: Deps, ports: SendPorts) {
  const { db, clock, events, log, config } = deps
  const tabs = createTabNotifier(deps)
  const workers = (['life-safety', 'notification'] as const).map((kind) =>
    createDeliveryWorker(deps, createNotificationSender(deps, ports, kind)),
  )
  const state = { closed: false }
  let working: Promise<void> = Promise.resolve()

  /** Fans out notices and composes due messages; sending runs independently. */
  async function work(): Promise<void> {
    let more = true
    while (more && !state.closed) {
      more = await fanOut(deps, tabs, (tx, batch) => writeDrafts(tx, batch, ports.channels, clock.now()))
      more = (await composeDueMessages(deps, ports.push)) || more
      for (const worker of workers) void worker.sendDue()
    }
  }
  const pacer = createThrottle<'notices'>(
    clock,
    () => MIN_INTERVAL_MS,
    () => {
      working = state.closed
        ? Promise.resolve()
        : work().catch((err: unknown) => log.warn({ err }, 'notification fan-out failed, will retry'))
      return working
    },
  )
  const runFanOut = () => pacer.request('notices')
  async function poll(): Promise<void> {
    await moveDueMessages(db, clock.now())
    runFanOut()
  }
  db.listen(NOTICES_CHANNEL, { onPayload: runFanOut, onMissed: runFanOut })
  events.on('notificationsRead', ({ tenant, cognitoId }) => tabs.notify(tenant, cognitoId, null))

  const feature = {
    handlers: { notifications: notificationHandlers },
    jobs: [
      { name: 'what people are told', intervalMs: POLL_INTERVAL_MS, run: poll },
      createRetentionJob(
        'notifications',
        deps,
        expiringNotifications(deps, config.retentionDays.notifications ?? 0),
      ),
    ],
    async close() {
      state.closed = true
      pacer.close()
      await working
      await Promise.all(workers.map((worker) => worker.close()))
      tabs.close()
    },
  } satisfies Feature
  return {
    ...feature,
    notify: recordNotices,
    countRecipients,
    /** Processes everything that is due; resolves when the resulting messages are sent. */
    async fanOutNow() {
      await moveDueMessages(db, clock.now())
      await work()
      await Promise.all(workers.map((worker) => worker.idle()))
    },
  }
}
