import type { Alarm, ALARM_STATES, alarms } from '../../../contract/procedures/alarms.ts'
import type { HandlersOf, SignedIn } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { findHome, holdHome } from '../../lib/find-home.ts'
import { type Db, type Sql, sql } from '../../store/db.ts'
import { pageBy } from '../../store/page.ts'

/** Sorts by rank before time: open before acknowledged before cleared, the newest first. Far above any time in ms. */
const PLACE = sql`(case when a.cleared_at is not null then 0 when a.acknowledged_at is not null then 1 else 2 end)::bigint
  * 100000000000000 + a.raised_at`

const COLUMNS = sql`a.alarm_id as "AlarmID", a.home_id as "HomeID", a.source as "Source", 'state' as "Kind", null as "AutomationID", null as "AutomationName", null as "ThingName",
  '[]'::jsonb as "Readings", a.count as "Count", false as "Chattering", null as "Shelved", '[]'::jsonb as "Comments", a.peripheral_uid as "PeripheralUID",
  a.peripheral_type as "PeripheralType", coalesce(p.peripheral_name, a.peripheral_name) as "SubjectName",
  a.severity as "Severity", a.values as "Values", a.raised_at as "RaisedAt", a.reported_at as "ReportedAt",
  case when a.acknowledged_at is not null then jsonb_build_object('By', a.acknowledged_by, 'At', a.acknowledged_at,
    'Comment', a.comment) end as "Acknowledged",
  case when a.cleared_at is not null then jsonb_build_object('By', a.cleared_by, 'At', a.cleared_at,
    'Reason', a.cleared_reason) end as "Cleared"`
const FROM = sql`alarms a left join peripherals p on p.tenant = a.tenant and p.peripheral_uid = a.peripheral_uid`

const STATES: Readonly<Record<(typeof ALARM_STATES)[number], Sql>> = {
  open: sql`a.cleared_at is null`,
  unacknowledged: sql`a.cleared_at is null and a.acknowledged_at is null`,
  acknowledged: sql`a.cleared_at is null and a.acknowledged_at is not null`,
  shelved: sql`false`,
  cleared: sql`a.cleared_at is not null`,
  current: sql`(a.cleared_at is null or a.cleared_by is not null and exists (select from device_status s
    where s.tenant = a.tenant and s.peripheral_uid = a.peripheral_uid and s.timestamp <= a.reported_at))`,
}

const notBuilt = (): never => {
  throw new Error('Not built yet')
}

export const alarmHandlers: HandlersOf<typeof alarms> = {
  acknowledgeByLink: notBuilt,
  shelveAlarm: notBuilt,
  unshelveAlarm: notBuilt,
  commentAlarm: notBuilt,

  listAlarm: async ({ HomeID, State, Cursor, Limit }, { db, actor }) => {
    if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
    const page = pageBy({
      by: PLACE,
      cast: 'bigint',
      id: sql`a.alarm_id::text`,
      descending: true,
      Cursor,
      Limit,
    })
    const where = sql`a.tenant = ${actor.tenant} and ${HomeID === undefined ? sql`true` : sql`a.home_id = ${HomeID}`}
      and ${State === undefined ? sql`true` : STATES[State]}`
    const found = await db.query<Alarm & { placeBy: number; placeId: string }>(
      sql`select ${COLUMNS}, ${page.place} from ${FROM} where ${where} and ${page.after} ${page.order}`,
    )
    const [count] = await db.query<{ total: number }>(
      sql`select count(*) as total from alarms a where ${where}`,
    )
    return {
      ...page.answer<Alarm>(found),
      Total: count?.total ?? 0,
      Counts: { critical: 0, warning: 0, unacknowledged: 0, shelved: 0 },
    }
  },

  acknowledgeAlarm: async ({ Comment, ...key }, context) => {
    const { db, actor, clock } = context
    const before = await holdOpen(key, context)
    if (before.Acknowledged)
      throw new GatewayError('CONFLICT', `${before.Acknowledged.By} has acknowledged this alarm already`, {
        AlarmID: 'changed',
      })
    await db.query(sql`update alarms set acknowledged_by = ${actor.name}, acknowledged_at = ${clock.now()},
      comment = ${Comment ?? null} where alarm_id = ${key.AlarmID}`)
    return changed(before, context)
  },

  clearAlarm: async ({ Reason, ...key }, context) => {
    const { db, actor, clock } = context
    await holdHome(db, actor.tenant, key.HomeID)
    // Before the alarm, as reports do: one that comes meanwhile waits, and is a newer one then.
    const [status] = await db.query<{ timestamp: number; online: boolean }>(sql`
      select s.timestamp, t.online from device_status s
      join peripherals p on p.tenant = s.tenant and p.peripheral_uid = s.peripheral_uid
      join things t on t.thing_name = p.thing_name
      where s.tenant = ${actor.tenant} and s.peripheral_uid = (select peripheral_uid from alarms a where ${isOne(key, actor.tenant)})
      for no key update of s`)
    const before = await holdOpen(key, context)
    if (status?.online)
      throw new GatewayError('CONFLICT', 'The device is connected and still says so', {
        AlarmID: 'stillTrue',
      })
    await db.query(sql`update alarms set cleared_by = ${actor.name}, cleared_at = ${clock.now()}, cleared_reason = ${Reason},
      reported_at = greatest(reported_at, ${status?.timestamp ?? null}::bigint) where alarm_id = ${key.AlarmID}`)
    return changed(before, context)
  },
}

type Key = Pick<Alarm, 'HomeID' | 'AlarmID'>

const isOne = ({ HomeID, AlarmID }: Key, tenant: string) =>
  sql`a.tenant = ${tenant} and a.home_id = ${HomeID} and a.alarm_id = ${AlarmID}::uuid`

const find = async (db: Db, key: Key, tenant: string): Promise<Alarm | undefined> =>
  (await db.query<Alarm>(sql`select ${COLUMNS} from ${FROM} where ${isOne(key, tenant)}`))[0]

/** An open alarm, held until the transaction ends. Errors: NOT_FOUND; CONFLICT when it has ended. */
async function holdOpen(key: Key, { db, actor }: SignedIn): Promise<Alarm> {
  await db.query(sql`select from alarms a where ${isOne(key, actor.tenant)} for update`)
  const alarm = await find(db, key, actor.tenant)
  if (!alarm) throw new GatewayError('NOT_FOUND', `Alarm ${key.AlarmID} does not exist`)
  if (alarm.Cleared) {
    const by = alarm.Cleared.By ?? 'A newer report'
    throw new GatewayError('CONFLICT', `${by} has ended this alarm already`, { AlarmID: 'changed' })
  }
  return alarm
}

/** Tells of a changed alarm, and answers it as it is now. */
async function changed(before: Alarm, context: SignedIn): Promise<Alarm> {
  const after = (await find(context.db, before, context.actor.tenant)) as Alarm
  context.audit({ before, after })
  context.change('alarm.update', { HomeID: before.HomeID })
  return after
}
