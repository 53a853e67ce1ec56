import { type Alarm, MAX_SHELVE_MS, type alarms, MAX_COMMENTS } from '../../../contract/alarms/calls.ts'
import { may, right } from '../../../contract/kernel/permissions.ts'
import type { Actor, Handler, SignedIn, Context } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { PermissionDenied } from '../../http/response.ts'
import { lockHome } from '../../domain/homes/find-home.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import { readSigned, writeSigned } from '../../lib/seal.ts'
import { type AlarmEvent, nextAlarmLife } from './state/alarm-life.ts'
import { isOfRule } from './state/alarm-notices.ts'
import {
  type AlarmRow,
  alarmLifeOf,
  transitionOf,
  ALARM_COLUMNS,
  updateAlarms,
  applyAlarmLife,
} from './state/alarm-rows.ts'
import type { AlarmPorts } from './state/apply-signals.ts'
import { cancelEscalations, planEscalations } from './state/escalations.ts'
import { columnsAt, ALARM_LIST_SOURCE, isVisibleTo, lockAlarmSource } from './state/list-alarms.ts'
import { withLatestReadings } from './state/readings.ts'
import { recordAlarmNotices } from './state/expire.ts'

type Key = Pick<Alarm, 'HomeID' | 'AlarmID'>
/** Actor and dependencies of an action. */
type ActionContext = Pick<SignedIn, 'db' | 'clock' | 'change' | 'emit' | 'audit'> & { actor: Actor }
type AlarmTransition = 'acknowledged' | 'shelved' | 'changed' | 'cleared'

const isAlarm = ({ HomeID, AlarmID }: Key, tenant: string): Sql =>
  sql`a.tenant = ${tenant} and a.home_id = ${HomeID} and a.alarm_id = ${AlarmID}::uuid`

const readAlarm = async (db: Db, key: Key, tenant: string, now: number): Promise<Alarm> => {
  const [alarm] = await db.query<Alarm>(
    sql`select ${columnsAt(now)} from ${ALARM_LIST_SOURCE} where ${isAlarm(key, tenant)}`,
  )
  if (!alarm) return throwMissing(key)
  const [latest = alarm] = await withLatestReadings(db, tenant, [alarm])
  return latest
}

const throwMissing = ({ AlarmID }: Pick<Key, 'AlarmID'>): never => {
  throw new GatewayError('NOT_FOUND', `Alarm ${AlarmID} does not exist`)
}

/**
 * Whether a person may act on alarms of a kind: needs the right to control alarms, or for alarms of devices the right
 * to control devices.
 */
const canActOnAlarm = (actor: Actor, kind: Alarm['Kind'], HomeID: string): boolean =>
  may(actor, 'power_meter_alarm', 'Control', HomeID) ||
  (!isOfRule(kind) && may(actor, 'device_control', 'Control', HomeID))

/**
 * Locks an alarm until the transaction ends.
 *
 * errors  NOT_FOUND, also if this person may not see it; PERMISSION_DENIED
 */
async function lockAlarm(
  key: Key,
  { db, actor, clock }: Pick<ActionContext, 'db' | 'actor' | 'clock'>,
): Promise<AlarmRow> {
  const [row] = await db.query<AlarmRow>(sql`
    select ${ALARM_COLUMNS} from alarms a where ${isAlarm(key, actor.tenant)} and ${isVisibleTo(actor)} for no key update`)
  if (!row) return throwMissing(key)
  if (!canActOnAlarm(actor, row.kind, key.HomeID))
    throw new PermissionDenied(right('power_meter_alarm', 'Control'))
  // The shelving may have expired before the job that ends it has run.
  const hasExpired = row.shelvedUntil !== null && row.shelvedUntil <= clock.now()
  return hasExpired ? { ...row, shelvedUntil: null } : row
}

/** Locks an alarm and applies a person's action to it, in the transaction of `context.db`. */
async function actOn(
  key: Key,
  context: ActionContext,
  ports: AlarmPorts,
  action: { event: AlarmEvent; assignments: Sql; transition: AlarmTransition },
): Promise<Alarm> {
  const row = await lockAlarm(key, context)
  const before = await readAlarm(context.db, key, context.actor.tenant, context.clock.now())
  return applyAction(context, ports, { row, before, ...action })
}

/** Applies a person's action to a locked alarm; `assignments` sets the columns of their input. Errors: CONFLICT if the state does not allow it. */
async function applyAction(
  context: ActionContext,
  ports: AlarmPorts,
  {
    row,
    before,
    event,
    assignments,
    transition: alarmNews,
  }: { row: AlarmRow; before: Alarm; event: AlarmEvent; assignments: Sql; transition: AlarmTransition },
): Promise<Alarm> {
  const { db, actor, clock } = context
  const step = nextAlarmLife(alarmLifeOf(row), event)
  if (!step?.updated) throw conflictOf(before, event)
  const after = applyAlarmLife(row, step.updated)
  // `assignments` sets the time and person of an acknowledgement or clearing: AlarmLife has neither.
  await updateAlarms(db, [{ ...after, acknowledgedAt: row.acknowledgedAt, clearedAt: row.clearedAt }])
  await db.query(sql`update alarms set ${assignments}, withdrawn = ${JSON.stringify(withdrawnActs(before, event, context))}
    where alarm_id = ${row.alarmId}::uuid`)
  if (event.type === 'unacknowledge') await planEscalations(db, [row], clock.now())
  else if (event.type !== 'shelve' && event.type !== 'unshelve') await cancelEscalations(db, [row.alarmId])
  if (step.notification)
    await recordAlarmNotices(db, ports.notify, [{ row: after, ...step.notification }], clock.now())
  return publishChange(context, row, before, alarmNews, actor)
}

/** Publishes and audits the changed alarm, and returns its current state. */
async function publishChange(
  { db, clock, audit, change, emit }: ActionContext,
  row: AlarmRow,
  before: Alarm,
  alarmNews: AlarmTransition,
  actor: Actor,
): Promise<Alarm> {
  const after = await readAlarm(db, before, actor.tenant, clock.now())
  audit({ before, after })
  change('alarm.update', { HomeID: before.HomeID })
  emit('alarmChanged', transitionOf(row, alarmNews, clock.now()))
  return after
}

/** Conflict that names the earlier action. */
function conflictOf({ Cleared, Acknowledged, Shelved }: Alarm, { type }: AlarmEvent): GatewayError {
  const reason = Cleared
    ? `${Cleared.By ?? 'A newer report'} has ended this alarm already`
    : type === 'acknowledge'
      ? `${Acknowledged?.By} has acknowledged this alarm already`
      : type === 'shelve'
        ? `${Shelved?.By} has shelved this alarm already`
        : type === 'unacknowledge'
          ? 'This alarm is not acknowledged any more'
          : 'This alarm is not shelved any more'
  return new GatewayError('CONFLICT', reason, { AlarmID: 'changed' })
}

/** Acknowledges an alarm for the actor. */
function acknowledge(
  context: ActionContext,
  ports: AlarmPorts,
  key: Key,
  comment: string | undefined,
): Promise<Alarm> {
  const { actor, clock } = context
  const assignments = sql`acknowledged_by = ${actor.name}, acknowledged_at = ${clock.now()}::bigint, comment = ${comment ?? null}`
  return actOn(key, context, ports, {
    event: { type: 'acknowledge' },
    assignments,
    transition: 'acknowledged',
  })
}

/** Maximum number of withdrawn acts of an alarm; the newest are kept. */
const MAX_WITHDRAWN = 20

/** Acts that people have withdrawn from an alarm, with the one that the event withdraws. */
function withdrawnActs(
  { Acknowledged, Shelved, Withdrawn }: Alarm,
  { type }: AlarmEvent,
  { actor, clock }: ActionContext,
): Alarm['Withdrawn'] {
  const by = { WithdrawnBy: actor.name, WithdrawnAt: clock.now() }
  if (type === 'unacknowledge' && Acknowledged) {
    const { By, At, Comment } = Acknowledged
    Withdrawn = [...Withdrawn, { Act: 'acknowledged', By, At, Text: Comment, ...by }]
  }
  if (type === 'unshelve' && Shelved) {
    const { By, At, Reason } = Shelved
    Withdrawn = [...Withdrawn, { Act: 'shelved', By, At, Text: Reason, ...by }]
  }
  return Withdrawn.slice(-MAX_WITHDRAWN)
}

type AlarmAction =
  'acknowledgeAlarm' | 'unacknowledgeAlarm' | 'shelveAlarm' | 'unshelveAlarm' | 'commentAlarm' | 'clearAlarm'

/** Handlers of people's actions on alarms. */
export const createAlarmActions = (
  ports: AlarmPorts,
): { [V in AlarmAction]: Handler<(typeof alarms)[V]> } => ({
  acknowledgeAlarm: ({ Comment, ...key }, context) => acknowledge(context, ports, key, Comment),

  unacknowledgeAlarm: (key, context) =>
    actOn(key, context, ports, {
      event: { type: 'unacknowledge' },
      assignments: sql`acknowledged_by = null, acknowledged_at = null, comment = null`,
      transition: 'changed',
    }),

  shelveAlarm: async ({ Until, Reason, ...key }, context) => {
    const { actor, clock } = context
    const now = clock.now()
    if (Until <= now) throw new GatewayError('INVALID', 'This moment is over', { Until: 'past' })
    if (Until > now + MAX_SHELVE_MS)
      throw new GatewayError('INVALID', 'An alarm is shelved for 24 hours at most', { Until: 'tooBig' })
    const assignments = sql`shelved_by = ${actor.name}, shelved_at = ${now}::bigint, shelved_until = ${Until}::bigint,
      shelved_reason = ${Reason}`
    return actOn(key, context, ports, {
      event: { type: 'shelve' },
      assignments,
      transition: 'shelved',
    })
  },

  unshelveAlarm: (key, context) =>
    actOn(key, context, ports, {
      event: { type: 'unshelve' },
      assignments: sql`shelved_until = null, shelved_by = null, shelved_at = null, shelved_reason = null`,
      transition: 'changed',
    }),

  commentAlarm: async ({ Text, ...key }, context) => {
    const { db, actor, clock } = context
    const row = await lockAlarm(key, context)
    const before = await readAlarm(db, key, actor.tenant, clock.now())
    if (before.Comments.length >= MAX_COMMENTS)
      throw new GatewayError('LIMIT_EXCEEDED', `An alarm has ${MAX_COMMENTS} comments at most`)
    const comment = JSON.stringify([{ By: actor.name, At: clock.now(), Text }])
    await db.query(
      sql`update alarms set comments = comments || ${comment}::jsonb where alarm_id = ${row.alarmId}::uuid`,
    )
    return publishChange(context, row, before, 'changed', actor)
  },

  clearAlarm: async ({ Reason, ...key }, context) => {
    const { db, actor, clock } = context
    await lockHome(db, actor.tenant, key.HomeID)
    // Locks the source before the alarm, like reports do: a concurrent report waits, and then counts as newer.
    const lastReportAt = await lockAlarmSource(db, isAlarm(key, actor.tenant))
    const row = await lockAlarm(key, context)
    const before = await readAlarm(db, key, actor.tenant, clock.now())
    if (!before.Cleared && !before.SourceLost)
      throw new GatewayError('CONFLICT', 'What raised it can still tell when it is over', {
        AlarmID: 'stillTrue',
      })
    const now = clock.now()
    const assignments = sql`cleared_by = ${actor.name}, cleared_at = ${now}::bigint, cleared_reason = ${Reason},
      reported_at = greatest(reported_at, ${lastReportAt}::bigint)`
    return applyAction(context, ports, {
      row,
      before,
      event: { type: 'clearByPerson', at: now },
      assignments,
      transition: 'cleared',
    })
  },
})

/** Lifetime of a link, ms: the same as that of a critical push message. */
const LINK_TTL_MS = 86_400_000

/** Content of a link: the alarm it acknowledges, the person, and the time of issue. */
interface AlarmLink {
  tenant: string
  alarmId: string
  cognitoId: string
  at: number
}

/** Short names, because the link is part of messages with a limited size. */
interface LinkContent {
  t: string
  a: string
  c: string
  i: number
}

export const writeLink = ({ tenant, alarmId, cognitoId, at }: AlarmLink, key: Uint8Array): string =>
  writeSigned({ t: tenant, a: alarmId, c: cognitoId, i: at } satisfies LinkContent, key)

const isTooOld = ({ at }: AlarmLink, now: number): boolean => now - at > LINK_TTL_MS

/** The link, if its signature is valid. */
function readLink(text: string, key: Uint8Array): AlarmLink | undefined {
  const link = readSigned<LinkContent>(text, key)
  return link && { tenant: link.t, alarmId: link.a, cognitoId: link.c, at: link.i }
}

/**
 * Acknowledges an alarm for the person of a signed link, with their current rights. Using a link also invalidates the
 * links that were issued before it.
 */
export const createAcknowledgeByLink =
  (
    ports: AlarmPorts,
    identity: Pick<Identity, 'loadActor'>,
    key: Uint8Array,
  ): Handler<typeof alarms.acknowledgeByLink> =>
  async ({ Token }, context) => {
    const link = readLink(Token, key)
    const actor = link && (await identity.loadActor(link.cognitoId))
    if (!link || isTooOld(link, context.clock.now()) || !actor || actor.tenant !== link.tenant)
      throw invalidLink()
    context.actFor(actor)
    const alarm = await readLinkedAlarm(context.db, link, isVisibleTo(actor))
    if (!alarm || !canActOnAlarm(actor, alarm.kind, alarm.homeId)) throw invalidLink()
    if (alarm.isUsed) throw new GatewayError('CONFLICT', 'This link was used already', { Token: 'changed' })
    const { alarmId: AlarmID, homeId: HomeID } = alarm
    await context.db.query(sql`
      update alarms set used_links = used_links || ${JSON.stringify({ [link.cognitoId]: link.at })}::jsonb
      where alarm_id = ${AlarmID}::uuid`)
    await acknowledge(
      { ...context, actor } as Context & { actor: typeof actor },
      ports,
      { HomeID, AlarmID },
      undefined,
    )
    return { HomeID, AlarmID }
  }

const invalidLink = () => new GatewayError('NOT_FOUND', 'This link leads to nothing')

/** The alarm of a link, locked; undefined if it was deleted or the person may not see it. */
async function readLinkedAlarm(
  db: Db,
  { tenant, alarmId, cognitoId, at }: AlarmLink,
  isVisible: ReturnType<typeof isVisibleTo>,
) {
  const [alarm] = await db.query<Pick<AlarmRow, 'alarmId' | 'homeId' | 'kind'> & { isUsed: boolean }>(sql`
    select a.alarm_id as "alarmId", a.home_id as "homeId", a.kind,
      coalesce((a.used_links ->> ${cognitoId}::text)::bigint >= ${at}::bigint, false) as "isUsed"
    from alarms a where a.tenant = ${tenant}::uuid and a.alarm_id = ${alarmId}::uuid and ${isVisible} for no key update`)
  return alarm
}
