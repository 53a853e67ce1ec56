import { Notification } from '../../../contract/notifications/calls.ts'
import {
  LIFE_SAFETY,
  type NotificationEvent,
  isLifeSafety,
} from '../../domain/notifications/notification-transport.ts'
import type { Deps } from '../deps.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { accessKey } from '../../domain/person-data/readable-notifications.ts'
import { userNotification } from '../../../contract/alarms/channels.ts'
import {
  NOTIFICATION_SEVERITIES,
  type NotificationSeverity,
} from '../../../contract/notifications/settings.ts'
import { createThrottle } from '../../lib/throttle.ts'
import { lockPeople, isRecipient, type Recipient, loadPeople } from './recipients.ts'
import { countUnread } from './calls.ts'

/** Minimum interval between two messages to the screens of one person, ms, to throttle a flood. */
const MIN_INTERVAL_MS = 1_000

const rank = (severity: NotificationSeverity) => -NOTIFICATION_SEVERITIES.indexOf(severity)
const weighsLess = (one: Notification, other: Notification) =>
  rank(one.Severity) - rank(other.Severity) || one.At - other.At

/** Publishes new notifications and the number of unread ones to the screens of their recipients. */
export function createTabNotifier({ broker, clock, db, log }: Pick<Deps, 'broker' | 'clock' | 'db' | 'log'>) {
  /** Most important unpublished notification by person; null if notifications were only read. */
  const pending = new Map<string, Notification | null>()

  const pacer = createThrottle<string>(
    clock,
    () => MIN_INTERVAL_MS,
    async (person) => {
      const notification = pending.get(person) ?? null
      pending.delete(person)
      await publish(person, notification)
    },
  )

  async function publish(person: string, notification: Notification | null): Promise<void> {
    const [tenant = '', cognitoId = ''] = person.split('/')
    const topic = userNotification.topic({ rootId: tenant, cognitoId })
    if (broker.hasSubscribers?.(topic) === false) return
    try {
      const reader = (await loadPeople(db, [cognitoId])).get(cognitoId)
      const unread = reader ? await countUnread(db, reader) : 0
      await broker.publish(topic, { Notification: notification, Unread: unread }, { qos: 1 })
    } catch (err) {
      log.warn({ err }, 'notification not published, shown at the next load')
    }
  }

  return {
    /**
     * Called when a notification was written for a person, or with null when one was read on one of their screens. Dangers to life are
     * published immediately and separately.
     */
    notify(tenant: string, cognitoId: string, notification: Notification | null): void {
      const person = `${tenant}/${cognitoId}`
      if (notification && isLifeSafety({ kind: notification.Kind, values: notification.Values }))
        return void publish(person, notification)
      const pendingNotification = pending.get(person)
      if (pendingNotification && (!notification || weighsLess(notification, pendingNotification) < 0))
        return void pacer.request(person)
      pending.set(person, notification)
      pacer.request(person)
    },
    close: pacer.close,
  }
}
type TabNotifier = ReturnType<typeof createTabNotifier>

/** Maximum number of notices per batch, and of the notifications written for them; a single notice may exceed the latter. */
export const NOTICES = 500
const NOTIFICATIONS = 20_000

/** A row of the table notices. */
export type StoredNotice = Omit<NotificationEvent, 'unsent' | 'canAcknowledge'> & {
  noticeId: number
  unsent: boolean
  canAcknowledge: boolean
}

/** Copy of a notice for one person. */
export interface NotificationCopy {
  notificationId: string
  notice: StoredNotice
  person: Recipient
}

/**
 * Determines the recipients of waiting notices, and writes each notice into their notification history.
 *
 * write    writes what is to be sent, in the same transaction
 * returns  whether there may be more
 */
export async function fanOut(
  { db, random }: Pick<Deps, 'db' | 'random'>,
  tabs: TabNotifier,
  write: (
    tx: Db,
    batch: { notices: readonly StoredNotice[]; copies: readonly NotificationCopy[] },
  ) => Promise<void>,
): Promise<boolean> {
  const { published, more } = await db.transaction(async (tx) => {
    const claimedNotices = await claimNotices(tx)
    if (claimedNotices.length === 0) return { published: [], more: false }
    const { notices, copies } = await prepareCopies(tx, claimedNotices, random)
    await tx.query(
      sql`delete from notices where notice_id = any(${notices.map(({ noticeId }) => noticeId)}::bigint[])`,
    )
    const existingHomes = await ofExistingHomes(tx, notices)
    const isExisting = new Set(existingHomes)
    const delivered = copies.filter(({ notice }) => isExisting.has(notice))
    const written = await insert(tx, existingHomes, delivered)
    await write(tx, { notices: existingHomes, copies: delivered })
    return {
      published: written,
      more:
        notices.length < claimedNotices.length ||
        claimedNotices.length === NOTICES ||
        isUrgent(claimedNotices),
    }
  })
  for (const { tenant, person, ...notification } of published) tabs.notify(tenant, person, notification)
  return more
}

/** Whether only notices about danger to life were claimed, and others still wait. */
const isUrgent = (claimedNotices: readonly StoredNotice[]): boolean =>
  claimedNotices.some(({ values }) => values[LIFE_SAFETY] === 1)

/** Claims notices about danger to life before any others, so that no backlog delays them. */
async function claimNotices(tx: Db): Promise<StoredNotice[]> {
  const urgent = await claimWhere(tx, sql`values ? 'lifeSafety'`)
  return urgent.length > 0 ? urgent : claimWhere(tx, sql`true`)
}

const claimWhere = (tx: Db, which: Sql): Promise<StoredNotice[]> =>
  tx.query<StoredNotice>(sql`
    select notice_id as "noticeId", tenant, home_id as "homeId", category, severity, kind, alarm_id as "alarmId", values, path,
      audience as "to", topic, at, unsent, can_acknowledge as "canAcknowledge"
    from notices where ${which} order by notice_id limit ${NOTICES}::int for update skip locked`)

/** Recipients of each notice, for at most as many notices as one transaction should write. */
async function prepareCopies(tx: Db, claimedNotices: readonly StoredNotice[], random: Deps['random']) {
  const tenants = [...new Set(claimedNotices.map(({ tenant }) => tenant))].toSorted()
  const people = new Map<string, Awaited<ReturnType<typeof lockPeople>>>()
  for (const tenant of tenants) people.set(tenant, await lockPeople(tx, tenant))
  const notices: StoredNotice[] = []
  const copies: NotificationCopy[] = []
  for (const notice of claimedNotices) {
    const recipients = (people.get(notice.tenant) ?? []).filter((person) => isRecipient(person, notice.to))
    if (notices.length > 0 && copies.length + recipients.length > NOTIFICATIONS) break
    notices.push(notice)
    for (const person of recipients) copies.push({ notificationId: random.uuid(), notice, person })
  }
  return { notices, copies }
}

/** Notices without a home, and those of existing homes, which are locked against deletion until the transaction ends. */
async function ofExistingHomes(tx: Db, notices: readonly StoredNotice[]): Promise<StoredNotice[]> {
  const named = [...new Set(notices.flatMap(({ homeId }) => homeId ?? []))]
  const homes = await tx.query<{ tenant: string; homeId: string }>(sql`
    select tenant, home_id as "homeId" from homes where home_id = any(${named}::text[])
    order by home_id for key share`)
  const existingHomes = new Set(homes.map(({ tenant, homeId }) => `${tenant}/${homeId}`))
  return notices.filter(({ tenant, homeId }) => homeId === null || existingHomes.has(`${tenant}/${homeId}`))
}

/**
 * Writes the notification history, and returns what is published to screens: for each person all dangers to life, and of the others the
 * newest of the most severe.
 */
function insert(tx: Db, notices: readonly StoredNotice[], copies: readonly NotificationCopy[]) {
  const rows = notices.map(({ noticeId, tenant, homeId, category, severity, kind, ...notice }) => ({
    notice_id: noticeId,
    tenant,
    home_id: homeId,
    category,
    severity,
    kind,
    alarm_id: notice.alarmId,
    values: notice.values,
    path: notice.path,
    access: accessKey(notice.to.access),
    at: notice.at,
  }))
  const pairs = copies.map(({ notificationId, notice, person }) => ({
    notification_id: notificationId,
    notice_id: notice.noticeId,
    cognito_id: person.cognitoId,
  }))
  return tx.query<Notification & { tenant: string; person: string }>(sql`
    with written as (
      insert into notifications (notification_id, notice_id, tenant, cognito_id, category, severity, kind, home_id, alarm_id,
        values, path, access, at)
      select c.notification_id, notice_id, n.tenant, c.cognito_id, n.category, n.severity, n.kind, n.home_id, n.alarm_id,
        n.values, n.path, n.access, n.at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (notice_id bigint, tenant uuid, home_id text, category text,
        severity text, kind text, alarm_id uuid, values jsonb, path text, access text, at bigint)
      join jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as c (notification_id uuid, notice_id bigint, cognito_id uuid) using (notice_id)
      returning *)
    select distinct on (cognito_id, danger) tenant, cognito_id as person, ${columnsOf(Notification)}
    from (select *, case when values ? 'lifeSafety' and kind <> 'alarmCleared' then notification_id end as danger from written) as w
    order by cognito_id, danger, array_position(array['critical', 'warning', 'info'], severity), at desc, notice_id desc`)
}
