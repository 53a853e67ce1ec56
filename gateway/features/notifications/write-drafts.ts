import {
  isLifeSafety,
  type CompanyTransport,
  type OutgoingMessage,
} from '../../domain/notifications/notification-transport.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { type Content, isNeeded, LIFE_TOPIC, weightOf } from './draft.ts'
import { discardWaiting } from './enqueue-messages.ts'
import type { NotificationCopy, StoredNotice } from './fan-out.ts'
import { GATHER_MS } from './pacing.ts'

/** Key of a recipient row. */
export const ofPerson = (cognitoId: string): string => `person:${cognitoId}`
const ofChannel = (target: string): string => `channel:${target}`

/** One notice for one recipient. */
interface Addressed {
  notice: StoredNotice
  recipient: string
  cognitoId: string | null
  /** Null for channels. */
  notificationId: string | null
  target: string | null
  language: OutgoingMessage['language'] | null
  /** Whether the notice is sent; otherwise it only supersedes waiting ones. */
  wanted: boolean
}

/**
 * Writes drafts for the people and channels that want the notices. Only the last draft of a topic waits: an alarm that ends before its
 * draft is sent is not sent at all.
 *
 * now  epoch ms
 */
export async function writeDrafts(
  tx: Db,
  { notices, copies }: { notices: readonly StoredNotice[]; copies: readonly NotificationCopy[] },
  channels: CompanyTransport,
  now: number,
): Promise<void> {
  const addressed = lastOfTopics([
    ...copies
      .filter(({ notice }) => isRelevant(notice))
      .map(({ notificationId, notice, person }) => ({
        notificationId,
        notice,
        recipient: ofPerson(person.cognitoId),
        cognitoId: person.cognitoId,
        target: null,
        language: null,
        wanted: !notice.unsent && isNeeded(person, notice),
      })),
    ...(await toChannels(tx, notices, channels)),
  ])
  if (addressed.length === 0) return
  await lockRecipients(tx, addressed)
  const superseded = await supersede(tx, addressed)
  const wantedCopies = addressed.filter((one) => one.wanted && !superseded.has(keyOf(one)))
  if (wantedCopies.length > 0) await insert(tx, wantedCopies, now)
}

/** Whether a notice is sent, or supersedes waiting drafts. */
const isRelevant = ({ unsent, kind }: StoredNotice) => !unsent || kind === 'alarmCleared'

const keyOf = ({ recipient, notice }: Addressed) => `${notice.noticeId}/${recipient}`

/** Queries the channels once for all notices that do not differ for them. */
async function toChannels(
  tx: Db,
  notices: readonly StoredNotice[],
  channels: CompanyTransport,
): Promise<Addressed[]> {
  const targetsByQuery = new Map<string, Awaited<ReturnType<CompanyTransport['readSubscribedTargets']>>>()
  const addressed: Addressed[] = []
  for (const notice of notices) {
    if (notice.unsent) continue
    const {
      tenant,
      category,
      kind,
      homeId,
      to: { channels: named = [] },
    } = notice
    const severity = weightOf(notice)
    const key = JSON.stringify([tenant, category, severity, kind, homeId, named])
    const targets =
      targetsByQuery.get(key) ?? (await channels.readSubscribedTargets(tx, { ...notice, severity }))
    targetsByQuery.set(key, targets)
    for (const { target, language } of targets)
      addressed.push({
        notice,
        recipient: ofChannel(target),
        cognitoId: null,
        notificationId: null,
        target,
        language,
        wanted: true,
      })
  }
  return addressed
}

/**
 * Keeps only the last of several notices of one topic; an alarm that was raised and ended within them is not sent. A danger to life is
 * always sent, and replaces former notices of its topic.
 */
function lastOfTopics(addressed: readonly Addressed[]): Addressed[] {
  const last = new Map<string, Addressed>()
  const always: Addressed[] = []
  for (const one of addressed.toSorted((a, b) => a.notice.noticeId - b.notice.noticeId)) {
    const { topic, noticeId, kind } = one.notice
    const key = `${one.recipient} ${topic ?? `#${noticeId}`}`
    if (isLifeSafety(one.notice)) {
      last.delete(key)
      always.push(one)
      continue
    }
    const before = last.get(key)
    if (before && before.notice.noticeId > noticeId) continue
    const isOver = kind === 'alarmCleared' && before?.wanted && before.notice.kind === 'alarmRaised'
    last.set(key, isOver ? { ...one, wanted: false } : one)
  }
  return [...always, ...last.values()]
}

/**
 * Deletes earlier drafts of the same topics. The end of an alarm also deletes its messages that have not been tried yet, such as the email
 * for unread notifications.
 *
 * returns  the notices about an end whose beginning the recipient has not been sent
 */
async function supersede(tx: Db, addressed: readonly Addressed[]): Promise<ReadonlySet<string>> {
  const superseding = addressed.flatMap(({ recipient, notice: { topic, noticeId, kind } }) =>
    topic === null ? [] : [{ recipient, topic, notice_id: noticeId, over: kind === 'alarmCleared' }],
  )
  if (superseding.length === 0) return new Set()
  await discardWaiting(
    tx,
    superseding.flatMap(({ recipient, topic, over }) => (over ? [{ recipient, topic }] : [])),
    { onlyUntried: true },
  )
  const rows = JSON.stringify(superseding)
  const deletedDrafts = await tx.query<{ recipient: string; noticeId: number; fresh: boolean }>(sql`
    with superseding as (
      select * from jsonb_to_recordset(${rows}::jsonb) as t (recipient text, topic text, notice_id bigint, over boolean))
    delete from drafts d using superseding t
    where d.recipient = t.recipient and d.topic = t.topic and d.notice_id < t.notice_id
    returning d.recipient, t.notice_id as "noticeId", t.over and d.held is null and d.kind = 'alarmRaised' as fresh`)
  return new Set(
    deletedDrafts.filter(({ fresh }) => fresh).map(({ recipient, noticeId }) => `${noticeId}/${recipient}`),
  )
}

/** Locks recipients before their drafts, in the same order as composing messages. */
async function lockRecipients(tx: Db, addressed: readonly Addressed[]): Promise<void> {
  const rows = [...new Map(addressed.map((one) => [one.recipient, one])).values()].map((one) => ({
    recipient: one.recipient,
    tenant: one.notice.tenant,
    cognito_id: one.cognitoId,
    target: one.target,
    language: one.language,
  }))
  // Sorted, because other transactions lock recipients at the same time.
  await tx.query(sql`
    insert into recipients (recipient, tenant, cognito_id, target, language)
    select r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (recipient text, tenant uuid, cognito_id uuid, target text, language text) order by r.recipient
    on conflict (recipient) do update set language = excluded.language
      where recipients.language is distinct from excluded.language`)
}

const isGathered = (notice: StoredNotice): boolean =>
  notice.category === 'alarm' && notice.severity !== 'critical' && !isLifeSafety(notice)

async function insert(tx: Db, addressed: readonly Addressed[], now: number): Promise<void> {
  const rows = addressed.map(({ notice, recipient, notificationId }) => ({
    recipient,
    notification_id: notificationId,
    notice_id: notice.noticeId,
    category: notice.category,
    severity: notice.severity,
    kind: notice.kind,
    home_id: notice.homeId,
    topic: isLifeSafety(notice) ? `${LIFE_TOPIC}${notice.noticeId}` : notice.topic,
    due_at: now + (isGathered(notice) ? GATHER_MS : 0),
    content: contentOf(notice),
  }))
  await tx.query(sql`
    insert into drafts (recipient, notification_id, notice_id, category, severity, kind, home_id, topic, due_at, content)
    select d.recipient, d.notification_id, d.notice_id, d.category, d.severity, d.kind, d.home_id, d.topic, d.due_at, d.content
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (recipient text, notification_id uuid, notice_id bigint,
      category text, severity text, kind text, home_id text, topic text, due_at bigint, content jsonb)`)
}

const contentOf = ({ alarmId, values, path, to, at, canAcknowledge }: StoredNotice): Content => ({
  alarmId,
  values,
  path,
  access: to.access,
  at,
  canAcknowledge,
})
