import type { Deps } from '../deps.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { NotificationTransport } from '../../domain/notifications/notification-transport.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { quietUntil } from '../../../contract/notifications/quiet-hours.ts'
import { messageContentOf } from './digest.ts'
import { type Draft, type HoldReason, isOfLifeSafety, isNeeded, LIFE_TOPIC } from './draft.ts'
import { enqueueMessages, MAIL_LANE, type NewMessage } from './enqueue-messages.ts'
import { type HeldDraft, applyPacing, type OutgoingDraft, type SentMessage } from './pacing.ts'
import { loadPeople, mayReceive, type Recipient } from './recipients.ts'

/** Maximum number of recipients processed at a time. */
const RECIPIENTS = 50
const MINUTE = 60_000
/** Time for which a message is worth sending, ms. */
const WORTH = { critical: 1_440 * MINUTE, others: 240 * MINUTE }
/** Time after which an unread critical notification is mailed as well, ms; one about danger to life is mailed immediately. */
const MAIL_IF_UNREAD_AFTER_MS = 5 * MINUTE

/** A row of the table recipients. */
interface Row {
  recipient: string
  tenant: string
  cognitoId: string | null
  target: string | null
  sent: SentMessage[]
  digestAt: number | null
}

/**
 * Turns due drafts into messages: decides which are sent now, and by which transports. Several gateways may do so at a time; each locks its
 * recipients.
 *
 * returns  whether there may be more
 */
export const composeDueMessages = (
  { db, clock, random }: Deps,
  push: NotificationTransport,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const rows = await lockRecipients(tx, now)
    if (rows.length === 0) return false
    const drafts = await readDrafts(tx, rows, now)
    const people = await loadPeople(
      tx,
      rows.flatMap(({ cognitoId }) => cognitoId ?? []),
    )
    const targets = await readTargets(tx, push, [...people.values()])
    const done: number[] = []
    const holds: HeldDraft[] = []
    const messages: NewMessage[] = []
    const pacings: { recipient: string; sent: SentMessage[]; digest_at: number | null }[] = []
    for (const row of rows) {
      const all = drafts.get(row.recipient) ?? []
      const person = row.cognitoId === null ? undefined : people.get(row.cognitoId)
      const open = all.filter((draft) => isStillNeeded(draft, row, person))
      const paced = applyPacing(open, pacingOf(row, person, now), now)
      const heldDrafts = new Set(paced.held.flatMap((hold) => hold.drafts))
      done.push(...all.filter((draft) => !heldDrafts.has(draft)).map(({ draftId }) => draftId))
      holds.push(...paced.held)
      pacings.push({ recipient: row.recipient, sent: paced.sent, digest_at: paced.digestAt })
      for (const outgoing of paced.outgoing)
        messages.push(...messagesOf(outgoing, { row, person, targets, now, uuid: random.uuid }))
    }
    await deleteDrafts(tx, done)
    await storeHeldDrafts(tx, holds)
    await writePacing(tx, pacings)
    await enqueueMessages(tx, messages, now)
    return rows.length === RECIPIENTS
  })

const lockRecipients = (tx: Db, now: number): Promise<Row[]> =>
  tx.query<Row>(sql`
    select r.recipient, r.tenant, r.cognito_id as "cognitoId", r.target, r.sent, r.digest_at as "digestAt"
    from recipients r
    where r.recipient in (select recipient from drafts where due_at <= ${now}::bigint
      group by recipient
      order by coalesce(bool_or(starts_with(topic, ${LIFE_TOPIC}::text)), false) desc, min(due_at) limit ${RECIPIENTS}::int)
    for no key update of r skip locked`)

type ReadDraft = Draft & { recipient: string; isOver: boolean }

/** Reads due drafts, and for non-critical alarms also the later drafts of the same home, oldest first. */
async function readDrafts(tx: Db, rows: readonly Row[], now: number): Promise<Map<string, ReadDraft[]>> {
  const recipients = rows.map(({ recipient }) => recipient)
  const isGathered = sql`held is null and category = 'alarm' and severity <> 'critical'`
  const found = await tx.query<ReadDraft>(sql`
    with due as (
      select * from drafts where due_at <= ${now}::bigint and recipient = any(${recipients}::text[])),
    homes as materialized (select distinct recipient, home_id from due where ${isGathered}),
    all_of_them as (
      select * from due
      union all
      select d.* from drafts d join homes h on h.recipient = d.recipient and h.home_id is not distinct from d.home_id
      where ${isGathered} and d.due_at > ${now}::bigint)
    select d.recipient, d.draft_id as "draftId", d.notice_id as "noticeId", d.notification_id as "notificationId", d.category,
      d.severity, d.kind, d.home_id as "homeId", d.topic, d.held, d.content, d.notification_id is not null and (n.notification_id is null or n.read_at is not null) as "isOver"
    from all_of_them d left join notifications n using (notification_id)
    order by d.notice_id`)
  return groupBy(found, ({ recipient }) => recipient)
}

/** Whether a draft may still be sent: rights, settings and read state may have changed since, and the home may have been deleted. */
const isStillNeeded = (draft: ReadDraft, { cognitoId }: Row, person: Recipient | undefined): boolean =>
  cognitoId === null ||
  (person !== undefined &&
    !draft.isOver &&
    mayReceive(person, draft.content.access) &&
    isNeeded(person, { ...draft, values: draft.content.values }))

const pacingOf = ({ sent, digestAt }: Row, person: Recipient | undefined, now: number) => {
  const Quiet = person?.settings.Quiet ?? null
  return {
    sent,
    digestAt,
    quietUntil: Quiet && quietUntil(Quiet, now),
    sendsCritical: Quiet?.Except === 'critical',
  }
}

type Targets = ReadonlyMap<string, Awaited<ReturnType<NotificationTransport['readTargets']>>>

/** Push targets (browsers) of the people who receive push notifications, by person. */
async function readTargets(
  tx: Db,
  push: NotificationTransport,
  people: readonly Recipient[],
): Promise<Targets> {
  const pushed = people.filter(({ pushes }) => pushes)
  const found: Awaited<ReturnType<NotificationTransport['readTargets']>> = []
  for (const [tenant, tenantRecipients] of groupBy(pushed, (person) => person.tenant))
    found.push(
      ...(await push.readTargets(
        tx,
        tenant,
        tenantRecipients.map(({ cognitoId }) => cognitoId),
      )),
    )
  return groupBy(found, ({ person }) => person)
}

interface Sending {
  row: Row
  person: Recipient | undefined
  targets: Targets
  now: number
  uuid(): string
}

/** Creates a message for each browser, or an email if there is none; a critical one is also mailed later if it is still unread. */
function messagesOf(outgoing: OutgoingDraft, { row, person, targets, now, uuid }: Sending): NewMessage[] {
  const { content, notificationIds } = messageContentOf(outgoing)
  const [first] = outgoing.drafts
  const isLife = first !== undefined && isOfLifeSafety(first)
  const isCritical = content.severity === 'critical' || isLife
  const message = {
    tenant: row.tenant,
    kind: isLife ? ('life-safety' as const) : ('notification' as const),
    recipient: row.recipient,
    topic: (outgoing.form === 'single' && first?.topic) || `message:${uuid()}`,
    dueAt: now,
    expiresAt: now + (isCritical ? WORTH.critical : WORTH.others),
  }
  const shared = { cognitoId: row.cognitoId, notificationIds, content }
  if (row.target !== null) {
    const payload = { ...shared, way: 'channel' as const, target: row.target }
    return [{ ...message, lane: `channel:${row.target}`, payload }]
  }
  if (!person) return []
  const wantsChannel = (way: 'Push' | 'Mail') =>
    outgoing.drafts.some(({ category }) => person.settings.Categories[category][way])
  const mail = {
    ...message,
    lane: MAIL_LANE,
    payload: { ...shared, way: 'mail' as const, target: person.cognitoId },
  }
  const browsers = wantsChannel('Push') ? (targets.get(person.cognitoId) ?? []) : []
  if (browsers.length === 0) return wantsChannel('Mail') ? [mail] : []
  return [
    ...browsers.map(({ target, service }) => ({
      ...message,
      lane: `push:${service ?? target}`,
      payload: { ...shared, way: 'push' as const, target },
    })),
    ...(isCritical && wantsChannel('Mail') && notificationIds.length > 0
      ? [{ ...mail, dueAt: isLife ? now : now + MAIL_IF_UNREAD_AFTER_MS }]
      : []),
  ]
}

async function deleteDrafts(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.query(sql`delete from drafts where draft_id = any(${[...ids]}::bigint[])`)
}

async function storeHeldDrafts(tx: Db, holds: readonly HeldDraft[]): Promise<void> {
  const rows = holds.flatMap(({ drafts, until, held }) =>
    drafts.map(({ draftId }): { draft_id: number; due_at: number; held: HoldReason } => ({
      draft_id: draftId,
      due_at: until,
      held,
    })),
  )
  if (rows.length === 0) return
  await tx.query(sql`
    update drafts d set due_at = h.due_at, held = h.held
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as h (draft_id bigint, due_at bigint, held text)
    where d.draft_id = h.draft_id`)
}

async function writePacing(tx: Db, pacings: readonly object[]): Promise<void> {
  await tx.query(sql`
    update recipients r set sent = p.sent, digest_at = p.digest_at
    from jsonb_to_recordset(${JSON.stringify(pacings)}::jsonb) as p (recipient text, sent jsonb, digest_at bigint)
    where r.recipient = p.recipient`)
}
